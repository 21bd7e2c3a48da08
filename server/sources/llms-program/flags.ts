/** How a `--llms` program is started. The flags' spelling can differ per program, and its manifest does not say so. */
export interface LlmsFlags {
  /** Prints the manifest; `--llms` unless configured. Always goes last. */
  readonly manifest: string
  /** Takes the input as its value; `--json` unless configured. */
  readonly input: string
}

export const usualFlags: LlmsFlags = { manifest: '--llms', input: '--json' }

export interface LlmsProgramConfig {
  /** Program and leading arguments, as typed. A sub-program is part of it: `['acme', 'api']`. */
  readonly command: readonly string[]
  readonly flags?: { readonly manifest?: string | undefined; readonly input?: string | undefined }
  /** Sub-programs (space-separated) that are asked one by one where the whole program cannot answer. */
  readonly subprograms?: readonly string[]
  /** Working directory; relative to the configuration's. */
  readonly directory?: string
}
