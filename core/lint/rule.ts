/** What a portability rule is. One file a rule under rules/, one line in rules/rules.ts. */
import type { Tool } from '../tool/tool.ts'
import type { LintClient } from './clients.ts'
import type { Fault, LintSeverity } from './finding.ts'
import type { Reference, SchemaNode } from './schema-nodes.ts'

/** A tool as the rules see it: its schemas taken apart once for all of them. */
export interface ToolView {
  readonly tool: Tool
  /** The schemas of the input, the root first. At most 20,000. */
  readonly nodes: readonly SchemaNode[]
  readonly truncated: boolean
  /** Its `$ref`s. At most 500, of these at most 50 by name. */
  readonly references: readonly Reference[]
}

/** The other tools around the one at hand. */
export interface LintContext {
  readonly tools: readonly Tool[]
  /** Tools that come before the one at hand and have its name, in the same source. */
  earlierInSource(tool: Tool): number
  /** The same over all sources. */
  earlier(tool: Tool): number
}

interface RuleText {
  readonly id: string
  /** What the rule wants, as a sentence. */
  readonly title: string
  readonly severity: LintSeverity
  /** The clients that the rule concerns, and where each one says so. */
  readonly sources: Readonly<Partial<Record<LintClient, string>>>
}

export interface ToolRule extends RuleText {
  readonly scope: 'tool'
  check(view: ToolView, context: LintContext): readonly Fault[]
}

export interface CatalogRule extends RuleText {
  readonly scope: 'catalog'
  check(context: LintContext): readonly Fault[]
}

export type LintRule = ToolRule | CatalogRule

/** At most this many findings of one rule in one tool; the last one counts the rest. */
const MAX_PLACES = 10

/** One fault a place, of places that may be many. */
export function faultsAt<Place>(places: Iterable<Place>, toFault: (place: Place) => Fault): readonly Fault[] {
  const faults: Fault[] = []
  let more = 0
  for (const place of places)
    if (faults.length < MAX_PLACES) faults.push(toFault(place))
    else more += 1
  const last = faults.at(-1)
  if (more > 0 && last !== undefined)
    faults[faults.length - 1] = { ...last, message: `${last.message} (and ${more} places more)` }
  return faults
}

/** A name or value of a source inside a sentence: quoted, cut at 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)
}
