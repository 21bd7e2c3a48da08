/** `discover`: finding tools by category, tag or word. */
import type { HelpEntry } from './command-name.ts'
import { plainLine } from './plain-text.ts'
import { categoriesOf, tagsOf } from './tags.ts'

/** Exactly one way to look; a word is compared without regard to case. */
export type Wanted =
  | { readonly by: 'search'; readonly word: string }
  | { readonly by: 'category'; readonly word: string }
  | { readonly by: 'tag'; readonly word: string }

export interface Category {
  readonly category: string
  /** Tools in it. */
  readonly count: number
}

/** What `discover … --json` says of one tool; keys in alphabetical order. */
export interface FoundTool {
  readonly categories: string[]
  readonly description: string
  readonly name: string
  readonly tags: string[]
}

/**
 * The tools that fit, in the order given. `search` looks for the word in the command, the tool's own name and the
 * description; a category or a tag must be the word.
 */
export function discover(entries: readonly HelpEntry[], { by, word }: Wanted): HelpEntry[] {
  const wanted = word.toLowerCase()
  const holds = (text: string) => text.toLowerCase().includes(wanted)
  const isWord = (text: string) => text.toLowerCase() === wanted
  return entries.filter(({ command, tool }) => {
    if (by === 'search') return holds(command) || holds(tool.name) || holds(tool.description ?? '')
    return (by === 'category' ? categoriesOf(tool) : tagsOf(tool)).some(isWord)
  })
}

/** All categories with the number of their tools, by name. */
export function categories(entries: readonly HelpEntry[]): Category[] {
  const counts = new Map<string, number>()
  for (const { tool } of entries)
    for (const category of categoriesOf(tool)) counts.set(category, (counts.get(category) ?? 0) + 1)
  return [...counts]
    .map(([category, count]) => ({ category, count }))
    .sort((a, b) => (a.category < b.category ? -1 : a.category > b.category ? 1 : 0))
}

/** `api (3 tools)`, one a line. */
export function categoryList(all: readonly Category[]): string {
  return all
    .map(({ category, count }) => `${plainLine(category)} (${count} ${count === 1 ? 'tool' : 'tools'})\n`)
    .join('')
}

export function foundTool({ command, tool }: HelpEntry): FoundTool {
  return {
    categories: categoriesOf(tool),
    description: tool.description ?? '',
    name: command,
    tags: tagsOf(tool),
  }
}
