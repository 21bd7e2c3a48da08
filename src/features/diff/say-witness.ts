import type { Direction, Witness } from '../../../core/diff/change.ts'

export interface WitnessWords {
  readonly title: string
  /** Who refuses it, where and why. */
  readonly refusal: string
  /** Whether somebody is harmed: the other two ways round only tell what is new. */
  readonly breaks: boolean
}

/** A witness in words. Inputs break when the new side refuses them, outputs when the old side does. */
export function sayWitness(direction: Direction, { acceptedBy, path, error }: Witness): WitnessWords {
  const refusing = acceptedBy === 'before' ? 'new' : 'old'
  const refusal = `${refusing} schema: ${path === '' ? 'the value' : path} ${error}`
  if (direction === 'output')
    return acceptedBy === 'after'
      ? { title: 'An answer that is new and that an old reader refuses', refusal, breaks: true }
      : { title: 'An answer that came before and comes no more', refusal, breaks: false }
  return acceptedBy === 'before'
    ? { title: 'A call that worked before and fails now', refusal, breaks: true }
    : { title: 'A call that failed before and works now', refusal, breaks: false }
}
