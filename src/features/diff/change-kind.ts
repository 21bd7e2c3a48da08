import type { Change, Direction } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'

/** The kinds that the counts at the top distinguish (the severity of a change and its verdict), with their names. */
export const kindLabels = {
  breaking: 'breaking',
  dangerous: 'dangerous',
  warning: 'warnings',
  proved: 'compatible, proved',
  undecided: 'undecided',
  info: 'other',
} as const

export type ChangeKind = keyof typeof kindLabels

export const changeKinds = Object.keys(kindLabels) as readonly ChangeKind[]

export const directionLabels = {
  input: 'Input',
  output: 'Output',
  text: 'Text',
  annotation: 'Annotations',
  tool: 'Tools',
} as const satisfies Record<Direction, string>

export const directions = Object.keys(directionLabels) as readonly Direction[]

/** The worst comes first. */
export function rankOf(change: Change): number {
  return severities.indexOf(change.severity)
}

/** Neither proved nor refuted, in the one or the other sense. Counted as in the report. */
export function isUndecided({ strict, declared }: Change): boolean {
  return strict === 'unknown' || declared === 'unknown'
}

/** Compatible by proof for every caller. Counted as in the report. */
export function isProved({ strict }: Change): boolean {
  return strict === 'proved'
}

/** Every kind that a change counts as; at least one. */
export function kindsOf(change: Change): readonly ChangeKind[] {
  const kinds: ChangeKind[] = []
  if (change.severity !== 'info') kinds.push(change.severity)
  if (isProved(change)) kinds.push('proved')
  if (isUndecided(change)) kinds.push('undecided')
  return kinds.length > 0 ? kinds : ['info']
}
