/**
 * Decides whether a client that still has a recorded list of tools can go on with a newer one: its recorded inputs and
 * the recorded answers are validated against the newer schemas. Calls nothing.
 */
import type { Change, DiffReport, DiffSide } from '../diff/change.ts'
import { matchTools } from '../diff/match-tools.ts'
import { isObject, jsonText, own } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import { pointerSegments, valueAt } from '../json/pointer.ts'
import type { CheckedExample } from '../report/check-report.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import type { Validation, ValidationIssue } from '../tool/invocation.ts'
import { mask } from '../tool/mask.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import type { RecordedCall } from './recorded-calls.ts'

/**
 * - `works`: the newer list has the tool and accepts the input; the recorded answer fits its output schema
 * - `fails`: the tool is missing, has another name, or refuses the input
 * - `answer`: the recorded answer breaks the newer output schema: the tool answers differently, or breaks its promise
 * - `skipped`: nothing can be decided; `message` says why
 */
export type FrozenStatus = 'works' | 'fails' | 'answer' | 'skipped'

export interface FrozenCall {
  readonly call: RecordedCall
  readonly status: FrozenStatus
  /** One sentence. */
  readonly message: string
  readonly issues: readonly ValidationIssue[]
  /** The changes of the diff that break the call. */
  readonly changes: readonly Change[]
}

export interface FrozenParts {
  readonly calls: readonly RecordedCall[]
  /** The recorded list, the newer one, and the report on the two. */
  readonly before: DiffSide
  readonly after: DiffSide
  readonly report: DiffReport
  validate(schema: JsonSchema, value: unknown): Promise<Validation>
}

/** Returns the calls in their order. */
export async function checkFrozenCalls(parts: FrozenParts): Promise<readonly FrozenCall[]> {
  const { calls, before, after } = parts
  const { pairs } = matchTools(before.tools, after.tools)
  const newer = new Map(pairs.map(([tool, match]) => [tool.name, match]))
  const recorded = new Map(before.tools.map(tool => [tool.name, tool]))
  const checked: FrozenCall[] = []
  for (const call of calls) {
    const tool = recorded.get(call.tool)
    const match = newer.get(call.tool)
    checked.push(
      tool === undefined ? await checkUnlisted(call, parts) : await checkCall(call, tool, match, parts),
    )
  }
  return checked
}

/** The list changed during the recording, or the client called a tool that was never there. */
async function checkUnlisted(call: RecordedCall, { after, validate }: FrozenParts): Promise<FrozenCall> {
  if (call.answer?.isProtocolError === true) return skipped(call, 'it failed when it was recorded')
  const match = after.tools.find(({ name }) => name === call.tool)
  const base = { call, issues: [], changes: [] }
  if (match === undefined) return { ...base, status: 'fails', message: 'the newer list has no such tool' }
  const input = readJson(call.inputText)
  if (!input.ok) return skipped(call, `the recorded input cannot be read: ${input.message}`)
  const sent = input.value ?? {}
  const { issues, ...rest } = withoutMasked(await validate(callerSchema(match.inputSchema), sent), sent)
  if (rest.verdict !== 'invalid') return skipped(call, 'the recorded list does not contain this tool')
  return {
    ...base,
    status: 'fails',
    message: `the input is refused: ${issueText({ ...rest, issues })}`,
    issues,
  }
}

/** The message if a secret of the recording decides about a call. */
const secretMissing = 'a secret was left out of it, so its real value may fit'

/** Keywords whose failure may be due to any part of the value. */
const wholeKeywords: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf', 'not', 'if', 'const', 'enum'])

/**
 * Removes the issues that a masked secret may have caused: the recording has `•••` instead of the value. Without others the
 * verdict is `unchecked`.
 */
function withoutMasked(validation: Validation, value: unknown): Validation {
  if (validation.verdict !== 'invalid') return validation
  const issues = validation.issues.filter(({ path, keyword }) => {
    const part = valueAt(value, pointerSegments(path))
    if (typeof part === 'string') return !part.includes(mask)
    return !wholeKeywords.has(keyword) || !(jsonText(part) ?? mask).includes(mask)
  })
  if (issues.length > 0) return { ...validation, issues }
  return { verdict: 'unchecked', issues: [], note: secretMissing }
}

const skipped = (call: RecordedCall, message: string): FrozenCall => ({
  call,
  status: 'skipped',
  message,
  issues: [],
  changes: [],
})

async function checkCall(
  call: RecordedCall,
  tool: ManifestTool,
  match: ManifestTool | undefined,
  { report, validate }: FrozenParts,
): Promise<FrozenCall> {
  const about = findChanges(report, tool, match)
  const gone = { call, status: 'fails', issues: [] } as const
  if (match === undefined) {
    const changes = about.filter(({ rule }) => rule === 'tool-removed')
    return { ...gone, message: 'the newer list has no such tool', changes }
  }
  if (match.name !== tool.name) {
    const changes = about.filter(({ rule }) => rule === 'tool-renamed')
    return { ...gone, message: `the tool has another name: ${match.name}`, changes }
  }
  const input = readJson(call.inputText)
  if (!input.ok) return skipped(call, `the recorded input cannot be read: ${input.message}`)
  const sent = input.value ?? {}
  const now = withoutMasked(await validate(callerSchema(match.inputSchema), sent), sent)
  if (now.verdict === 'unchecked') return skipped(call, now.note ?? 'the input could not be validated')
  if (now.verdict === 'invalid') {
    const then = await validate(callerSchema(tool.inputSchema), sent)
    if (then.verdict === 'invalid') return skipped(call, 'its input breaks the recorded schema too')
    return {
      call,
      status: 'fails',
      message: `the input is refused: ${issueText(now)}`,
      issues: now.issues,
      changes: pickCauses(about, 'input', now.issues),
    }
  }
  return checkAnswer(call, tool, match, about, validate)
}

