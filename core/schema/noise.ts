import { own, type UnknownObject } from '../json/json.ts'

/** The largest integer that JavaScript represents exactly. */
const safe = Number.MAX_SAFE_INTEGER

/**
 * Returns whether only a generator added this bound. zod adds the limits of safe integers to every `z.int()`. They say
 * nothing about the tool, so labels hide them and diffs fold them.
 */
export function isNoiseBound(keyword: string, value: unknown): boolean {
  return (keyword === 'maximum' && value === safe) || (keyword === 'minimum' && value === -safe)
}

/** Returns a bound that the author wrote; undefined for a generator's 2^53. */
export function writtenBound(schema: UnknownObject, keyword: string): number | undefined {
  const value = own(schema, keyword)
  return typeof value === 'number' && !isNoiseBound(keyword, value) ? value : undefined
}
