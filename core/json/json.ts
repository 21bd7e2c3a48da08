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