async function checkAnswer(
  call: RecordedCall,
  tool: ManifestTool,
  match: ManifestTool,
  about: readonly Change[],
  validate: FrozenParts['validate'],
): Promise<FrozenCall> {
  const message = call.inputText.includes(mask)
    ? 'accepted, apart from the secrets that were left out'
    : 'accepted'
  const works: FrozenCall = { call, status: 'works', message, issues: [], changes: [] }
  const value = readStructured(call)
  if (match.outputSchema === undefined || value === undefined) return works
  const now = withoutMasked(await validate(match.outputSchema, value), value)
  if (now.note === secretMissing) return skipped(call, `its answer cannot be checked: ${secretMissing}`)
  if (now.verdict !== 'invalid') return works
  const then = tool.outputSchema === undefined ? undefined : await validate(tool.outputSchema, value)
  if (then?.verdict === 'invalid') return works
  return {
    call,
    status: 'answer',
    message: `the recorded answer breaks the newer output schema: ${issueText(now)}`,
    issues: now.issues,
    changes: pickCauses(about, 'output', now.issues),
  }
}

/** Returns the JSON of a recorded answer: MCP's `structuredContent`, or what a program printed. */
function readStructured({ answer }: RecordedCall): unknown {
  if (answer === undefined || answer.isProtocolError || answer.status !== undefined) return undefined
  const read = readJson(answer.text)
  if (!read.ok) return undefined
  if (answer.stderr !== undefined) return answer.exitCode === 0 ? read.value : undefined
  return isObject(read.value) && own(read.value, 'isError') !== true
    ? own(read.value, 'structuredContent')
    : undefined
}

const issueText = ({ issues: [issue] }: Validation): string =>
  issue === undefined ? 'the value does not fit' : `${issue.path === '' ? 'it' : issue.path} ${issue.message}`

function findChanges(
  report: DiffReport,
  tool: ManifestTool,
  match: ManifestTool | undefined,
): readonly Change[] {
  const names = [tool.name, ...(match === undefined ? [] : [match.name])]
  const isAbout = (change: Change) => names.some(name => change.tool === name || change.tools?.includes(name))
  // An ignored change breaks the call all the same.
  return [...report.changes, ...report.ignored].filter(isAbout)
}

/**
 * Returns the changes that explain the issues: those at their locations; else those around or below them; else every
 * change of this direction that is not proved compatible.
 */
function pickCauses(
  about: readonly Change[],
  direction: 'input' | 'output',
  issues: readonly ValidationIssue[],
): readonly Change[] {
  const all = about.filter(change => change.direction === direction)
  const able = all.filter(({ strict, declared }) => strict !== 'proved' || declared !== 'proved')
  const candidates = able.length > 0 ? able : all
  const distance = (change: Change) =>
    Math.min(
      ...issues.flatMap(({ path }) => listLocations(change).map(location => measureDistance(location, path))),
    )
  const near = candidates.map(change => ({ change, steps: distance(change) }))
  const nearest = Math.min(...near.map(({ steps }) => steps))
  if (!Number.isFinite(nearest)) return candidates
  return near.filter(({ steps }) => steps === nearest).map(({ change }) => change)
}

const listLocations = ({ path, alsoAt = [], refusedAt = [], parts = [] }: Change): readonly string[] => [
  path,
  ...alsoAt,
  ...refusedAt,
  ...parts.map(part => part.path),
]

/** Steps between a location of a schema, in which `*` is any step, and one of a value; Infinity for separate ones. */
function measureDistance(location: string, path: string): number {
  const [a, b] = [pointerSegments(location), pointerSegments(path)]
  const common = Math.min(a.length, b.length)
  for (let at = 0; at < common; at += 1) if (a[at] !== '*' && a[at] !== b[at]) return Number.POSITIVE_INFINITY
  return Math.abs(a.length - b.length)
}

/** Returns one line for each tool whose calls work, and one for each cause that breaks calls of a tool. */
export function groupFrozenCalls(checked: readonly FrozenCall[]): readonly CheckedExample[] {
  const groups = new Map<string, FrozenCall[]>()
  for (const each of checked) {
    const causes = each.changes.map(({ fingerprint }) => fingerprint)
    const key = JSON.stringify([each.call.tool, each.status, causes.length > 0 ? causes : each.message])
    groups.set(key, [...(groups.get(key) ?? []), each])
  }
  return [...groups.values()].map(group => {
    const [first] = group as [FrozenCall]
    const { status, message, changes } = first
    const causes = changes.map(
      change => ` · ${change.rule}${change.path === '' ? '' : ` at ${change.path}`}: ${change.message}`,
    )
    return {
      ref: first.call.tool,
      name: describeGroup(group),
      status: status === 'works' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
      message: `${message}${causes.join('')}`,
      differences: [],
    }
  })
}

const maxNumbers = 5

function describeGroup(group: readonly FrozenCall[]): string {
  const numbers = group.slice(0, maxNumbers).map(({ call }) => String(call.seq))
  const more = group.length - numbers.length
  const list = [...numbers, ...(more > 0 ? [`${more} more`] : [])]
  return group.length === 1
    ? `call at message ${list[0]}`
    : `${group.length} calls, at messages ${list.slice(0, -1).join(', ')} and ${list.at(-1)}`
}
