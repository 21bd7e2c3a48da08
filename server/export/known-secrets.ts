/** The last look before an export is written: is a secret that we know of in it? */
import { AppError } from '../../core/errors.ts'
import { isSecretName } from '../../core/secrets/is-secret.ts'
import { spellings } from '../../core/secrets/mask.ts'
import type { SourceSpec } from '../sources/source.ts'
import type { SiteFiles } from './site-folder.ts'

/** Shorter values stand in too many texts by chance. */
const leastLength = 8

/** Values of variables that are named as secrets, by their names: of our environment and of the sources'. */
export function knownSecrets(
  environment: NodeJS.ProcessEnv,
  specs: readonly SourceSpec[],
): ReadonlyMap<string, string> {
  const all = [environment, ...specs.map(({ settings }) => settings.environment ?? {})]
  const secrets = all.flatMap(each =>
    Object.entries(each).flatMap(([name, value]) =>
      value !== undefined && value.length >= leastLength && isSecretName(name)
        ? [[name, value] as const]
        : [],
    ),
  )
  return new Map(secrets)
}

/**
 * A program may print its own environment into a description. Throws AppError `export-refused` that names the variable,
 * never its value.
 */
export function refuseSecrets(files: SiteFiles, secrets: ReadonlyMap<string, string>): void {
  for (const [path, content] of files) {
    if (typeof content !== 'string') continue
    for (const [name, value] of secrets) {
      if (!spellings(value).some(form => content.includes(form))) continue
      throw new AppError('export-refused', `the value of ${name} stands in what ${path} would hold`, {
        hint: 'A source tells it in its manifest. Mend the source, or export without it.',
      })
    }
  }
}
