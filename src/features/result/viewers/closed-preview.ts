import { isLosslessNumber } from 'lossless-json'

/** The most members and characters of a preview. */
const maxMembers = 4
const maxLength = 90

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value === 'object' && value !== null) return '{…}'
  return String(value)
}

/** Summarizes a folded object or list: `id: 1, name: "eu-west", …`. */
export function closedPreview(value: object): string {
  const isList = Array.isArray(value)
  const keys: string[] = []
  let more = false
  // Not Object.keys: it would list a million names although four are enough.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    if (keys.length === maxMembers) {
      more = true
      break
    }
    keys.push(key)
  }
  const parts = keys.map(key => {
    const text = scalarText((value as Record<string, unknown>)[key])
    return isList ? text : `${key.slice(0, 30)}: ${text}`
  })
  const joined = parts.join(', ')
  if (joined.length > maxLength) return `${joined.slice(0, maxLength)}…`
  return more ? `${joined}, …` : joined
}
