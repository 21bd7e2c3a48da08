import type { Tool } from '../tool/tool.ts'
import { findTerms, readRequest, type Term } from './query.ts'
import { rank } from './rank.ts'
import { Recent } from './recent.ts'
import type { ToolFilter } from './rows.ts'
import { fold } from './text.ts'
import { WordIndex } from './word-index.ts'

/** What a search found. */
export interface Matches {
  /** Positions in the catalog, best match first; in catalog order where there is no text to match. */
  readonly order: readonly number[]
  /** How many of them hold every word of the text. 0: no tool does, and these are the best there are. */
  readonly complete: number
  /** The part of a folded word that the text found, for highlights: all of it where a stem or a synonym stands there. */
  partOf(token: string): string | undefined
}

/** The catalog, made searchable. Immutable: a changed catalog gets a new one. */
export interface SearchIndex {
  readonly tools: readonly Tool[]
  /** Every source's name, in the order they are drawn. */
  readonly sources: readonly string[]
  /**
   * Puts the tool with this name first, then those whose names begin with it. Ranks what holds any of the words, their
   * stems, synonyms or, in place of a word that no tool has, its typos: names over titles over descriptions over fields. A
   * tool that lacks words is left out where it is far behind the best, or where the name of another holds them all.
   */
  search(query: string, scope: Scope): Matches
  /**
   * Reads the tools for `search` in slices, so that other work goes on meanwhile; a search before its end reads what is
   * left at once.
   *
   * @param pause comes after each slice; false ends the reading early
   * @returns whether all tools are read
   */
  prepare(pause: () => Promise<boolean>): Promise<boolean>
}

/** Milliseconds of a slice: what a request that comes meanwhile waits. */
const sliceMs = 10

/** Makes a catalog searchable; the text is read at the first search. `sources` may name ones without tools. */
export function createSearchIndex(tools: readonly Tool[], sources: readonly string[] = []): SearchIndex {
  const names = [...new Set([...sources, ...tools.map(tool => tool.source)])]
  const recent = new Recent<Matches>(16)
  const toolNames = tools.map(tool => tool.name)
  const terms = new Recent<readonly Term[]>(64)
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
  const find = (query: string, scope: Scope): Matches => {
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
      partOf: token => partOf(request.terms, index.numberOf(token), token),
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

function partOf(terms: readonly Term[], number: number | undefined, token: string): string | undefined {
  const term = number === undefined ? undefined : terms.find(({ tokens }) => tokens.has(number))
  return term?.tokens.get(number ?? -1)?.isPart ? term.word : term && token
}

const passes: Record<ToolFilter, (tool: Tool) => boolean> = {
  'read-only': tool => tool.annotations?.readOnlyHint === true,
  destructive: tool => tool.annotations?.destructiveHint === true && tool.annotations.readOnlyHint !== true,
  'typed-output': tool => tool.outputSchema !== undefined,
  callable: tool => tool.callable,
}

/** What a tool does is one of these: filters among them add up, the others narrow what is left. */
const effects: readonly ToolFilter[] = ['read-only', 'destructive']

/** Which part of the catalog a search looks at. */
export interface Scope {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** `read-only` or `destructive`, and all of the others. */
  readonly filters: readonly ToolFilter[]
  /** Leaves out every tool that lacks a word. */
  readonly everyWord?: boolean
}

/** A test for the tools of a scope. */
function inScope({ sources, filters }: Scope): (tool: Tool) => boolean {
  const wanted = sources.length === 0 ? undefined : new Set(sources)
  const wantedEffects = filters.filter(filter => effects.includes(filter))
  const others = filters.filter(filter => !effects.includes(filter))
  return tool =>
    (wanted?.has(tool.source) ?? true) &&
    (wantedEffects.length === 0 || wantedEffects.some(filter => passes[filter](tool))) &&
    others.every(filter => passes[filter](tool))
}
