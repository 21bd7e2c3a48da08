/** An inverted index over the tools: which words stand in which tool, and how much they say about it (BM25F). */
import { nameSegments, type Tool } from '../tool/tool.ts'
import { fieldNames } from './field-names.ts'
import { eachToken } from './text.ts'
import { isStopWord, stemOf } from './words.ts'

/**
 * Fields with their weight and their usual number of words: a word says less in a longer one
 * (BM25F, https://en.wikipedia.org/wiki/Okapi_BM25).
 */
const fields = {
  name: { weight: 6, words: 3 },
  /** The last segment of a nested name, or the whole name, once more. */
  leaf: { weight: 1, words: 1 },
  title: { weight: 5, words: 3 },
  /** The beginning of the description, where it says what the tool does. */
  summary: { weight: 4.5, words: 14 },
  description: { weight: 0.5, words: 60 },
  parameter: { weight: 0.7, words: 8 },
  source: { weight: 2, words: 3 },
} as const
type Field = keyof typeof fields

/** How much the length of a field counts, from 0 to 1. */
const lengthEffect = 0.6
/** A field that is shorter than this share of its usual length says no more. */
const minLength = 0.6
/** At this weight a word has half of its effect. */
const saturation = 5

const minSummaryCharacters = 30
const maxSummaryCharacters = 160
/** Of a description more says little, and a hostile one could hold megabytes. */
const maxDescriptionCharacters = 1_000

/** A posting is one number: the tool, whether the token is in its name, and what it says about it, from 1 to 255. */
export const maxWeight = 255
const nameBit = 256
const bits = 9
export const toolOf = (posting: number) => posting >>> bits
export const weightOf = (posting: number) => posting & maxWeight
export const isInName = (posting: number) => (posting & nameBit) !== 0

export class WordIndex {
  private readonly tokens: string[] = []
  private readonly stems = new Map<string, number[]>()
  /** Tokens that stand in a name. */
  private readonly inNames: boolean[] = []
  private readonly postings: number[][] = []
  private readonly numbers = new Map<string, number>()
  private readonly tools: readonly Tool[]
  private next = 0
  /** Weight of each token in the tool that is read now. */
  private readonly current = new Map<number, number>()
  /** Those in its name. */
  private readonly named = new Set<number>()

  constructor(tools: readonly Tool[]) {
    this.tools = tools
  }

  get isComplete(): boolean {
    return this.next >= this.tools.length
  }

  /** Reads tools for so many milliseconds, one at least. */
  read(milliseconds: number): void {
    const end = Date.now() + milliseconds
    do {
      const tool = this.tools[this.next]
      if (tool !== undefined) this.readTool(this.next, tool)
      this.next += 1
    } while (this.next < this.tools.length && Date.now() < end)
  }

  /** Number of a token, if a tool holds it. */
  numberOf(token: string): number | undefined {
    return this.numbers.get(token)
  }

  /** Numbers of the tokens with this stem. */
  ofStem(stem: string): readonly number[] {
    return this.stems.get(stem) ?? []
  }

  isInName(token: number): boolean {
    return this.inNames[token] === true
  }

  eachToken(each: (number: number, token: string) => void): void {
    for (let number = 0; number < this.tokens.length; number += 1) each(number, this.tokens[number] ?? '')
  }

  /** The postings of a token, by ascending tool. */
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
    // The address of a resource is found as its fields are.
    this.readField('parameter', `${tool.uri ?? ''}\n${fieldNames(tool.inputSchema)}`)
    this.readField('source', tool.source)
    for (const [token, weight] of this.current) {
      const step = Math.max(1, Math.round((maxWeight * weight) / (weight + saturation)))
      this.postings[token]?.push((at << bits) + (this.named.has(token) ? nameBit : 0) + step)
    }
    this.current.clear()
    this.named.clear()
  }

  private readField(field: Field, text: string): void {
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
    const stem = stemOf(token)
    const others = this.stems.get(stem)
    if (others === undefined) this.stems.set(stem, [number])
    else others.push(number)
    this.postings.push([])
    return number
  }
}

/** Where the first sentence ends, or the line; headings are shorter than any sentence. */
function summaryEnd(description: string): number {
  const start = Math.max(0, description.search(/\S/u)) + minSummaryCharacters
  const end = description.slice(start).search(/[.!?]\s|\n/u)
  return Math.min(
    description.length,
    maxSummaryCharacters,
    end < 0 ? Number.POSITIVE_INFINITY : start + end + 1,
  )
}
