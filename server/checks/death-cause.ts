/** Finds what ended a server: one input, or several calls in a row. An input is blamed only if it ends a fresh server alone. */
import { type GeneratedCalls, type GeneratedOutcome, type LoggedCall, lateDeath } from './generated-calls.ts'
import type { ToolPlan } from './plan-generated-checks.ts'

export type DeathCause =
  /** The input ends a server that was just started, during its call or after the answer. */
  | { readonly type: 'input'; readonly plan: ToolPlan; readonly outcome: GeneratedOutcome }
  /** No call was found that ends the server alone. */
  | {
      readonly type: 'calls'
      readonly calls: readonly LoggedCall[]
      /** All calls since the start of the server, of which these are the last ones or a part. */
      readonly sinceStart: number
      /** How often the server ended again when they were made again. */
      readonly repeats: 'each time' | 'sometimes' | 'never'
      /** Whether the server survives if one of them is left out. */
      readonly isSmallest: boolean
    }
  /** It did not end again, and there is only one call or no way to start it again. */
  | { readonly type: 'once' }

export interface ServerDeath {
  /** The inputs during whose calls the server ended; empty if it ended between calls. */
  readonly crashed: readonly LoggedCall[]
  /** The calls since a start of the server until it ended, in their order. */
  readonly calls: readonly LoggedCall[]
  /** Returns whether the budget allows so many calls. */
  readonly canSend: (count: number) => boolean
}

/** Inputs that are repeated alone, of those during which the server ended, and of those before. */
const maxCrashed = 3
const maxSuspects = 6
/** How often a fresh server must end for an input to be blamed: one that ends at random rarely does so again. */
const timesAlone = 2
/** Calls that are repeated in a row, and calls of all rows that are tried to leave some of them out. */
const maxRow = 200
const maxReplayed = 400
/** Pings after an input that ended the server during its call, and after one that is suspected: a server may end late. */
const pings = { crashed: 2, suspect: 20 } as const

/** Returns undefined if the run is over before the cause is known. */
export async function findDeathCause(
  run: GeneratedCalls,
  { crashed, calls, canSend }: ServerDeath,
): Promise<DeathCause | undefined> {
  const [first = calls.at(-1)] = crashed
  if (first === undefined) return undefined
  const isTried = (call: LoggedCall) => crashed.some(({ planned }) => planned === call.planned)
  const before = calls.filter(call => !isTried(call)).toReversed()
  const earlier = [
    ...before.filter(({ planned }) => planned.kind === 'invalid'),
    ...before.filter(({ planned }) => planned.kind === 'valid'),
  ]
  let canStart = true
  const tryAlone = async (
    { plan, planned }: LoggedCall,
    count: number,
  ): Promise<Extract<DeathCause, { type: 'input' }> | undefined> => {
    let outcome: GeneratedOutcome | undefined
    for (let time = 0; time < timesAlone; time++) {
      canStart = await run.startAgain(plan)
      if (run.isOver) return undefined
      outcome = await run.send(plan, planned)
      if (outcome.assessment.verdict === 'crash') continue
      if (!(await run.endsSoon(plan, count))) return undefined
      outcome = { ...outcome, assessment: lateDeath }
    }
    return outcome && { type: 'input', plan, outcome }
  }
  for (const [suspects, count] of [
    [crashed.slice(0, maxCrashed), pings.crashed],
    [earlier.slice(0, maxSuspects), pings.suspect],
  ] as const)
    for (const call of suspects) {
      const cause = await tryAlone(call, count)
      if (cause !== undefined) return cause
      if (run.isOver) return undefined
    }
  const row = calls.slice(-maxRow)
  if (!canStart || row.length < 2) return { type: 'once' }
  const replay = async (candidate: readonly LoggedCall[], count: number) =>
    canSend(candidate.length) ? endsDuring(run, candidate, count) : undefined
  const again = await replay(row, pings.suspect)
  if (run.isEnded) return undefined
  const sinceStart = calls.length
  if (again === undefined)
    return { type: 'calls', calls: row, sinceStart, repeats: 'never', isSmallest: false }
  // A server that ends during the same call again does so without delay.
  const isPrompt = crashed.length > 0 && again.length === row.length
  const count = isPrompt ? pings.crashed : pings.suspect
  const fewer = await leaveOutCalls(again, candidate => replay(candidate, count))
  const [only] = fewer.calls
  const cause = only === undefined || fewer.calls.length > 1 ? undefined : await tryAlone(only, pings.suspect)
  if (cause !== undefined) return cause
  const isSteady = (await replay(fewer.calls, count)) !== undefined
  if (run.isEnded) return undefined
  return { type: 'calls', sinceStart, repeats: isSteady ? 'each time' : 'sometimes', ...fewer }
}

/** Makes calls in a row on a fresh server. Returns those until it ended; undefined if it did not end. */
async function endsDuring(
  run: GeneratedCalls,
  row: readonly LoggedCall[],
  count: number,
): Promise<readonly LoggedCall[] | undefined> {
  const [first] = row
  if (first === undefined || !(await run.startAgain(first.plan))) return undefined
  let life: string | undefined
  for (const [index, { plan, planned }] of row.entries()) {
    const sent = await run.send(plan, planned)
    if (sent.isCut === true) return undefined
    // It ended after the call before if another process answers.
    if (life !== undefined && sent.life !== life) return row.slice(0, index)
    if (sent.assessment.verdict === 'crash') return row.slice(0, index + 1)
    life = sent.life
  }
  return (await run.endsSoon(first.plan, count)) ? row : undefined
}

/** Leaves out halves, quarters and so on of the calls, as long as the server still ends. */
async function leaveOutCalls(
  row: readonly LoggedCall[],
  replay: (candidate: readonly LoggedCall[]) => Promise<readonly LoggedCall[] | undefined>,
): Promise<{ readonly calls: readonly LoggedCall[]; readonly isSmallest: boolean }> {
  let calls = row
  let sent = 0
  let start = 0
  for (let size = Math.ceil(calls.length / 2); size > 0 && calls.length > 1; ) {
    const candidate = [...calls.slice(0, start), ...calls.slice(start + size)]
    sent += candidate.length
    if (sent > maxReplayed) return { calls, isSmallest: false }
    const shorter = await replay(candidate)
    if (shorter === undefined) start += size
    else {
      calls = shorter
      start = 0
    }
    if (start < calls.length) size = Math.min(size, Math.ceil(calls.length / 2))
    else {
      size = Math.floor(size / 2)
      start = 0
    }
  }
  return { calls, isSmallest: true }
}
