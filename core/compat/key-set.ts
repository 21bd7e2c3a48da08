/** Sets of property names: some names, patterns and the names that fail a condition, or all names but these. */
import type { Term } from './term.ts'

export interface KeySet {
  readonly id: string
  /** All names except those described. */
  readonly complement: boolean
  readonly names: ReadonlySet<string>
  /** ECMA-262 patterns, searched anywhere. */
  readonly patterns: readonly string[]
  /** Names that do not satisfy this condition (from `propertyNames`) belong to the described ones. */
  readonly failing: Term | undefined
}

export function keySet(parts: {
  complement?: boolean
  names?: Iterable<string>
  patterns?: Iterable<string>
  failing?: Term
}): KeySet {
  const names = [...new Set(parts.names ?? [])].sort()
  const patterns = [...new Set(parts.patterns ?? [])].sort()
  const complement = parts.complement ?? false
  const id = JSON.stringify([complement, names, patterns, parts.failing?.id ?? -1])
  return { id, complement, names: new Set(names), patterns, failing: parts.failing }
}

export const everyKey: KeySet = keySet({ complement: true })

/** The one name that the set consists of. */
export function soleName(keys: KeySet): string | undefined {
  if (keys.complement || keys.failing || keys.patterns.length > 0 || keys.names.size !== 1) return undefined
  const [name] = keys.names
  return name
}

export function isNoKey(keys: KeySet): boolean {
  return !keys.complement && !keys.failing && keys.patterns.length === 0 && keys.names.size === 0
}
