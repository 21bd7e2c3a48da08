/**
 * The type of a portability rule, and helpers that build rules and their faults. The rules are in *-rules.ts, by topic.
 */

import { isObject } from '../json/json.ts'
import { shorten } from '../text/wording.ts'
import type { Tool } from '../tool/tool.ts'
import type { Fault, LintClient, LintSeverity } from './lint-finding.ts'
import type { SchemaReference } from './references.ts'
import { type SchemaNode, toNodePointer } from './schema-nodes.ts'

/** A tool for the rules: its schemas are listed once for all of them. */
export interface ToolView {
  readonly tool: Tool
  /** The schemas of the input, the root first. At most 20,000. */
  readonly nodes: readonly SchemaNode[]
  readonly truncated: boolean
  /** Its `$ref`s, at most 500. */
  readonly references: readonly SchemaReference[]
}

/** The other tools of the catalog. */
export interface LintContext {
  readonly tools: readonly Tool[]
  /** How many earlier tools of the same source have this tool's name. */
  readonly countEarlierInSource: (tool: Tool) => number
  /** The same number over all sources. */
  readonly countEarlier: (tool: Tool) => number
}

interface LintRuleText {
  readonly id: string
  /** The requirement of the rule, as a sentence. */
  readonly title: string
  readonly severity: LintSeverity
  /** The clients that the rule concerns, and the document of each. */
  readonly sources: Readonly<Partial<Record<LintClient, string>>>
}

export interface ToolLintRule extends LintRuleText {
  checkTool(view: ToolView, context: LintContext): readonly Fault[]
}

export interface CatalogRule extends LintRuleText {
  checkCatalog(context: LintContext): readonly Fault[]
}

export type LintRule = ToolLintRule | CatalogRule

/** Findings of one rule in one tool; the last one says how many more there are. */
const maxFaults = 10
/** Keywords that one rule reports for one schema, because a schema may have a thousand invented keywords. */
const maxKeywords = 50

export function faultIf(isFault: boolean, path: string, message: string, remedy: string): readonly Fault[] {
  return isFault ? [{ path, message, remedy }] : []
}

interface FaultRule<Subject> extends LintRuleText {
  readonly message: string | ((subject: Subject) => string)
  readonly remedy: string
}

function buildFault<Subject>({ message, remedy }: FaultRule<Subject>, path: string, subject: Subject): Fault {
  return { path, message: typeof message === 'string' ? message : message(subject), remedy }
}

interface FieldRule extends FaultRule<Tool> {
  /** JSON Pointer of the field: `/name`. */
  readonly path: string
  isFault(tool: Tool, context: LintContext): boolean
}

/** A rule about one of a tool's own fields. */
export function toolRule(rule: FieldRule): ToolLintRule {
  const checkTool: ToolLintRule['checkTool'] = ({ tool }, context) =>
    rule.isFault(tool, context) ? [buildFault(rule, rule.path, tool)] : []
  return { ...rule, checkTool }
}

interface NodeRule extends FaultRule<SchemaNode> {
  /** The keyword at fault; absent if the whole schema is at fault. */
  readonly keyword?: string
  isFault(node: SchemaNode): boolean
}

/** A rule about the schemas inside the input schema. */
export function nodeRule(rule: NodeRule): ToolLintRule {
  const step = rule.keyword === undefined ? '' : `/${rule.keyword}`
  const toFault = (node: SchemaNode) => buildFault(rule, `${toNodePointer(node)}${step}`, node)
  return { ...rule, checkTool: ({ nodes }) => faultsAt(nodes.filter(rule.isFault), toFault) }
}

interface ReferenceRule extends LintRuleText {
  find(references: readonly SchemaReference[]): readonly SchemaReference[]
  /** Follows the reference in the message. */
  readonly message: string
  readonly remedy: string
}

/** A rule about some of the references. */
export function referenceRule(rule: ReferenceRule): ToolLintRule {
  const toFault = ({ node, ref }: SchemaReference) => ({
    path: `${toNodePointer(node)}/$ref`,
    message: `${quoted(ref)} ${rule.message}`,
    remedy: rule.remedy,
  })
  return { ...rule, checkTool: ({ references }) => faultsAt(rule.find(references), toFault) }
}

interface KeywordRule extends LintRuleText {
  isKnown(keyword: string): boolean
  /** Follows the keyword in the message. */
  readonly message: string
  readonly remedy: string
}

/** A rule about keywords that a client does not know. */
export function buildKeywordLintRule(rule: KeywordRule): ToolLintRule {
  return { ...rule, checkTool: view => keywordFaults(view, rule) }
}

export function faultsAt<Item>(items: Iterable<Item>, toFault: (item: Item) => Fault): readonly Fault[] {
  const faults: Fault[] = []
  let more = 0
  for (const item of items)
    if (faults.length < maxFaults) faults.push(toFault(item))
    else more += 1
  const last = faults.at(-1)
  if (more > 0 && last !== undefined)
    faults[faults.length - 1] = {
      ...last,
      message: `${last.message} (and ${more} more ${more === 1 ? 'location' : 'locations'})`,
    }
  return faults
}

/** Returns one fault for each unknown keyword, at its first location, with the number of occurrences. */
function keywordFaults({ nodes }: ToolView, rule: KeywordRule): readonly Fault[] {
  const uses = new Map<string, { first: SchemaNode; count: number }>()
  for (const node of nodes) {
    if (!isObject(node.schema)) continue
    for (const keyword in node.schema) {
      if (!Object.hasOwn(node.schema, keyword) || rule.isKnown(keyword)) continue
      const use = uses.get(keyword)
      if (use) use.count += 1
      else if (uses.size < maxKeywords) uses.set(keyword, { first: node, count: 1 })
    }
  }
  return [...uses].map(([keyword, { first, count }]) => {
    const countText = count === 1 ? '' : ` (${count} locations)`
    const message = `${shorten(keyword, 60)} ${rule.message}${countText}`
    return { path: `${toNodePointer(first)}/${keyword.slice(0, 60)}`, message, remedy: rule.remedy }
  })
}

/** Quotes a name or value of a source for a sentence, and cuts it at 60 characters. */
export function quoted(text: string): string {
  return JSON.stringify(shorten(text, 60))
}
