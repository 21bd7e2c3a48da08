/** Gives a change its severity and its fingerprint. */

import { readTextChange, type ToolNames } from '../text/cues.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { Change, Severity, Witness } from './change.ts'
import { decideSeverity, type SeverityOptions } from './severity.ts'

export interface UnratedChange extends Omit<Change, 'fingerprint' | 'severity' | 'cues' | 'words'> {
  /** Texts that a model reads, before and after; the report shows word runs if `showWords` is set. */
  readonly text?: { readonly before: string; readonly after: string }
  readonly showWords?: boolean
  /** A value that fails if formats are checked; it becomes the witness if `formats` is `assert`. */
  readonly formatWitness?: Witness
  /** Written by a generator: folded with equal changes. */
  readonly noise?: boolean
}

export interface RatingOptions extends SeverityOptions {
  readonly names: ToolNames
  readonly formats: FormatReading
}

/** Whether `format` refuses values (`assert`) or only describes them (`annotation`). */
export type FormatReading = 'annotation' | 'assert'

/** Returns `undefined` if the rules file switches the rule off. */
export function rateChange(
  draft: UnratedChange,
  { names, formats, ...options }: RatingOptions,
): Change | undefined {
  const {
    text,
    showWords,
    noise: _noise,
    formatWitness: _format,
    ...change
  } = formats === 'assert' ? withFormatWitness(draft) : draft
  const reading = text && readTextChange(text.before, text.after, names, change.tool)
  const cues = reading?.cues ?? []
  const hasDangerousCue = cues.some(cue => cue.isDangerous)
  const failsFormat = formats === 'assert' && draft.formatWitness !== undefined
  const severity = decideSeverity({ ...change, hasDangerousCue, failsFormat }, options)
  if (severity === 'off') return undefined
  return {
    fingerprint: fingerprintChange(draft),
    ...change,
    severity,
    message: withScope(change, severity),
    ...(cues.length > 0 ? { cues: cues.map(cue => cue.text) } : {}),
    ...(reading && showWords ? { words: reading.words } : {}),
  }
}

/** A change must not count as proved if it refuses a value when formats are checked. */
function withFormatWitness(draft: UnratedChange): UnratedChange {
  const { formatWitness, ...change } = draft
  if (formatWitness === undefined) return draft
  const { strict: _strict, declared: _declared, reason: _reason, ...rest } = change
  return { ...rest, witness: formatWitness }
}

/**
 * Hashes tool, rule, direction, path, values and other parts, but not the number of other tools with the same change.
 */
function fingerprintChange(draft: UnratedChange): string {
  const { tool, rule, direction, path, before, after, parts, tools, declared } = draft
  const others = parts?.map(part => [part.rule, part.path, part.before, part.after])
  // One kind of change may have two rows: one breaks callers, one does not. A user who accepts one of them has not
  // accepted the other, nor the break of another tool.
  const kind = tools && declared === 'refuted' ? ['breaking', ...tools.toSorted()] : undefined
  const more = [others, kind].filter(each => each !== undefined)
  return fingerprint([tool, rule, direction, path, before, after, ...more])
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
