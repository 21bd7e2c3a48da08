import { isLosslessNumber } from 'lossless-json'

/** A value in one short line; of members only how many there are, the tree has them. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 200)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return `[ ${value.length} ]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.keys(value).length} }`
  return String(value)
}
