/** Finds tools: by name for `help`; by category, tag or word for `discover`. */

import { createSearchIndex, type SearchIndex } from '../catalog/search-index.ts'
import { AppError } from '../errors.ts'
import { isObject, own } from '../json/json.ts'
import { plainLine } from '../text/plain-text.ts'
import { counted, findNearest, listWords } from '../text/wording.ts'
import { nameSegments, type Tool } from '../tool/tool.ts'
import type { ToolCommand } from './tool-commands.ts'

const maxTags = 50
const maxTagCharacters = 100
const maxNearestNames = 3
const maxQuotedCharacters = 200

/** One criterion, case-insensitive. `search` takes a text, the others take a word. */
export interface DiscoverQuery {
  readonly by: 'search' | 'category' | 'tag'
  readonly word: string
}

export interface Category {
  readonly category: string
  readonly count: number
}

/** One tool in the output of `discover … --json`; keys in alphabetical order. */
export interface FoundTool {
  readonly categories: string[]
  readonly description: string
  readonly name: string
  readonly tags: string[]
}

/**
 * Returns the matching tools; a category or a tag must equal the word. `search` returns those whose command, own name
 * or description contains the text, as ScriptedTool does; if there are none, the catalog's best matches.
 */
export function discover(entries: readonly ToolCommand[], { by, word }: DiscoverQuery): ToolCommand[] {
  if (by === 'search') {
    const wanted = word.toLowerCase()
    const found = entries.filter(({ command, tool }) =>
      [command, tool.name, tool.description ?? ''].some(text => text.toLowerCase().includes(wanted)),
    )
    if (found.length > 0) return found
    const { order } = getSearchIndex(entries).search(word, { sources: [], filters: [] })
    return order.flatMap(at => entries[at] ?? [])
  }
  const isWord = (text: string) => text.toLowerCase() === word.toLowerCase()
  return entries.filter(({ tool }) =>
    (by === 'category' ? listCategories(tool) : collectTags(tool)).some(isWord),
  )
}

/** Cached, because a script may search the same tools many times. */
const indexes = new WeakMap<readonly ToolCommand[], SearchIndex>()

function getSearchIndex(entries: readonly ToolCommand[]): SearchIndex {
  const index = indexes.get(entries) ?? createSearchIndex(entries.map(({ tool }) => tool))
  indexes.set(entries, index)
  return index
}

/** Returns all categories with the number of their tools, by name. */
export function countCategories(entries: readonly ToolCommand[]): Category[] {
  const counts = new Map<string, number>()
  for (const { tool } of entries)
    for (const category of listCategories(tool)) counts.set(category, (counts.get(category) ?? 0) + 1)
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((a, b) => (a.category < b.category ? -1 : a.category > b.category ? 1 : 0))
}

/** Returns lines such as `api (3 tools)`. */
export function categoryText(all: readonly Category[]): string {
  return all.map(({ category, count }) => `${plainLine(category)} (${counted(count, 'tool')})\n`).join('')
}

export function describeFoundTool({ command, tool }: ToolCommand): FoundTool {
  return {
    categories: listCategories(tool),
    description: tool.description ?? '',
    name: command,
    tags: collectTags(tool),
  }
}

/**
 * Returns the tool's tags: `tags` of its format's extra fields, of `_meta` and of objects one level inside `_meta`
 * (servers keep their own object there), then its annotations and kind. Each tag once; hostile text.
 */
function collectTags(tool: Tool): string[] {
  const meta = tool.extra?._meta
  const holders = [tool.extra, meta, ...(isObject(meta) ? Object.values(meta).slice(0, maxTags) : [])]
  const named = holders.flatMap(holder => (isObject(holder) ? textList(own(holder, 'tags')) : []))
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {}
  const derived = [
    readOnlyHint === true && 'read-only',
    destructiveHint === true && 'destructive',
    idempotentHint === true && 'idempotent',
    openWorldHint === true && 'open-world',
    tool.outputSchema !== undefined && 'typed-output',
    !tool.callable && 'view-only',
  ].filter(tag => typeof tag === 'string')
  return [...new Set([...named, ...derived])]
}

/** Returns the tool's source, the first word of a nested name, and the category from its format. */
function listCategories(tool: Tool): string[] {
  const segments = nameSegments(tool.name)
  const [first = ''] = segments
  const stated = statedCategory(tool)
  const group = segments.length > 1 ? [first] : []
  return [...new Set([tool.source, ...group, ...(stated === undefined ? [] : [stated])])]
}

/** Returns the category from the tool's format. */
export function statedCategory(tool: Tool): string | undefined {
  return textList([own(tool.extra ?? {}, 'category')])[0]
}

function textList(value: unknown): string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, maxTags).flatMap(each => {
    const text = typeof each === 'string' ? each.trim().slice(0, maxTagCharacters) : ''
    return text === '' ? [] : [text]
  })
}

/**
 * Returns the tools that a word names: by reference, else by command, else by the source's own name. Returns several if
 * two sources use the same name.
 */
export function findTools(entries: readonly ToolCommand[], word: string): ToolCommand[] {
  const byRef = entries.filter(({ tool }) => tool.ref === word)
  if (byRef.length > 0) return byRef
  const byCommand = entries.filter(({ command }) => command === word)
  return byCommand.length > 0 ? byCommand : entries.filter(({ tool }) => tool.name === word)
}

/**
 * Returns the error for a word that names no tool: the seed system's message, with similar commands as the hint.
 *
 * @param otherwise the hint if no command is similar
 */
export function unknownTool(word: string, commands: readonly string[], otherwise?: string): AppError {
  const near = findNearest(word, commands, maxNearestNames)
  const hint = near.length > 0 ? `Did you mean ${listWords(near)}?` : otherwise
  return new AppError(
    'unknown-tool',
    plainLine(word).slice(0, maxQuotedCharacters),
    hint === undefined ? {} : { hint },
  )
}
