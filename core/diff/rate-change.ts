/** Gives a change its severity and its fingerprint. */

import { canonicalJson } from '../json/equality.ts'
import type { Change, Severity } from './change.ts'
import { type Overrides, severityOf } from './severity.ts'
import { readTextChange, type ToolNames } from './text/text-change.ts'

export interface UnratedChange extends Omit<Change, 'fingerprint' | 'severity' | 'cues' | 'words'> {
  /** Words that a model reads, before and after; word runs are shown where `showWords` is set. */
  readonly text?: { readonly before: string; readonly after: string }
  readonly showWords?: boolean
  /** Written by a generator: folded with its like. */
  readonly noise?: boolean
}

export interface RatingOptions {
  readonly overrides: Overrides
  readonly names: ToolNames
}

/** `undefined` where the rules file switches the rule off. */
export function rateChange(draft: UnratedChange, { overrides, names }: RatingOptions): Change | undefined {
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
export function fingerprintOf(draft: UnratedChange): string {
  const { tool, rule, direction, path, before, after } = draft
  return fingerprint([tool, rule, direction, path, before, after])
}

function withScope(
  { message, strict, declared, direction }: Omit<UnratedChange, 'text'>,
  severity: Severity,
): string {
  if (strict !== 'refuted' || declared !== 'proved' || severity === 'breaking') return message
  return direction === 'output'
    ? `${message}; breaking only for tools that return undeclared fields`
    : `${message}; breaking only for callers that send undeclared fields`
}

const maxCharacters = 20_000
const maxDepth = 60

/** Eight hex digits of FNV-1a over the parts, in order; object members in any order count the same. */
export function fingerprint(parts: readonly unknown[]): string {
  const texts = parts.map(part => (part === undefined ? '-' : canonicalJson(part, maxDepth - 1)))
  const text = `[${texts.join(',')}]`.slice(0, maxCharacters)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}
