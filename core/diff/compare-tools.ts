/** Compares one tool before and after: returns every change, without severities. */

import type { Budget } from '../compat/proof-limits.ts'
import { jsonEquals } from '../json/equality.ts'
import { withoutUndefined } from '../json/json.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import type { UnratedChange } from './rate-change.ts'
import { toolDiffRules } from './rules/tool-rules.ts'
import { type ComparedCause, compareSchemas, type SchemaComparison } from './schema/compare-schemas.ts'
import { decideContainment } from './schema/containment.ts'

type SchemaDirection = 'input' | 'output'

/**
 * @param tool the tool's name in the report
 * @param unread why an input schema could not be read, as a sentence: the two are not compared then
 */
export function compareTools(
  before: ManifestTool,
  after: ManifestTool,
  tool: string,
  budget: Budget,
  unread?: string,
): UnratedChange[] {
  const unrated: UnratedChange[] = toolDiffRules.flatMap(rule =>
    rule.find(before, after).map(finding => ({ ...finding, tool, showWords: finding.direction === 'text' })),
  )
  unrated.push(
    ...(unread === undefined
      ? compare(before.inputSchema, after.inputSchema, 'input', tool, budget)
      : [unreadInput(unread, tool)]),
  )
  if (before.outputSchema !== undefined && after.outputSchema !== undefined)
    unrated.push(...compare(before.outputSchema, after.outputSchema, 'output', tool, budget))
  if (before.outputSchema !== undefined && after.outputSchema === undefined)
    unrated.push(removedOutput(before.outputSchema, tool, budget))
  return unrated
}

/** Nothing is known about inputs that a schema refuses which could not be read. */
const unreadInput = (message: string, tool: string): UnratedChange => ({
  rule: 'schema-invalid',
  direction: 'input',
  tool,
  path: '',
  message,
  strict: 'unknown',
  declared: 'unknown',
  reason: 'an input schema could not be read',
})

/** Without an output schema a tool may return any object: that counts like the removal of all declared fields. */
function removedOutput(outer: JsonSchema, tool: string, budget: Budget): UnratedChange {
  const question = { inner: [{ type: 'object' }], outer, direction: 'output', budget } as const
  const { witness, ...verdicts } = decideContainment(question)
  return {
    rule: 'output-schema-removed',
    direction: 'output',
    tool,
    path: '',
    message: 'output schema removed: callers no longer know the shape of the result',
    before: outer,
    ...verdicts,
    ...(witness ? { witness: { ...witness, acceptedBy: 'after' } } : {}),
  }
}

function compare(
  before: ManifestTool['inputSchema'],
  after: ManifestTool['inputSchema'],
  direction: SchemaDirection,
  tool: string,
  budget: Budget,
): UnratedChange[] {
  if (jsonEquals(before, after)) return []
  try {
    const comparison = compareSchemas(before, after, direction, budget)
    return [
      ...comparison.causes.map(cause => changeOfCause(cause, direction, tool)),
      ...changesOfWhole(comparison, { before, after }, direction, tool),
    ]
  } catch (thrown) {
    // Schemas nested thousands deep overflow the stack before they reach one of our limits.
    if (!(thrown instanceof RangeError)) throw thrown
    const reason = 'the schema is nested too deep'
    return changesOfWhole(
      { causes: [], whole: { strict: 'unknown', declared: 'unknown', reason } },
      { before, after },
      direction,
      tool,
    )
  }
}

function changeOfCause(cause: ComparedCause, direction: SchemaDirection, tool: string): UnratedChange {
  const { rule, message, path, alsoAt, before, after, noise, text, containment, witness } = cause
  const { parts, breaksWith, refusedAt, formatWitness } = cause
  const isText = rule.startsWith('part-')
  return {
    rule,
    message: direction === 'output' && isText ? `output ${message}` : message,
    path,
    tool,
    direction: isText ? 'text' : direction,
    ...withoutUndefined({ alsoAt, before, after, refusedAt, parts, breaksWith, formatWitness }),
    ...(noise ? { noise } : {}),
    ...(text ? { text, showWords: isText } : {}),
    ...containment,
    ...(witness ? { witness } : {}),
  }
}

/** Returns changes for the whole schema: for what the causes don't account for, or if no cause was found. */
function changesOfWhole(
  { causes, whole, rest }: SchemaComparison,
  sides: { readonly before: unknown; readonly after: unknown },
  direction: SchemaDirection,
  tool: string,
): UnratedChange[] {
  const change = { direction, tool, path: '', ...whole }
  if (whole.strict === 'invalid') {
    const reason = whole.reason ?? 'it breaks its meta-schema'
    const message = `one of the two ${direction} schemas is not valid: ${reason}`
    return [{ ...change, rule: 'schema-invalid', message }]
  }
  if (rest?.witness) {
    const verb = direction === 'input' ? 'rejected now' : 'given now that were not allowed before'
    const noun = direction === 'input' ? 'inputs that were valid' : 'outputs'
    const message = `${noun} are ${verb}, by no single change: ${rest.reason}`
    return [{ ...change, rule: 'schema-changed', message, ...sides, witness: rest.witness }]
  }
  const isOpen = whole.strict === 'unknown' && causes.every(({ containment }) => hasNoFault(containment))
  if (rest !== undefined || isOpen) {
    const reason = rest?.reason ?? whole.reason
    const message = `the ${direction} schema changed; not every effect was decided`
    const verdicts = {
      strict: 'unknown',
      declared: 'unknown',
      ...(reason === undefined ? {} : { reason }),
    } as const
    return [{ direction, tool, path: '', ...verdicts, rule: 'schema-changed', message, ...sides }]
  }
  // The meaning is the same (an unused definition, an inlined reference): only the generator wrote it differently.
  if (causes.length === 0) {
    const message = `the ${direction} schema is written differently`
    return [{ ...change, rule: 'generator-form', message, noise: true }]
  }
  return []
}

const hasNoFault = (containment: ComparedCause['containment']) =>
  containment === undefined || containment.strict === 'proved'
