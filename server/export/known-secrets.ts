/** The last look before an export is written: is a secret that we know of in it? */
import { AppError } from '../../core/errors.ts'
import { isSecretName } from '../../core/tool/is-secret.ts'
import { spellings } from '../../core/tool/mask.ts'
import type { SourceConnection } from '../catalog/source-connection.ts'
import { secretsOfSource } from '../sources/masked.ts'
import type { SiteFiles } from './site-folder.ts'

/** Shorter values stand in too many texts by chance. */
const minSecretCharacters = 8

/** A secret that must not be exported, and how a message names it. */
export interface KnownSecret {
  readonly name: string
  readonly value: string
}

/** Variables that are named as secrets, of our environment and of the sources', and what else a source keeps secret. */
export function knownSecrets(
  environment: NodeJS.ProcessEnv,
  sources: readonly Pick<SourceConnection, 'name' | 'session' | 'settings'>[],
): readonly KnownSecret[] {
  const variables = [environment, ...sources.map(({ settings }) => settings.environment ?? {})]
  const named = variables
    .flatMap(each => Object.entries(each))
    .flatMap(([name, value = '']) => (isSecretName(name) ? [{ name, value }] : []))
  const ofSources = sources.flatMap(({ name, session, settings }) =>
    secretsOfSource(session ?? {}, settings).map(value => ({
      name: `a secret of the source "${name}"`,
      value,
    })),
  )
  return [...named, ...ofSources].filter(({ value }) => value.length >= minSecretCharacters)
}

/**
 * A program may print its own environment into a description. Throws AppError `export-refused` that names the secret,
 * never its value.
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
