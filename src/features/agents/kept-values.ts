/** Values that were given for an agent's variables, as text in the browser's storage. */
import { isSecretName } from '../../../core/secrets/is-secret.ts'

/** By the variable's name. A variable that is absent has its default; an empty text is a value. */
export type GivenValues = Readonly<Record<string, string>>

/** Characters; longer values are not written down. */
export const keptValueLimit = 20_000

/** Reads what `keptText` wrote; whatever else stands there counts as nothing. */
export function readKept(text: string | null): GivenValues {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {}
    return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === 'string'))
  } catch {
    return {}
  }
}

/** The values that may be written down, secrets left out; undefined where none is left. */
export function keptText(given: GivenValues): string | undefined {
  const kept = Object.entries(given).filter(
    ([name, value]) => !isSecretName(name) && value.length <= keptValueLimit,
  )
  return kept.length === 0 ? undefined : JSON.stringify(Object.fromEntries(kept))
}

/** The values with one more, or without it where `value` is undefined. */
export function withValue(given: GivenValues, name: string, value: string | undefined): GivenValues {
  const others = Object.entries(given).filter(([each]) => each !== name)
  return Object.fromEntries(value === undefined ? others : [...others, [name, value]])
}
