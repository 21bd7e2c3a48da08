import { isLosslessNumber } from 'lossless-json'

/** Members named and characters spent at most. */
const maxMembers = 4
const maxLength = 90

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value === 'object' && value !== null) return '{…}'
  return String(value)
}

/** What a folded object or list holds, in a few words: `id: 1, name: "eu-west", …`. */
export function closedPreview(value: object): string {
  const isList = Array.isArray(value)
  const keys: string[] = []
  let more = false
  // Not Object.keys: a member list of a million names would be made only to take four.
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
