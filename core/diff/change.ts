/** What changed between two manifests: one `Change` per cause, with proof or counterexample. */
import type { WordRun } from '../text/word-diff.ts'
import type { ManifestTool, Surface } from '../tool/tool.ts'

export type Severity = 'breaking' | 'dangerous' | 'warning' | 'info'

/** Which way a value flows through what changed: inputs are the caller's, outputs the tool's, text is for the model. */
export type Direction = 'input' | 'output' | 'annotation' | 'text' | 'tool'

/** `invalid`: one of the two schemas is no valid schema of its dialect. */
export type Verdict = 'proved' | 'refuted' | 'unknown' | 'invalid'

/** A value that fits the one schema and not the other, checked by a validator against both originals. */
export interface Witness {
  readonly value: unknown
  /** JSON Pointer into `value` at which the refusing schema refuses. */
  readonly path: string
  /** In words: `must be ≤ 50`. */
  readonly error: string
  /** Which side takes it; the other refuses it. */
  readonly acceptedBy: 'before' | 'after'
}

/** A change that breaks only together with others. */
export interface ChangePart {
  readonly rule: string
  readonly path: string
  readonly message: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface Change {
  /** Stable over runs and over unrelated changes: eight hex digits of a hash of tool, rule, path and what changed. */
  readonly fingerprint: string
  /** Id of the rule that found it: `property-removed`, `maximum-lowered` … */
  readonly rule: string
  readonly severity: Severity
  readonly direction: Direction
  /**
   * The tool's name: the new one, or the old one of a removed tool; absent for the manifest itself. Of a prompt, resource
   * or template its kind comes first: `prompt greet`, `resource file:///a`.
   */
  readonly tool?: string
  /** JSON Pointer into the value that the schema describes (`/strategy/batch`), or the field's name for text. */
  readonly path: string
  /** Other locations of the same change: a definition that is used several times. */
  readonly alsoAt?: readonly string[]
  /** One sentence: `maximum lowered: 100 → 50`. */
  readonly message: string
  /** The part that changed, before and after: a schema fragment, a text, a flag. Absent where there was none. */
  readonly before?: unknown
  readonly after?: unknown
  /**
   * Containment as a set of values, and for callers that send only declared properties. `proved` holds together with all
   * other changes of the schema. Absent where no validator reads what changed, or where `breaksWith` says what it breaks.
   */
  readonly strict?: Verdict
  readonly declared?: Verdict
  /** Why `unknown` or `invalid`, or how it was proved. */
  readonly reason?: string
  readonly witness?: Witness
  /** Declared properties that some values can no longer have, where no change is found at the property itself. */
  readonly refusedAt?: readonly string[]
  /** The changes that break only together with this one: its witness fails because of all of them. */
  readonly parts?: readonly ChangePart[]
  /** The combined changes that this one is a part of: by itself it may break nobody, together with others it does. */
  readonly breaksWith?: readonly string[]
  /** For folded generator noise: the tools it was found in. */
  readonly tools?: readonly string[]
  /** For text: what the added words do that they should not (`tells the model to call another tool first`). */
  readonly cues?: readonly string[]
  /** For text: the two texts as runs of words. */
  readonly words?: readonly WordRun[]
}

export interface DiffReport {
  readonly changes: readonly Change[]
  readonly counts: Readonly<Record<Severity, number>>
  /** Schema changes that are proved compatible, and those left undecided. */
  readonly proved: number
  readonly undecided: number
  /** Tools that are in both, unchanged ones included. */
  readonly compared: number
  /** Changes that an ignore file silenced. */
  readonly ignored: readonly Change[]
  /** Fingerprints of the ignore file's entries that match no change. */
  readonly unusedIgnores: readonly string[]
  /** How many changes the rules file switched off, by rule. */
  /** Breaking changes that a rules file rates lower. */
  readonly lowered: number
  readonly switchedOff: Readonly<Record<string, number>>
  /** Whether severities say what any value meets; else what callers that send declared fields meet. */
  readonly strict: boolean
}

/** What the differ reads of a manifest. */
export interface DiffSide extends Surface {
  readonly tools: readonly ManifestTool[]
  readonly instructions?: string
  /** The revision of MCP that the list was read with, where it is known. */
  readonly protocolVersion?: string
}
