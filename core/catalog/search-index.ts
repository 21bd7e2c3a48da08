import type { Tool } from '../tool/tool.ts'
import { getAppUri, isForAppsOnly } from '../tool/tool-app.ts'
import { findTerms, nameFit, type QueryTerm, type Request, readRequest } from './query.ts'
import type { ToolFilter } from './rows.ts'
import { isInName, maxWeight, readPostingTool, readPostingWeight, WordIndex } from './word-index.ts'
import { fold } from './words.ts'

export interface SearchMatches {
  /** Positions in the catalog, best match first; in catalog order if there is no text. */
  readonly order: readonly number[]
  /** How many of them contain every word of the text. 0: no tool does, and these are the best matches. */
  readonly complete: number
  /** Returns the part of a folded word that the text matched, for highlights: all of it for a stem or a synonym. */
  partOf(token: string): string | undefined
}

/** A searchable catalog. Immutable: a changed catalog gets a new index. */
export interface SearchIndex {
  readonly tools: readonly Tool[]
  /** Names of all sources, in the order of the page. */
  readonly sources: readonly string[]
  /**
   * Returns the tool with this name first, then tools whose names start with it. The others are ranked by the words,
   * their stems and synonyms, or, for a word that no tool has, its typos: names over titles over descriptions over
   * fields. A tool that lacks words is left out if its score is far below the best, or if the name of another tool
   * contains them all.
   */
  search(query: string, scope: Scope): SearchMatches
  /**
   * Indexes the tools for `search` in slices, so that other work can run between them. A search before the end indexes
   * the rest immediately.
   *
   * @param pause runs after each slice; false ends the indexing early
   * @returns whether all tools are indexed
   */
  prepare(pause: () => Promise<boolean>): Promise<boolean>
}

/** Milliseconds of a slice: the longest wait of a request in the meantime. */
const sliceMs = 10

/** Makes a catalog searchable; the first search indexes the text. `sources` may contain sources without tools. */
export function createSearchIndex(tools: readonly Tool[], sources: readonly string[] = []): SearchIndex {
  const names = [...new Set([...sources, ...tools.map(tool => tool.source)])]
  const recent = new Recent<SearchMatches>(16)
  const toolNames = tools.map(tool => tool.name)
  const terms = new Recent<readonly QueryTerm[]>(64)
  let words: WordIndex | undefined
  const readSlice = () => {
    words ??= new WordIndex(tools)
    words.read(sliceMs)
    return words
  }
  const readAll = () => {
    for (;;) {
      const index = readSlice()
      if (index.isComplete) return index
    }
  }
  const find = (query: string, scope: Scope): SearchMatches => {
    const passesScope = inScope(scope)
    const isInScope = (at: number) => {
      const tool = tools[at]
      return tool !== undefined && passesScope(tool)
    }
    if (query === '') {
      const order = [...tools.keys()].filter(isInScope)
      return { order, complete: order.length, partOf: () => undefined }
    }
    const index = readAll()
    const request = readRequest(index, query, word =>
      terms.get(word, () => findTerms(index, toolNames, word)),
    )
    return {
      ...rank(index, toolNames, isInScope, request, scope.everyWord === true),
      partOf: token => findMatchedPart(request.terms, index.numberOf(token), token),
    }
  }
  return {
    tools,
    sources: names,
    async prepare(pause) {
      while (!readSlice().isComplete) if (!(await pause())) return false
      return true
    },
    search(query, scope) {
      const text = fold(query).trim()
      return recent.get(JSON.stringify([text, scope]), () => find(text, scope))
    },
  }
}

function findMatchedPart(
  terms: readonly QueryTerm[],
  number: number | undefined,
  token: string,
): string | undefined {
  const term = number === undefined ? undefined : terms.find(({ tokens }) => tokens.has(number))
  return term?.tokens.get(number ?? -1)?.isPart ? term.word : term && token
}

const passes: Record<ToolFilter, (tool: Tool) => boolean> = {
  'read-only': tool => tool.annotations?.readOnlyHint === true && tool.annotations.destructiveHint !== true,
  destructive: tool => tool.annotations?.destructiveHint === true,
  'typed-output': tool => tool.outputSchema !== undefined,
  callable: tool => tool.callable,
  app: tool => getAppUri(tool) !== undefined,
  'for-apps': isForAppsOnly,
}

/** Filters for the effect of a tool. A tool must match any of them, but all of the other filters. */
const effects: readonly ToolFilter[] = ['read-only', 'destructive']

/** The part of the catalog that a search covers. */
interface Scope {
  /** Source names; an empty list means all sources. */
  readonly sources: readonly string[]
  /** A tool must match `read-only` or `destructive`, if listed, and all of the others. */
  readonly filters: readonly ToolFilter[]
  /** Whether tools that lack a word are left out. */
  readonly everyWord?: boolean
}

function inScope({ sources, filters }: Scope): (tool: Tool) => boolean {
  const wanted = sources.length === 0 ? undefined : new Set(sources)
  const wantedEffects = filters.filter(filter => effects.includes(filter))
  const others = filters.filter(filter => !effects.includes(filter))
  return tool =>
    (wanted?.has(tool.source) ?? true) &&
    (wantedEffects.length === 0 || wantedEffects.some(filter => passes[filter](tool))) &&
    others.every(filter => passes[filter](tool))
}

