/** What a portability check says: which client refuses or alters a tool, where, why and what to do. */
import type { LintClient } from './clients.ts'

/**
 * `error`: the client refuses the tool, often the whole request with it · `warning`: the client alters or ignores a
 * part, or some of its versions refuse it · `info`: worth knowing, nothing breaks.
 */
export type LintSeverity = 'error' | 'warning' | 'info'

export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'info']

/** What a rule's check hands back for one place. */
export interface Fault {
  /** JSON Pointer from the tool's own fields: `/name`, `/inputSchema/properties/role`. */
  readonly path: string
  readonly message: string
  readonly remedy: string
}

export interface LintFinding extends Fault {
  /** Id of the rule that found it. */
  readonly rule: string
  readonly severity: LintSeverity
  /** The clients that were asked about and that the rule concerns. */
  readonly clients: readonly LintClient[]
  /** Ref and name of the tool; absent where the finding is about the catalog as a whole. */
  readonly ref?: string
  readonly name?: string
}
