/** A change before severity and fingerprint, and how it gets them. */
import type { Change, Severity } from './change.ts'
import { fingerprint } from './fingerprint.ts'
import { type Overrides, severityOf } from './severity.ts'
import { readTextChange, type ToolNames } from './text/text-change.ts'

export interface DraftChange extends Omit<Change, 'fingerprint' | 'severity' | 'cues' | 'words'> {
  /** Words that a model reads, before and after; word runs are shown where `showWords` is set. */
  readonly text?: { readonly before: string; readonly after: string }
  readonly showWords?: boolean
  /** Written by a generator: folded with its like. */
  readonly noise?: boolean
}

export interface Settling {
  readonly overrides: Overrides
  readonly names: ToolNames
}

/** `undefined` where the rules file switches the rule off. */
export function settle(draft: DraftChange, { overrides, names }: Settling): Change | undefined {
  const { text, showWords, noise: _, ...change } = draft
  const reading = text && readTextChange(text.before, text.after, names, change.tool)
  const cues = reading?.cues ?? []
  const severity = severityOf({ ...change, cues }, overrides)
  if (severity === 'off') return undefined
  return {
    fingerprint: fingerprintOf(draft),
    ...change,
    severity,
    message: withScope(change, severity),
    ...(cues.length > 0 ? { cues } : {}),
    ...(reading && showWords ? { words: reading.words } : {}),
  }
}

/** Tool, rule, direction, path, and what changed; neither verdicts nor how many other tools share it. */
export function fingerprintOf(draft: DraftChange): string {
  const { tool, rule, direction, path, before, after } = draft
  return fingerprint([tool, rule, direction, path, before, after])
}

function withScope(
  { message, strict, declared, direction }: Omit<DraftChange, 'text'>,
  severity: Severity,
): string {
  if (strict !== 'refuted' || declared !== 'proved' || severity === 'breaking') return message
  return direction === 'output'
    ? `${message}; breaking only for tools that return undeclared fields`
    : `${message}; breaking only for callers that send undeclared fields`
}
