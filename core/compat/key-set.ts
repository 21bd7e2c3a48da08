/** Sets of property names: some names, patterns and names that fail a condition, or all names except these. */
import type { KeySet, Term } from './term.ts'

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
  const isSole = !complement && !parts.failing && patterns.length === 0 && names.length === 1
  const sole = isSole ? names[0] : undefined
  return { id, complement, names: new Set(names), patterns, failing: parts.failing, sole }
}

export function isNoKey(keys: KeySet): boolean {
  return !keys.complement && !keys.failing && keys.patterns.length === 0 && keys.names.size === 0
}
