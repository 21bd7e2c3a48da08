/**
 * Returns whether anything in the value is nested inside more than `maxLevels` objects and lists. Uses no recursion.
 */
export function isDeeperThan(value: unknown, maxLevels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; depth <= maxLevels; depth++) {
    const next: unknown[] = []
    for (const holder of level)
      if (typeof holder === 'object' && holder !== null)
        for (const inner of Object.values(holder))
          if (typeof inner === 'object' && inner !== null) next.push(inner)
    if (next.length === 0) return false
    level = next
  }
  return true
}
