/** Secrets that reach a tool beside its input: those of its source's set-up, and variables whose names say so. */
import { isSecretName } from '../../core/secrets/is-secret.ts'
import type { Session } from '../sources/source.ts'

/** @param records variables and environments, by name */
export function callSecrets(
  { secrets = [] }: Pick<Session, 'secrets'>,
  ...records: readonly (Readonly<Record<string, string>> | undefined)[]
): string[] {
  const named = records.flatMap(record =>
    Object.entries(record ?? {}).flatMap(([name, value]) =>
      isSecretName(name) && value.length >= 4 ? [value] : [],
    ),
  )
  return [...secrets.filter(value => value.length >= 4), ...named]
}
