/** JSON with object keys in code-unit order at every level, so that equal values give equal text (RFC 8785 in spirit). */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    const record = part as Record<string, unknown>
    return Object.fromEntries(
      Object.keys(record)
        .sort()
        .map(key => [key, record[key]]),
    )
  })
}
