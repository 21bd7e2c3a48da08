/** Secrets that reach a tool beside its input: values of variables and of the environment whose names say so. */
import { isSecretName } from '../../core/secrets.ts'

export function callSecrets(...records: readonly (Readonly<Record<string, string>> | undefined)[]): string[] {
  return records.flatMap(record =>
    Object.entries(record ?? {}).flatMap(([name, value]) =>
      isSecretName(name) && value.length >= 4 ? [value] : [],
    ),
  )
}
