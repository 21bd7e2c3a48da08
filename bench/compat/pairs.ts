/** Pairs of schemas from a file: is `s1` contained in `s2`? */
import { isLosslessNumber, parse } from 'lossless-json'

export interface Pair {
  readonly id: string
  readonly s1: unknown
  readonly s2: unknown
  /** The label, where there is one. It may be wrong. */
  readonly expected: boolean | undefined
  /** A value that is said to be valid for `s1` and not for `s2`. */
  readonly knownWitness: unknown
}

/** Numbers that a double cannot hold exactly stay exact. @throws when the file is no list of pairs. */
export function readPairs(text: string): Pair[] {
  const data = parse(text, undefined, source => {
    const number = Number(source)
    return isExact(number, source) ? number : lossless(source)
  })
  const list: unknown = Array.isArray(data) ? data : (data as { pairs?: unknown } | null)?.pairs
  if (!Array.isArray(list)) throw new Error('expected a list of pairs {id, s1, s2, expected?}')
  return list.map((entry: { [key: string]: unknown }, index) => {
    if (!entry || !('s1' in entry) || !('s2' in entry)) throw new Error(`entry ${index} has no s1 and s2`)
    return {
      id: typeof entry.id === 'string' ? entry.id : `#${index}`,
      s1: entry.s1,
      s2: entry.s2,
      expected: typeof entry.expected === 'boolean' ? entry.expected : undefined,
      // A `witness` of null means that none is known.
      knownWitness: entry.witness ?? undefined,
    }
  })
}

/** A long number that a double rounds would not come back the same. */
function isExact(number: number, source: string): boolean {
  if (!Number.isFinite(number)) return false
  return /[.eE]/.test(source) || source.replace(/\D/g, '').length < 16 || BigInt(source) === BigInt(number)
}

function lossless(source: string): unknown {
  const value = parse(`[${source}]`) as unknown[]
  return isLosslessNumber(value[0]) ? value[0] : Number(source)
}
