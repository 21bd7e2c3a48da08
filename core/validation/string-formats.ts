/**
 * Checks values against `format` (JSON Schema Validation §7.3, and OpenAPI's number formats), with the tables of
 * ajv-formats.
 */
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { isJsonNumber, numberText } from '../json/json.ts'

const formats = new Map<string, unknown>(Object.entries(fullFormats))

/** Returns true also for unknown formats, and for values of a type that the format ignores. */
export function isOfFormat(format: string, value: unknown): boolean {
  const known = formats.get(format)
  const isForNumbers = isObjectWith(known, 'type') && known.type === 'number'
  if (typeof value === 'string' ? isForNumbers : !(isForNumbers && isJsonNumber(value))) return true
  const validate = isObjectWith(known, 'validate') ? known.validate : known
  if (validate instanceof RegExp) return validate.test(value as string)
  return (
    typeof validate !== 'function' ||
    validate(isJsonNumber(value) ? Number(numberText(value)) : value) === true
  )
}

function isObjectWith<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return typeof value === 'object' && value !== null && key in value
}
