/** The lines of a report: each cause by itself, and causes that break only together as one line. */

import { isObject, own } from '../../json/json.ts'
import { pointerSegments } from '../../json/pointer.ts'
import type { ChangePart } from '../change.ts'
import type { Combination, Combinations } from './combinations.ts'
import type { Containment, RefusedValue } from './containment.ts'
import type { Cause } from './walk-pair.ts'

/** Leaves out verdicts that would be wrong because the change breaks together with others. */
export type Claims = Omit<Containment, 'strict' | 'declared'> &
  Partial<Pick<Containment, 'strict' | 'declared'>>

export interface DecidedCause {
  readonly cause: Cause
  /** The changes that the claims are about, if there are more than the cause itself. */
  readonly set?: readonly Cause[]
  /** Absent if validators ignore what changed. */
  readonly containment?: Claims
  /** The other changes that break only together with this one. */
  readonly parts?: readonly ChangePart[]
  /** The combined changes that include this one. */
  readonly breaksWith?: readonly string[]
}

/**
 * A combination takes the line of the cause at which its witness fails. A cause in a combination makes no claim of its
 * own that contradicts the combination.
 *
 * @param own what each cause with edits breaks by itself
 */
export function combineCauses(
  causes: readonly Cause[],
  own: ReadonlyMap<Cause, Containment>,
  { found, incomplete }: Combinations,
): DecidedCause[] {
  const lines = found.map(combination => ({ ...combination, main: pickMainCause(combination) }))
  return causes.flatMap(cause => {
    const containment = own.get(cause)
    if (containment === undefined) return [{ cause }]
    const led = lines.filter(line => line.main === cause)
    const single = led.find(line => line.causes.length === 1)
    if (single) return [{ cause, containment: single.containment }]
    const others = lines.filter(line => line.main !== cause && line.causes.includes(cause))
    // The cause's own break gets a line unless only senders of undeclared fields are affected.
    const isOwn = led.length === 0 || containment.declared !== 'proved'
    return [
      ...(isOwn ? [ownLine(cause, containment, others, incomplete !== undefined)] : []),
      ...led.map(combined),
    ]
  })
}

interface Line extends Combination {
  readonly main: Cause
}

function ownLine(
  cause: Cause,
  containment: Containment,
  combined: readonly Line[],
  isIncomplete: boolean,
): DecidedCause {
  const { strict, declared, reason, witness } = containment
  if (combined.length > 0) {
    const isDenied = combined.some(line => line.containment.declared === 'refuted')
    const claims: Claims = {
      ...(strict === 'proved' ? {} : { strict, ...(witness && { witness }) }),
      ...(declared === 'proved' && isDenied ? {} : { declared }),
    }
    return {
      cause,
      containment: claims,
      breaksWith: combined.map(({ main, causes }) => joinMessages(main, causes)),
    }
  }
  if (!isIncomplete || (strict !== 'proved' && declared !== 'proved')) return { cause, containment }
  const undecided = (verdict: Containment['strict']) => (verdict === 'proved' ? 'unknown' : verdict)
  return {
    cause,
    containment: {
      strict: undecided(strict),
      declared: undecided(declared),
      reason: `decided for this change without the others${reason === undefined ? '' : ` (${reason})`}`,
      ...(witness && { witness }),
    },
  }
}

function combined({ main, causes, containment }: Line): DecidedCause {
  const parts = causes.filter(cause => cause !== main).map(toChangePart)
  return { cause: main, set: causes, containment, parts }
}

function toChangePart({ rule, path, message, brief = message, before, after }: Cause): ChangePart {
  return {
    rule,
    path,
    message: brief,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  }
}

function joinMessages(main: Cause, causes: readonly Cause[]): string {
  const parts = causes.filter(cause => cause !== main).map(({ message, brief = message }) => brief)
  return `${main.path} ${[main.message, ...parts].join('; ')}`.trim()
}

/** Returns the cause whose property the witness still sends, else the cause nearest to the failing location. */
function pickMainCause({ causes, containment: { witness } }: Combination): Cause {
  const scored = causes.map(cause => ({ cause, score: witness ? scoreCause(cause, witness) : 0 }))
  const [best] = scored.toSorted((a, b) => b.score - a.score)
  if (best === undefined) throw new Error('a combination has causes')
  return best.cause
}

const namesProperty: ReadonlySet<string> = new Set(['property-removed', 'property-renamed'])

function scoreCause({ rule, path, alsoAt = [] }: Cause, { value, path: failing }: RefusedValue): number {
  const depths = [path, ...alsoAt].map(each => {
    const steps = pointerSegments(each)
    if (namesProperty.has(rule) && holds(value, steps)) return 1_000 + steps.length
    return isWithin(pointerSegments(failing), steps) ? 1 + steps.length : 0
  })
  return Math.max(...depths)
}

/** Whether a value exists at these steps; `*` means any item or property. */
function holds(value: unknown, steps: readonly string[]): boolean {
  const [step, ...rest] = steps
  if (step === undefined) return true
  if (step === '*') {
    const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
    return inner.some(each => holds(each, rest))
  }
  if (Array.isArray(value)) return Number(step) < value.length && holds(value[Number(step)], rest)
  return isObject(value) && Object.hasOwn(value, step) && holds(own(value, step), rest)
}

/** Whether the steps of `path` begin with those of `start`. */
function isWithin(path: readonly string[], start: readonly string[]): boolean {
  return start.every((step, at) => step === '*' || step === path[at])
}
