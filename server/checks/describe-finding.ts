/** Describes what generated checks found: one input, or several calls that end a server together. */
import { writeExample } from '../../core/checks/example.ts'
import type { GeneratedFinding } from '../../core/checks/generated-checks.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { toolscopeCall } from '../../core/prompt/copy-as.ts'
import { visibleLine } from '../../core/report/report-text.ts'
import { fingerprint } from '../../core/text/fingerprint.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { counted, shorten } from '../../core/text/wording.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { DeathCause } from './death-cause.ts'
import type { GeneratedOutcome } from './generated-calls.ts'
import type { ToolPlan } from './plan-generated-checks.ts'

export interface FindingFacts {
  /** Inputs of the run that fail alike. */
  readonly count: number
  readonly notes: readonly string[]
  readonly isSmallest?: boolean
}

interface FindingContext {
  readonly catalog: Catalog
  readonly seed: number
}

/** The assessment of the last of several calls that ended the server together. */
export const rowDeath: GeneratedOutcome['assessment'] = {
  verdict: 'crash',
  message: 'The server ended during this call or after it.',
  cause: 'crash during several calls',
}

/** Returns undefined if the outcome is not a failure. */
export function describeFinding(
  { tool }: ToolPlan,
  { planned, assessment: { verdict, message, cause } }: GeneratedOutcome,
  { count, notes, isSmallest = false }: FindingFacts,
  { catalog }: FindingContext,
): GeneratedFinding | undefined {
  if (verdict === 'ok' || verdict === 'not-tested') return undefined
  const { input, kind, why, constraint, field, note } = planned
  const inputText = writeJson(input, 0)
  const id = fingerprint([tool.ref, cause])
  const source = catalog.sources.list().find(({ name }) => name === tool.source)
  const words = ['toolscope', 'call', tool.ref, '--input', inputText]
  const line = source && toolscopeCall({ tool, source, input: inputText, variables: {}, origin: '' })
  const alsoBreaks = planned.alsoBreaks.map(other => `The input also breaks ${other}.`)
  const finding = {
    id,
    ref: tool.ref,
    verdict,
    kind,
    message,
    why,
    constraint,
    field,
    inputText,
    isSmallest,
    count,
    shellLine: line ?? formatShellCommand(words),
    notes: [...notes, ...(note === undefined ? [] : [note]), ...alsoBreaks],
  }
  // A saved example would send the value of the variable.
  return inputText.includes('${env:') ? finding : { ...finding, exampleText: toExampleText(finding, input) }
}

const repeatTexts: Readonly<Record<Extract<DeathCause, { type: 'calls' }>['repeats'], string>> = {
  'each time': 'It ended again each time that this was repeated.',
  sometimes: 'It ended again when this was repeated, but not each time.',
  never: 'It did not end when this was repeated.',
}

/** Describes calls of which none ends the server alone. @param count how often it ended in the run */
export function describeRow(
  plan: ToolPlan,
  { calls, sinceStart, repeats, isSmallest }: Extract<DeathCause, { type: 'calls' }>,
  count: number,
  context: FindingContext,
): GeneratedFinding | undefined {
  const last = calls.at(-1)
  if (last === undefined) return undefined
  const notes = [repeatTexts[repeats]]
  if (repeats === 'each time' && isSmallest) notes.push('It survives if one of them is left out.')
  if (repeats === 'never' && sinceStart > calls.length)
    notes.push(`They are the last of ${sinceStart} calls since the start of the server.`)
  if (count > 1) notes.push(`The server ended ${count} times in this run.`)
  const facts = { count: 1, notes, isSmallest: isSmallest && repeats === 'each time' }
  const about = calls.length === 1 ? last.plan : plan
  const described = describeFinding(about, { ...last, assessment: rowDeath }, facts, context)
  if (described === undefined || calls.length === 1) return described
  const { exampleText: _, ...finding } = described
  const { source, name } = plan.tool
  const argument = context.catalog.sources.list().find(each => each.name === source)?.argument ?? source
  const words = ['toolscope', 'check', '--generate', argument, '--tool', name, '--seed', String(context.seed)]
  return {
    ...finding,
    why: 'No call was found that ends the server alone.',
    message: `The server ended during these ${counted(calls.length, 'call')}, which were made in this order.`,
    // That of the last input would blame it.
    constraint: { pointer: '', keyword: 'type', value: 'object' },
    field: '',
    calls: calls.map(call => ({ ref: call.plan.tool.ref, inputText: writeJson(call.planned.input, 0) })),
    // Each call from a shell starts a server.
    shellLine: formatShellCommand(words),
  }
}

function toExampleText(
  { id, verdict, kind, field, constraint, message, why }: Omit<GeneratedFinding, 'exampleText'>,
  input: Json,
): string {
  const name = shorten(visibleLine(`${verdict} ${field || '/'} ${constraint.keyword}`), 180)
  return writeExample({
    name: `${name} ${id}`,
    note: shorten(`Found by generated checks. ${why} ${message}`, 1_000),
    input,
    expect: kind === 'valid' ? { accepts: true } : { refuses: field },
  })
}
