import { own, type UnknownObject } from '../json/json.ts'

/** The largest whole number that JavaScript holds exactly. */
const safe = Number.MAX_SAFE_INTEGER

/**
 * Is this bound only the generator's? zod writes the limits of safe integers on every `z.int()`:
 * they say nothing about the tool, and are hidden in labels and folded in diffs.
 */
export function isNoiseBound(keyword: string, value: unknown): boolean {
  return (keyword === 'maximum' && value === safe) || (keyword === 'minimum' && value === -safe)
}

/** A bound that a person wrote; a generator's 2^53 is left out. */
export function writtenBound(schema: UnknownObject, keyword: string): number | undefined {
  const value = own(schema, keyword)
  return typeof value === 'number' && !isNoiseBound(keyword, value) ? value : undefined
}
