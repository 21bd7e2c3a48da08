/** What a command found, in the one shape from which sarif.ts, github.ts and gitlab.ts write. */

export interface ReportFinding {
  /** Id of the rule that found it. */
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  /** What it is about: a tool, an example, `the manifest`. */
  readonly subject: string
  /** Inside of the subject: a JSON Pointer, or ''. */
  readonly path: string
  /** One sentence. */
  readonly message: string
  /** More lines: the proof, the remedy. */
  readonly details: readonly string[]
  /** Stable over runs and over unrelated changes. */
  readonly fingerprint: string
  /** Of the repository, relative to the working directory; a label where no file says it. */
  readonly file: string
  /** Found, and accepted by the user. */
  readonly isIgnored?: boolean
  readonly properties?: { readonly [name: string]: unknown }
}

export interface RuleText {
  readonly title: string
  /** Where the rule comes from. */
  readonly source?: string | undefined
}

export interface FindingsReport {
  /** The command: `toolscope diff`. */
  readonly title: string
  /** Of the program. */
  readonly version: string
  /** In one line, what came of it. */
  readonly summary: string
  readonly findings: readonly ReportFinding[]
  readonly ruleText: (id: string) => RuleText
}
