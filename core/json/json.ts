/**
 * The types of JSON values, and functions to test them. All other code uses these, so that it agrees on what an object
 * is.
 */
import { isLosslessNumber, type LosslessNumber } from 'lossless-json'

/** A JSON value that keeps its digits: a number that a double would change is a `LosslessNumber`. */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** A JSON object with members of unknown types. */
export type UnknownObject = { readonly [key: string]: unknown }

export type JsonNumber = number | bigint | LosslessNumber

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** Returns whether a value is a JSON object: not an array, not `null` and not a number that kept its digits. */
export function isObject(value: Json | undefined): value is JsonObject
export function isObject(value: unknown): value is UnknownObject
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || isLosslessNumber(value) || typeof value === 'bigint'
}

/** Returns an object's own member: `constructor` and `__proto__` only count if the source contains them. */
export function own(object: UnknownObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

type WithoutUndefined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
}
/** Returns a copy without the members that are `undefined`: an optional property is absent, never `undefined`. */
export function withoutUndefined<const Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  // Only keys that the type makes optional are removed.
  return Object.fromEntries(present) as WithoutUndefined<Fields>
}

/** Returns a value as JSON text; `undefined` if it has no JSON or is nested too deeply for the stack. */
export function jsonText(value: unknown, indent = 0): string | undefined {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    return undefined
  }
}

/** Returns the value of a JSON text; `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sets an own member. A plain assignment to `__proto__` would set the prototype. */
export function setOwnMember(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Returns the type of a JSON value; `object` for a value that is not JSON. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isJsonNumber(value)) return 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

/** Returns a number's own digits. */
export function numberText(value: JsonNumber): string {
  return typeof value === 'object' ? value.value : String(value)
}

/**
 * Returns whether anything in the value is nested inside more than `maxLevels` objects and lists. Uses no recursion.
 */
export function isDeeperThan(value: unknown, maxLevels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= maxLevels; depth++) {
    const next: unknown[] = []
    for (const holder of level)
      if (typeof holder === 'object' && holder !== null)
        for (const inner of Object.values(holder))
          if (typeof inner === 'object' && inner !== null) next.push(inner)
    if (next.length === 0) return false
    level = next
  }
  return true
}
