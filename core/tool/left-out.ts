/**
 * An input that may be stored. A marker replaces each secret, so that a later call asks for the value instead of
 * sending the input without it.
 */
import { parse, stringify } from 'lossless-json'
import { isJsonNumber, isObject, type Json } from '../json/json.ts'
import { type Path, toPointer } from '../json/pointer.ts'
import {
  environmentReference,
  isSecretAt,
  isSecretName,
  isSecretValue,
  type SecretFields,
} from './is-secret.ts'
import { createMasker, mask, minMaskedLength } from './mask.ts'

export interface LeftOut<Kept> {
  readonly kept: Kept
  /**
   * The text that replaces each secret; undefined if nothing was left out. Store it with the input. No value of the
   * input contains it, so `leftOutAt` never takes a user's own value for it.
   */
  readonly marker?: string
  /** JSON Pointers of the secrets that were left out. */
  readonly pointers: readonly string[]
}

export interface LeaveOutOptions {
  /** The marker that the input already has, for an input that was restored and is stored again. */
  readonly marker?: string | undefined
  /** Secrets from elsewhere (environment, variables) that are left out of every text. */
  readonly secrets?: readonly string[]
}

/** Returns the value with a marker for every secret text and number. Throws RangeError if it is nested too deeply. */
export function leaveOutOfValue(
  value: Json,
  fields: SecretFields,
  options: LeaveOutOptions = {},
): LeftOut<Json> {
  const marker = options.marker ?? markerFor(value)
  const hide = createMasker(options.secrets ?? [], marker)
  const pointers: string[] = []
  const visit = (part: Json, path: Path): Json => {
    if (Array.isArray(part)) return part.map((item, index) => visit(item, [...path, index]))
    if (isObject(part))
      return fromEntries(
        Object.entries(part).map(([key, member]) => [hide(key), visit(member, [...path, key])]),
      )
    const cleaned = isSecretLeaf(part, path, fields) ? marker : typeof part === 'string' ? hide(part) : part
    if (cleaned !== part || (typeof part === 'string' && part.includes(marker)))
      pointers.push(toPointer(path))
    return cleaned
  }
  const cleaned = visit(value, [])
  return pointers.length === 0 ? { kept: cleaned, pointers } : { kept: cleaned, marker, pointers }
}

/**
 * Does the same as `leaveOutOfValue` for JSON text: numbers keep their digits, and a text without secrets is returned
 * unchanged. Returns undefined if the text cannot be parsed or is nested too deeply; then store nothing.
 */
export function leaveOutOfText(
  text: string,
  fields: SecretFields,
  options?: LeaveOutOptions,
): LeftOut<string> | undefined {
  if (text.trim() === '') return { kept: text, pointers: [] }
  try {
    const { kept, ...found } = leaveOutOfValue(parse(text) as Json, fields, options)
    return { ...found, kept: found.marker === undefined ? text : (stringify(kept, undefined, 2) ?? '') }
  } catch {
    return undefined
  }
}

/** Returns JSON Pointers of the texts that contain the marker: the secrets that the user must enter again. */
export function leftOutAt(value: Json | undefined, marker: string | undefined): readonly string[] {
  if (value === undefined || marker === undefined) return []
  const found: string[] = []
  const visit = (part: Json, path: Path): void => {
    if (isMarked(part, marker)) found.push(toPointer(path))
    else if (Array.isArray(part)) for (const [index, item] of part.entries()) visit(item, [...path, index])
    else if (isObject(part)) for (const [key, member] of Object.entries(part)) visit(member, [...path, key])
  }
  visit(value, [])
  return found
}

/** Returns whether a secret was left out of this text. */
export function isMarked(value: Json | undefined, marker: string | undefined): boolean {
  return marker !== undefined && typeof value === 'string' && value.includes(marker)
}

export const leftOutMessage = 'secret left out: enter it again, or clear the field'

const maxSecrets = 500
const maxNodes = 200_000

/**
 * Returns the secret texts and numbers of an input, for masking its result. Returns null if there are too many; then
 * nothing that could contain them may be stored.
 */
export function secretsIn(value: unknown, fields: SecretFields): readonly string[] | null {
  const found = new Set<string>()
  const waiting: { value: unknown; path: Path }[] = [{ value, path: [] }]
  for (let looked = 0; ; looked += 1) {
    const node = waiting.pop()
    if (node === undefined) return [...found]
    if (looked > maxNodes || found.size > maxSecrets) return null
    const { value: part, path } = node
    if (typeof part === 'object' && part !== null) {
      const around = Array.isArray(part) ? path : decidingSteps(path, fields)
      for (const [key, child] of Object.entries(part))
        waiting.push({ value: child, path: Array.isArray(part) ? path : [...around, key] })
    }
    if ((typeof part === 'string' || typeof part === 'number') && isSecretLeaf(part, path, fields)) {
      const text = String(part)
      if (text.length >= minMaskedLength) found.add(text)
    }
  }
}

/** Returns a path without its last step if that decides nothing: a path may have 100,000 steps. */
function decidingSteps(path: Path, { marked }: SecretFields): Path {
  const last = path.at(-1)
  return typeof last === 'string' && !marked.has(last) && !isSecretName(last) ? path.slice(0, -1) : path
}

function isSecretLeaf(value: Json, path: Path, fields: SecretFields): boolean {
  if (typeof value !== 'string') return isJsonNumber(value) && isSecretAt(path, fields)
  if (value === '' || environmentReference.test(value)) return false
  return isSecretValue(value) || isSecretAt(path, fields)
}

/** Returns a run of bullets longer than any in the value. */
function markerFor(value: Json): string {
  let longest = mask.length - 1
  const visit = (part: Json): void => {
    if (typeof part === 'string')
      for (const [run] of part.matchAll(/•+/g)) longest = Math.max(longest, run.length)
    else if (Array.isArray(part)) part.forEach(visit)
    else if (isObject(part)) for (const member of Object.values(part)) visit(member)
  }
  visit(value)
  return '•'.repeat(longest + 1)
}

/** Supports the key `__proto__` too. */
function fromEntries(entries: readonly (readonly [string, Json])[]): Json {
  return Object.fromEntries(entries)
}
