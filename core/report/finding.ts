/** The shape of a command's findings, from which sarif.ts, github.ts and gitlab.ts write. */

export interface ReportFinding {
  /** Id of the rule that made the finding. */
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  /** The subject: a tool, an example, `the manifest`. */
  readonly subject: string
  /** The location in the subject: a JSON Pointer, or ''. */
  readonly path: string
  /** One sentence. */
  readonly message: string
  /** More lines: the proof, the remedy. */
  readonly details: readonly string[]
  /** Stable over runs and over unrelated changes. */
  readonly fingerprint: string
  /** The file, relative to the working directory; a label if there is no file. */
  readonly file: string
  /** Whether the user accepted the finding. */
  readonly isIgnored?: boolean
  readonly properties?: { readonly [name: string]: unknown }
}

export interface RuleText {
  readonly title: string
  /** The source of the rule. */
  readonly source?: string | undefined
}

export interface FindingsReport {
  /** The command: `toolscope diff`. */
  readonly title: string
  /** The program's version. */
  readonly version: string
  /** The result in one line. */
  readonly summary: string
  readonly findings: readonly ReportFinding[]
  readonly ruleText: (id: string) => RuleText
}
