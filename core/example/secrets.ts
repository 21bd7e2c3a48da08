/** Secrets of an example: what is left out before it is written down, and what stands in for it. */
import { pointerStep } from '../compat/values.ts'
import { isJsonObject, type Json } from '../json/json-text.ts'
import { isSecretName } from '../secrets/secrets.ts'

/** `${env:NAME}` and nothing else. */
const reference = /^\$\{env:([A-Za-z_][A-Za-z0-9_]{0,199})\}$/

/** The variable that a value stands for, if it does. */
export function variableOf(value: unknown): string | undefined {
  return typeof value === 'string' ? reference.exec(value)?.[1] : undefined
}

export interface WithoutSecrets {
  readonly value: Json
  /** JSON Pointers of the members that were left out. */
  readonly leftOut: readonly string[]
}

/**
 * The value without members that hold secrets, unless they are `${env:NAME}`.
 *
 * @param marked names that the schema marks, from `secretNamesOf`
 */
export function leaveOutSecrets(value: Json, marked: ReadonlySet<string>): WithoutSecrets {
  const leftOut: string[] = []
  const visit = (part: Json, path: string): Json => {
    if (Array.isArray(part)) return part.map((item, at) => visit(item, `${path}${pointerStep(at)}`))
    if (!isJsonObject(part)) return part
    const kept = Object.entries(part).flatMap(([key, member]) => {
      const place = `${path}${pointerStep(key)}`
      if (!isSecretName(key) && !marked.has(key)) return [[key, visit(member, place)] as const]
      if (variableOf(member) !== undefined) return [[key, member] as const]
      leftOut.push(place)
      return []
    })
    return Object.fromEntries(kept)
  }
  return { value: visit(value, ''), leftOut }
}

export type Resolved =
  | { readonly ok: true; readonly value: Json; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly missing: readonly string[] }

/** Puts the variables' values in the place of every `${env:NAME}`. `values` are those that were used, by name. */
export function resolveVariables(input: Json, lookUp: (name: string) => string | undefined): Resolved {
  const values = new Map<string, string>()
  const missing = new Set<string>()
  const visit = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(visit)
    if (isJsonObject(part))
      return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, visit(member)]))
    const name = variableOf(part)
    if (name === undefined) return part
    const found = lookUp(name)
    if (found === undefined) missing.add(name)
    else values.set(name, found)
    return found ?? null
  }
  const value = visit(input)
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, value, values }
}

/** A text in which no value of a variable can be read any more. */
export function maskValues(text: string, values: ReadonlyMap<string, string>): string {
  let masked = text
  // The longest first: one secret may hold another.
  for (const [name, value] of [...values].sort(([, a], [, b]) => b.length - a.length))
    if (value.length >= 4) {
      masked = masked.replaceAll(value, `\${env:${name}}`)
      masked = masked.replaceAll(JSON.stringify(value).slice(1, -1), `\${env:${name}}`)
    }
  return masked
}
