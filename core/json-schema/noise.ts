/** The largest whole number that JavaScript holds exactly. */
const safe = Number.MAX_SAFE_INTEGER

/**
 * Is this bound only the generator's? zod writes the limits of safe integers on every `z.int()`:
 * they say nothing about the tool, and are hidden in labels and folded in diffs.
 */
export function isNoiseBound(keyword: string, value: unknown): boolean {
  return (keyword === 'maximum' && value === safe) || (keyword === 'minimum' && value === -safe)
}