interface Ranking {
  /** Positions in the catalog, best match first. */
  readonly order: readonly number[]
  /** How many of them contain every word; 0 if they are only the best matches. */
  readonly complete: number
}

/** A tool that lacks a word is shown if its score is at least this share of the best one. */
const minShareOfBest = 0.5
/** How many tools that lack a word are shown at most. */
const maxPartial = 50
/** How many scores differ within one point. A score in such steps and the tool's number fit into 53 bits together. */
const scoreSteps = 2 ** 19
/** More points than the sixteen words of a request can get. */
const pointsOfFit = 200
const maxTools = 2 ** 24

/** The additional share of the score for a tool with all words. */
const completeness = 0.5

/**
 * Ranks the tools in scope: the tool with this name, tools whose names start with it, and the others by score. Tools
 * that lack a word are left out if a name contains all words. If a tool has the word itself, a tool with only a synonym
 * of it lacks the word.
 */
function rank(
  index: WordIndex,
  names: readonly string[],
  isInScope: (at: number) => boolean,
  { terms, joined, isWordOpen }: Request,
  isEveryWordNeeded: boolean,
): Ranking {
  const size = names.length
  const scores = new Float32Array(size)
  const held = new Uint8Array(size)
  const best = new Float32Array(size)
  /** How many words of the request the tool's name contains exactly. */
  const named = new Uint8Array(size)
  /** Tools that contain a word of the request, not only synonyms. */
  const own = new Uint8Array(size)
  const fits = new Uint8Array(size)
  for (let at = 0; at < size; at += 1) fits[at] = nameFit(names[at] ?? '', joined, isWordOpen)
  for (const [termIndex, { word, tokens }] of terms.entries()) {
    const ownRarity = rarity(size, index.postingsOf(index.numberOf(word) ?? -1).length)
    best.fill(0)
    for (const [token, { worth, isOther }] of tokens) {
      const postings = index.postingsOf(token)
      const value = (worth * Math.min(ownRarity, rarity(size, postings.length))) / maxWeight
      for (const packed of postings) {
        const at = readPostingTool(packed)
        const points = value * readPostingWeight(packed)
        if (points > (best[at] ?? 0)) best[at] = points
        if (isOther) continue
        own[at] = 1
        if (isInName(packed) && named[at] === termIndex) named[at] = termIndex + 1
      }
    }
    for (let at = 0; at < size; at += 1) {
      const points = best[at] ?? 0
      if (points === 0) continue
      scores[at] = (scores[at] ?? 0) + points
      held[at] = (held[at] ?? 0) + 1
    }
  }
  let highest = 0
  let isStrict = isEveryWordNeeded
  let isOwnFirst = false
  for (let at = 0; at < size; at += 1) {
    if (fits[at] !== 0) held[at] = terms.length
    const words = held[at] ?? 0
    if (words === 0) continue
    if (!isInScope(at)) held[at] = 0
    else scores[at] = (scores[at] ?? 0) * (1 - completeness + (completeness * words) / terms.length)
    if (held[at] === 0) continue
    highest = Math.max(highest, scores[at] ?? 0)
    isStrict ||= named[at] === terms.length
    isOwnFirst ||= terms.length === 1 && own[at] === 1
  }
  const found: number[] = []
  let complete = 0
  for (let at = 0; at < size; at += 1) {
    const words = held[at] ?? 0
    if (words === 0) continue
    const score = scores[at] ?? 0
    const isFar = score < minShareOfBest * highest
    if (words < terms.length && (isStrict || isFar)) continue
    const isOwn = own[at] === 1 || fits[at] !== 0
    if (isOwnFirst && !isOwn && isFar && !isEveryWordNeeded) continue
    if (words === terms.length) complete += 1
    scores[at] = score + pointsOfFit * ((fits[at] ?? 0) + (isOwnFirst && isOwn ? 1 : 0))
    found.push(at)
  }
  sortByScore(found, scores)
  let partial = 0
  const order = found.filter(at => {
    if (held[at] === terms.length) return true
    partial += 1
    return partial <= maxPartial
  })
  return { order, complete }
}

/**
 * Sorts by score, ties in catalog order. It sorts numbers that combine both, because a comparator took 200 ms for
 * 100,000 tools.
 */
function sortByScore(found: number[], scores: Float32Array): void {
  const keys = Float64Array.from(
    found,
    at => at - Math.round((scores[at] ?? 0) * scoreSteps) * maxTools,
  ).sort()
  for (let position = 0; position < keys.length; position += 1)
    found[position] = (((keys[position] ?? 0) % maxTools) + maxTools) % maxTools
}

/** Returns the rarity of a token that `count` tools contain: the idf of BM25. */
function rarity(size: number, count: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5))
}

/** A cache of the last few results by key. It removes the least recently used one first. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>()
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get(key: string, compute: () => Value): Value {
    const known = this.values.get(key)
    const value = known === undefined && !this.values.has(key) ? compute() : (known as Value)
    this.values.delete(key)
    this.values.set(key, value)
    for (const oldest of this.values.keys()) {
      if (this.values.size <= this.limit) break
      this.values.delete(oldest)
    }
    return value
  }
}
