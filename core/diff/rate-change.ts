/** Gives a change its severity and its fingerprint. */

import { fingerprint } from '../report/fingerprint.ts'
import { readTextChange, type ToolNames } from '../text/text-change.ts'
import type { Change, Severity } from './change.ts'
import { type SeverityOptions, severityOf } from './severity.ts'

export interface UnratedChange extends Omit<Change, 'fingerprint' | 'severity' | 'cues' | 'words'> {
  /** Words that a model reads, before and after; word runs are shown where `showWords` is set. */
  readonly text?: { readonly before: string; readonly after: string }
  readonly showWords?: boolean
  /** Written by a generator: folded with its like. */
  readonly noise?: boolean
}

export interface RatingOptions extends SeverityOptions {
  readonly names: ToolNames
}

/** `undefined` where the rules file switches the rule off. */
export function rateChange(draft: UnratedChange, { names, ...options }: RatingOptions): Change | undefined {
  const { text, showWords, noise: _, ...change } = draft
  const reading = text && readTextChange(text.before, text.after, names, change.tool)
  const cues = reading?.cues ?? []
  const hasDangerousCue = cues.some(cue => cue.isDangerous)
  const severity = severityOf({ ...change, hasDangerousCue }, options)
  if (severity === 'off') return undefined
  return {
    fingerprint: fingerprintOf(draft),
    ...change,
    severity,
    message: withScope(change, severity),
    ...(cues.length > 0 ? { cues: cues.map(cue => cue.text) } : {}),
    ...(reading && showWords ? { words: reading.words } : {}),
  }
}

/** Tool, rule, direction, path, and what changed; neither verdicts nor how many other tools share it. */
function fingerprintOf(draft: UnratedChange): string {
  const { tool, rule, direction, path, before, after } = draft
  return fingerprint([tool, rule, direction, path, before, after])
}

function withScope(
  { message, strict, declared, direction }: Omit<UnratedChange, 'text'>,
  severity: Severity,
): string {
  if (strict !== 'refuted' || declared !== 'proved' || severity === 'breaking') return message
  return direction === 'output'
    ? `${message}; breaking only for consumers that do not ignore undeclared fields`
    : `${message}; breaking only for callers that send undeclared fields`
}
