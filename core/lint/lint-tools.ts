/** Runs the portability rules over a catalog's tools. */

import { finish, type Slices } from '../slices.ts'
import { authorName } from '../tool/function-extra.ts'
import type { Tool } from '../tool/tool.ts'
import {
  defaultLintClients,
  type Fault,
  type LintClient,
  type LintFinding,
  lintSeverities,
} from './lint-finding.ts'
import { findReferences } from './references.ts'
import type { LintContext, LintRule } from './rule.ts'
import { lintRules } from './rules.ts'
import { schemaNodes } from './schema-nodes.ts'

/**
 * Returns what the named clients would refuse or change: first findings about the whole catalog, then by tool in the
 * given order; within a tool the worst first, then in the order of the rules. The same tools give the same list. Never
 * throws for any data of a source.
 */
export function lintTools(tools: readonly Tool[], clients: readonly LintClient[]): readonly LintFinding[] {
  return finish(lintToolsInSteps(tools, clients))
}

/**
 * Returns the errors and warnings of one tool, as `lintTools` finds them for the clients of the default. Omits what only
 * other tools show, such as a name that another tool has too. Prompts and resources have none, because no model API
 * receives them.
 */
export function listWarnings(tool: Tool): readonly LintFinding[] {
  if (tool.kind !== undefined) return []
  return lintTools([tool], defaultLintClients).filter(({ severity }) => severity !== 'info')
}

const warningCounts = new WeakMap<Tool, number>()

/** Returns the number of `listWarnings`. Checks a tool once, because lists of tools ask again and again. */
export function countWarnings(tool: Tool): number {
  const count = warningCounts.get(tool) ?? listWarnings(tool).length
  warningCounts.set(tool, count)
  return count
}

/** Does the same as `lintTools`, in steps. */
export function* lintToolsInSteps(
  tools: readonly Tool[],
  clients: readonly LintClient[],
): Slices<readonly LintFinding[]> {
  const wanted = new Set(clients)
  const rules = lintRules.flatMap(rule => {
    const concerned = (Object.keys(rule.sources) as LintClient[]).filter(client => wanted.has(client))
    return concerned.length === 0 ? [] : [{ rule, concerned }]
  })
  const context = yield* createContext(tools)
  const all = rules.flatMap(({ rule, concerned }) =>
    'checkCatalog' in rule ? rule.checkCatalog(context).map(fault => toFinding(rule, concerned, fault)) : [],
  )
  yield
  for (const tool of tools) {
    const { nodes, truncated } = schemaNodes(tool.inputSchema)
    // Toolscope builds the full name, so the author is not responsible for it.
    const view = {
      tool: { ...tool, name: authorName(tool) },
      nodes,
      truncated,
      references: findReferences(tool.inputSchema, nodes),
    }
    const findings = rules.flatMap(({ rule, concerned }) =>
      'checkTool' in rule
        ? rule.checkTool(view, context).map(fault => toFinding(rule, concerned, fault, tool))
        : [],
    )
    // The sort is stable: within a severity, the order of the rules stays.
    findings.sort(
      (left, right) => lintSeverities.indexOf(left.severity) - lintSeverities.indexOf(right.severity),
    )
    for (const finding of findings) all.push(finding)
    yield
  }
  return all
}

function* createContext(tools: readonly Tool[]): Slices<LintContext> {
  const seen = new Map<string, number>()
  const earlier = new Map<string, readonly [number, number]>()
  for (const tool of tools) {
    // An agent's functions are sent without those of other agents.
    const names = [tool.extra?.agentName, authorName(tool)]
    const own = JSON.stringify([tool.source, ...names])
    const all = JSON.stringify(names)
    earlier.set(tool.ref, [seen.get(own) ?? 0, seen.get(all) ?? 0])
    seen.set(own, (seen.get(own) ?? 0) + 1)
    seen.set(all, (seen.get(all) ?? 0) + 1)
    yield
  }
  return {
    tools,
    countEarlierInSource: tool => earlier.get(tool.ref)?.[0] ?? 0,
    countEarlier: tool => earlier.get(tool.ref)?.[1] ?? 0,
  }
}

function toFinding(rule: LintRule, clients: readonly LintClient[], fault: Fault, tool?: Tool): LintFinding {
  const address = tool === undefined ? {} : { ref: tool.ref, name: tool.name }
  return { rule: rule.id, severity: rule.severity, clients, ...address, ...fault }
}
