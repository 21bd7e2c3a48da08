/** The last check before an export is written: whether it contains a known secret. */
import { AppError } from '../../core/errors.ts'
import { isSecretVariable } from '../../core/tool/is-secret.ts'
import { spellings } from '../../core/tool/mask.ts'
import type { SourceConnection } from '../catalog/source-connection.ts'
import { secretsOfSource } from '../sources/masked.ts'
import type { SiteFiles } from './site-folder.ts'

/** Shorter values appear in too many texts by chance. */
const minSecretCharacters = 8

/** A secret that must not be exported, and its name for messages. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/**
 * Returns the variables that are named as secrets, of our environment and of the sources', and the other secrets of the
 * sources.
 */
export function knownSecrets(
  environment: NodeJS.ProcessEnv,
  sources: readonly Pick<SourceConnection, 'name' | 'session' | 'settings'>[],
): readonly KnownSecret[] {
  const variables = [environment, ...sources.map(({ settings }) => settings.environment ?? {})]
  const named = variables
    .flatMap(each => Object.entries(each))
    .flatMap(([name, value = '']) => (isSecretVariable(name, value) ? [{ name, value }] : []))
  const ofSources = sources.flatMap(({ name, session, settings }) =>
    secretsOfSource(session ?? {}, settings).map(value => ({
      name: `a secret of the source "${name}"`,
      value,
    })),
  )
  return [...named, ...ofSources].filter(({ value }) => value.length >= minSecretCharacters)
}

/**
 * Throws AppError `export-refused` with the name of the secret, never its value. A program may print its own
 * environment into a description.
 */
export function refuseSecrets(files: SiteFiles, secrets: readonly KnownSecret[]): void {
  for (const [path, content] of files) {
    if (typeof content !== 'string') continue
    const found = secrets.find(({ value }) => spellings(value).some(form => content.includes(form)))
    if (found !== undefined)
      throw new AppError('export-refused', `${path} would contain the value of ${found.name}`, {
        hint: 'A manifest contains it. Fix the source, or export without it.',
      })
  }
}
