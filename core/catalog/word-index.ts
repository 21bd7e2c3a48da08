/** An inverted index of the tools: which tools contain a word, and how relevant it is in each (BM25F). */

import { isObject } from '../json/json.ts'
import { type JsonSchema, nameSegments, type Tool } from '../tool/tool.ts'
import { eachToken, isStopWord, stemWord } from './words.ts'

/**
 * Fields with their weight and usual number of words: a word counts less in a longer field (BM25F,
 * https://en.wikipedia.org/wiki/Okapi_BM25).
 */
const fields = {
  name: { weight: 6, words: 3 },
  /** The last segment of a nested name, or the whole name again. */
  leaf: { weight: 1, words: 1 },
  title: { weight: 5, words: 3 },
  /** The beginning of the description, which usually says what the tool does. */
  summary: { weight: 4.5, words: 14 },
  description: { weight: 0.5, words: 60 },
  parameter: { weight: 0.7, words: 8 },
  source: { weight: 2, words: 3 },
} as const
type IndexedField = keyof typeof fields

/** How much the length of a field counts, from 0 to 1. */
const lengthEffect = 0.6
/** A field shorter than this share of its usual length does not count more. */
const minLength = 0.6
/** The weight at which a word has half of its effect. */
const saturation = 5

const minSummaryCharacters = 30
const maxSummaryCharacters = 160
/** More of a description adds little, and a hostile one could have megabytes. */
const maxDescriptionCharacters = 1_000

/** A posting is one number: the tool, whether the token is in its name, and its weight from 1 to 255. */
export const maxWeight = 255
const nameBit = 256
const bits = 9
export const readPostingTool = (posting: number) => posting >>> bits
export const readPostingWeight = (posting: number) => posting & maxWeight
export const isInName = (posting: number) => (posting & nameBit) !== 0

export class WordIndex {
  private readonly tokens: string[] = []
  private readonly stems = new Map<string, number[]>()
  /** Whether each token is in any tool's name. */
  private readonly inNames: boolean[] = []
  private readonly postings: number[][] = []
  private readonly numbers = new Map<string, number>()
  private readonly tools: readonly Tool[]
  private next = 0
  /** Weight of each token in the current tool. */
  private readonly current = new Map<number, number>()
  /** Tokens in the current tool's name. */
  private readonly named = new Set<number>()

  constructor(tools: readonly Tool[]) {
    this.tools = tools
  }

  get isComplete(): boolean {
    return this.next >= this.tools.length
  }

  /** Reads tools for this many milliseconds, at least one. */
  read(milliseconds: number): void {
    const end = Date.now() + milliseconds
    do {
      const tool = this.tools[this.next]
      if (tool !== undefined) this.readTool(this.next, tool)
      this.next += 1
    } while (this.next < this.tools.length && Date.now() < end)
  }

  /** Returns the number of a token, if a tool contains it. */
  numberOf(token: string): number | undefined {
    return this.numbers.get(token)
  }

  /** Returns the numbers of the tokens with this stem. */
  ofStem(stem: string): readonly number[] {
    return this.stems.get(stem) ?? []
  }

  isInName(token: number): boolean {
    return this.inNames[token] === true
  }

  eachToken(each: (number: number, token: string) => void): void {
    for (let number = 0; number < this.tokens.length; number += 1) each(number, this.tokens[number] ?? '')
  }

  /** Returns the postings of a token, by ascending tool. */
  postingsOf(token: number): readonly number[] {
    return this.postings[token] ?? []
  }

  private readTool(at: number, tool: Tool): void {
    const description = (tool.description ?? '').slice(0, maxDescriptionCharacters)
    const cut = summaryEnd(description)
    this.readField('name', tool.name)
    this.readField('leaf', nameSegments(tool.name).at(-1) ?? '')
    this.readField('title', tool.title ?? tool.annotations?.title ?? '')
    this.readField('summary', description.slice(0, cut))
    this.readField('description', description.slice(cut))
    // The URI of a resource is searched like its fields.
    this.readField('parameter', `${tool.uri ?? ''}\n${fieldNames(tool.inputSchema)}`)
    this.readField('source', tool.source)
    for (const [token, weight] of this.current) {
      const step = Math.max(1, Math.round((maxWeight * weight) / (weight + saturation)))
      this.postings[token]?.push((at << bits) + (this.named.has(token) ? nameBit : 0) + step)
    }
    this.current.clear()
    this.named.clear()
  }

  private readField(field: IndexedField, text: string): void {
    const found: number[] = []
    eachToken(text, token => {
      if (field !== 'name' && isStopWord(token)) return
      const number = this.intern(token)
      if (field === 'name') {
        this.inNames[number] = true
        this.named.add(number)
      }
      found.push(number)
    })
    const { weight, words } = fields[field]
    const length = Math.max(minLength, found.length / words)
    const share = weight / (1 - lengthEffect + lengthEffect * length)
    for (const number of found) this.current.set(number, (this.current.get(number) ?? 0) + share)
  }

  private intern(token: string): number {
    const known = this.numbers.get(token)
    if (known !== undefined) return known
    const number = this.tokens.length
    this.numbers.set(token, number)
    this.tokens.push(token)
    this.inNames.push(false)
    const stem = stemWord(token)
    const others = this.stems.get(stem)
    if (others === undefined) this.stems.set(stem, [number])
    else others.push(number)
    this.postings.push([])
    return number
  }
}

/**
 * Returns the end of the first sentence or line. It skips the first characters, because headings are shorter than
 * sentences.
 */
function summaryEnd(description: string): number {
  const start = Math.max(0, description.search(/\S/u)) + minSummaryCharacters
  const end = description.slice(start).search(/[.!?]\s|\n/u)
  return Math.min(
    description.length,
    maxSummaryCharacters,
    end < 0 ? Number.POSITIVE_INFINITY : start + end + 1,
  )
}

const maxNames = 500
const maxNodes = 3000

/** Keywords that contain a schema or a list of schemas. */
const schemaKeywords = new Set(['items', 'prefixItems', 'anyOf', 'oneOf', 'allOf', 'additionalProperties'])
/** Keywords that contain schemas by name. */
const mapKeywords = new Set(['properties', '$defs', 'definitions'])

/**
 * Returns the property names anywhere in a schema, one per line, outermost first. Limited in size, and safe for any
 * JSON.
 */
export function fieldNames(schema: JsonSchema): string {
  const names = new Set<string>()
  const queue: unknown[] = [schema]
  const enqueue = (value: unknown) => {
    if (typeof value === 'object' && value !== null && queue.length < maxNodes) queue.push(value)
  }
  for (let at = 0; at < queue.length && names.size < maxNames; at += 1) {
    const node = queue[at]
    if (Array.isArray(node)) node.slice(0, maxNodes).forEach(enqueue)
    if (!isObject(node)) continue
    for (const keyword of Object.keys(node)) {
      const value = node[keyword]
      if (schemaKeywords.has(keyword)) enqueue(value)
      if (!mapKeywords.has(keyword) || !isObject(value)) continue
      for (const name of Object.keys(value)) {
        if (keyword === 'properties' && names.size < maxNames) names.add(name)
        enqueue(value[name])
      }
    }
  }
  return [...names].join('\n')
}
