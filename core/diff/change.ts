/** The changes between two manifests: one `Change` per cause, with a proof or a counterexample. */
import type { WordRun } from '../text/word-diff.ts'
import type { ManifestTool, Surface } from '../tool/tool.ts'

export type Severity = 'breaking' | 'dangerous' | 'warning' | 'info'

/** The flow of the changed value: inputs come from the caller, outputs from the tool; text goes to the model. */
export type Direction = 'input' | 'output' | 'annotation' | 'text' | 'tool'

/** `invalid`: one of the two schemas is not valid in its dialect. */
export type Verdict = 'proved' | 'refuted' | 'unknown' | 'invalid'

/** A value that one schema accepts and the other refuses, checked by a validator against both originals. */
export interface Witness {
  readonly value: unknown
  /** JSON Pointer to the refused part of `value`. */
  readonly path: string
  /** The validator's message: `must be ≤ 50`. */
  readonly error: string
  /** The side that accepts the value; the other side refuses it. */
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
  /** Id of the rule that found the change: `property-removed`, `maximum-lowered` … */
  readonly rule: string
  readonly severity: Severity
  readonly direction: Direction
  /**
   * The tool's name: the new one, or the old one of a removed tool; absent for the manifest itself. The name of a
   * prompt, resource or template begins with its kind: `prompt greet`, `resource file:///a`.
   */
  readonly tool?: string
  /** JSON Pointer into the value that the schema describes (`/strategy/batch`), or the field's name for text. */
  readonly path: string
  /** Other locations of the same change, if a definition is used several times. */
  readonly alsoAt?: readonly string[]
  /** One sentence: `maximum lowered: 100 → 50`. */
  readonly message: string
  /** The changed part, before and after: a schema fragment, a text, a flag. Absent if there is no such part. */
  readonly before?: unknown
  readonly after?: unknown
  /**
   * Containment as a set of values, and for callers that send only declared properties. `proved` holds together with
   * all other changes of the schema. Absent if validators ignore what changed, or if `breaksWith` says what it breaks.
   */
  readonly strict?: Verdict
  readonly declared?: Verdict
  /** The reason for `unknown` or `invalid`, or the method of the proof. */
  readonly reason?: string
  readonly witness?: Witness
  /** Declared properties that can no longer have some values, if no change was found at the property itself. */
  readonly refusedAt?: readonly string[]
  /** The changes that break only together with this one: its witness fails because of all of them. */
  readonly parts?: readonly ChangePart[]
  /** The combined changes that include this one. By itself, this change may break no caller. */
  readonly breaksWith?: readonly string[]
  /** For folded generator noise: the tools that have it. */
  readonly tools?: readonly string[]
  /** For text: what the added words do but should not (`tells the model to call another tool first`). */
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
  /** Tools in both manifests, including unchanged ones. */
  readonly compared: number
  /** Changes that an ignore file silences. */
  readonly ignored: readonly Change[]
  /** Fingerprints of the ignore file's entries that match no change. */
  readonly unusedIgnores: readonly string[]
  /** Breaking changes that a rules file rates lower. */
  readonly lowered: number
  /** The number of changes that the rules file switches off, by rule. */
  readonly switchedOff: Readonly<Record<string, number>>
  /** Whether severities cover all values; otherwise they cover callers that send only declared fields. */
  readonly strict: boolean
}

/** The parts of a manifest that are compared. */
export interface DiffSide extends Surface {
  readonly tools: readonly ManifestTool[]
  readonly instructions?: string
  /** Tools whose input schema could not be read and became one that takes any object, with the reason. */
  readonly unreadInputs?: readonly (readonly [tool: string, reason: string])[]
  /** The MCP revision with which the list was read, if known. */
  readonly protocolVersion?: string
}
