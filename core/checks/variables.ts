/** Replaces `${env:NAME}` in the input of an example with the environment variable when the call is made. */
import { isObject, type Json } from '../json/json.ts'
import { environmentReference } from '../tool/is-secret.ts'
import { createMasker } from '../tool/mask.ts'

const readVariableName = (value: unknown): string | undefined =>
  typeof value === 'string' ? environmentReference.exec(value)?.[1] : undefined

export type Resolved =
  | { readonly ok: true; readonly value: Json; readonly values: ReadonlyMap<string, string> }
  | { readonly ok: false; readonly missing: readonly string[] }

/** Replaces every `${env:NAME}` with the variable's value. `values` are the used variables by name. */
export function resolveVariables(input: Json, lookUp: (name: string) => string | undefined): Resolved {
  const values = new Map<string, string>()
  const missing = new Set<string>()
  const visit = (part: Json): Json => {
    if (Array.isArray(part)) return part.map(visit)
    if (isObject(part))
      return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, visit(member)]))
    const name = readVariableName(part)
    if (name === undefined) return part
    const found = lookUp(name)
    if (found === undefined) missing.add(name)
    else values.set(name, found)
    return found ?? null
  }
  const value = visit(input)
  return missing.size > 0 ? { ok: false, missing: [...missing] } : { ok: true, value, values }
}

/** Returns a function that replaces the value of a variable in a text with `${env:NAME}`. */
export function variableMasker(values: ReadonlyMap<string, string>): (text: string) => string {
  const names = new Map([...values].map(([name, value]) => [value, name]))
  return createMasker(values.values(), value => `\${env:${names.get(value)}}`)
}
