/** Runs the portability rules over a catalog's tools. */
import type { Tool } from '../tool/tool.ts'
import type { LintClient } from './clients.ts'
import { type Fault, type LintFinding, lintSeverities } from './finding.ts'
import type { LintContext, LintRule, ToolView } from './rule.ts'
import { lintRules } from './rules/rules.ts'
import { referencesOf, schemaNodes } from './schema-nodes.ts'

/**
 * What the named clients would refuse or alter: first what is about the catalog as a whole, then tool by tool in the
 * order given; in a tool the worst first, then by rule and place. The same tools give the same list. Never throws for
 * anything a source may send.
 */
export function lintTools(tools: readonly Tool[], clients: readonly LintClient[]): readonly LintFinding[] {
  return [...lintSteps(tools, clients)].flat()
}

/** The same, in steps between which other work can be done: one for the catalog, then one a tool. */
export function* lintSteps(
  tools: readonly Tool[],
  clients: readonly LintClient[],
): Generator<readonly LintFinding[]> {
  const wanted = new Set(clients)
  const rules = lintRules.flatMap(rule => {
    const concerned = (Object.keys(rule.sources) as LintClient[]).filter(client => wanted.has(client))
    return concerned.length === 0 ? [] : [{ rule, concerned }]
  })
  const context = createContext(tools)
  yield rules.flatMap(({ rule, concerned }) =>
    rule.scope === 'catalog' ? rule.check(context).map(fault => toFinding(rule, concerned, fault)) : [],
  )
  for (const tool of tools) {
    const view = viewOf(tool)
    const findings = rules.flatMap(({ rule, concerned }) =>
      rule.scope === 'tool'
        ? rule.check(view, context).map(fault => toFinding(rule, concerned, fault, tool))
        : [],
    )
    // The sort is stable: within a severity the order of the rules stays.
    yield findings.sort(
      (left, right) => lintSeverities.indexOf(left.severity) - lintSeverities.indexOf(right.severity),
    )
  }
}

/** A tool's schemas, taken apart for the rules. */
function viewOf(tool: Tool): ToolView {
  const { nodes, truncated } = schemaNodes(tool.inputSchema)
  return { tool, nodes, truncated, references: referencesOf(tool.inputSchema, nodes) }
}

function createContext(tools: readonly Tool[]): LintContext {
  const seen = new Map<string, number>()
  const earlier = new Map<Tool, readonly [number, number]>()
  for (const tool of tools) {
    const own = JSON.stringify([tool.source, tool.name])
    const all = JSON.stringify([tool.name])
    earlier.set(tool, [seen.get(own) ?? 0, seen.get(all) ?? 0])
    seen.set(own, (seen.get(own) ?? 0) + 1)
    seen.set(all, (seen.get(all) ?? 0) + 1)
  }
  return {
    tools,
    earlierInSource: tool => earlier.get(tool)?.[0] ?? 0,
    earlier: tool => earlier.get(tool)?.[1] ?? 0,
  }
}

function toFinding(rule: LintRule, clients: readonly LintClient[], fault: Fault, tool?: Tool): LintFinding {
  const place = tool === undefined ? {} : { ref: tool.ref, name: tool.name }
  return { rule: rule.id, severity: rule.severity, clients, ...place, ...fault }
}
