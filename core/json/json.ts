/** What a JSON value is, and how to ask for its kind. Every room asks here, so that all agree on what an object is. */
import { isLosslessNumber, type LosslessNumber } from 'lossless-json'

/** A JSON value that keeps its digits: a number that a double cannot print back is a `LosslessNumber`. */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** A JSON object whose members are not checked yet. */
export type UnknownObject = { readonly [key: string]: unknown }

export type JsonNumber = number | bigint | LosslessNumber

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

/** True for an object of JSON: no array, no `null`, no number that kept its digits. */
export function isObject(value: Json | undefined): value is JsonObject
export function isObject(value: unknown): value is UnknownObject
export function isObject(value: unknown): value is UnknownObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

export function isJsonNumber(value: unknown): value is JsonNumber {
  return typeof value === 'number' || isLosslessNumber(value) || typeof value === 'bigint'
}

/** An object's own member: `constructor` and `__proto__` are members only where the source wrote them. */
export function own(object: UnknownObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

type WithoutUndefined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key]
} & {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
}
/** A copy without the members that are `undefined`: an optional property is absent, never `undefined`. */
export function withoutUndefined<const Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  // The keys that were left out are those that the type makes optional.
  return Object.fromEntries(present) as WithoutUndefined<Fields>
}

/** A value as JSON text; `undefined` where it has none, or nests deeper than the stack allows. */
export function jsonText(value: unknown, indent = 0): string | undefined {
  try {
    return JSON.stringify(value, null, indent)
  } catch {
    return undefined
  }
}

/** The value of a JSON text; `undefined` where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sets an own member: plain assignment would set the prototype for a member that is called `__proto__`. */
export function setOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** The type of a JSON value; `object` for what is not JSON at all. */
export function jsonType(value: unknown): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isJsonNumber(value)) return 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

/** A number's own digits. */
export function numberText(value: JsonNumber): string {
  return typeof value === 'object' ? value.value : String(value)
}
