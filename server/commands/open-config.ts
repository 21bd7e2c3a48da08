/** Reads the configuration of a command and applies the user's trust. */
import { relative } from 'node:path'
import { type Config, loadConfig } from '../config/config.ts'
import { Trust } from '../config/trust.ts'
import type { SourceSpec } from '../sources/source.ts'
import type { RuleFiles } from '../versions/read-team-rules.ts'
import type { CommandContext } from './command.ts'

export interface ConfigInput {
  readonly config?: string | undefined
  readonly trust?: boolean | undefined
}

export interface OpenConfig extends Omit<Config, 'entries' | 'foreign'> {
  readonly specs: readonly SourceSpec[]
  readonly trust: Trust
  /** Reads the file's sources and forms again. Throws AppError `config-invalid`. */
  reload(): Pick<OpenConfig, 'specs' | 'forms'>
  /** Reads the file's rules for comparisons again. Throws AppError `config-invalid`. */
  ruleFilesNow(): RuleFiles
}

/**
 * Finds and reads the configuration; prints ignored files and the reason to stderr. It opens nothing and asks nothing
 * yet.
 */
export function openConfig(
  input: ConfigInput,
  { directory, environment, say, ask }: CommandContext,
): OpenConfig {
  const { entries, foreign, ...config } = loadConfig(directory, input.config)
  const { path } = config
  for (const file of foreign)
    say(`${file} was not read: another user owns it. If you want it, name it: --config ${file}`)
  const trust = new Trust(path, { environment, say, ask }, input.config !== undefined || input.trust === true)
  return {
    ...config,
    ...trust.apply({ ...config, entries }),
    trust,
    reload() {
      if (path === null) return { specs: [], forms: config.forms }
      const { forms, ...next } = loadConfig(directory, path)
      return { specs: trust.apply(next).specs, forms }
    },
    ruleFilesNow: () => (path === null ? {} : loadConfig(directory, path).ruleFiles),
  }
}

/** Returns the path from the working directory to the configuration's: '' or `sub/folder/`. */
export function toRelativeFolder(config: Pick<Config, 'directory'>, { directory }: CommandContext): string {
  const away = relative(directory, config.directory)
  return away === '' ? '' : `${away}/`
}
