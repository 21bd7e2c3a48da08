/** A short name of a change that stays the same from run to run. */

const mostCharacters = 20_000
const deepest = 60

/** Eight hex digits of FNV-1a over the parts, in order; object members in any order count the same. */
export function fingerprint(parts: readonly unknown[]): string {
  const text = stableText(parts, 0).slice(0, mostCharacters)
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193)
    hash = Math.imul(hash ^ (unit >>> 8), 0x01000193)
  }
  return (hash >>> 0).toString(16).padStart(8, '0')
}

function stableText(value: unknown, depth: number): string {
  if (value === undefined) return '-'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '-'
  if (depth > deepest) return '…'
  if (Array.isArray(value)) return `[${value.map(item => stableText(item, depth + 1)).join(',')}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${members.map(([name, item]) => `${JSON.stringify(name)}:${stableText(item, depth + 1)}`).join(',')}}`
}
