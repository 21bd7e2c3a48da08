/** Patterns for names, mainly of tools: `*` matches any text, and case is ignored. */
import type { Tool } from './tool.ts'

export type NamedTool = Pick<Tool, 'name' | 'ref'>

/** Returns a test whether the pattern matches a tool's name or reference: `api *`, `acme/*`. */
export function toolMatcher(pattern: string): (tool: NamedTool) => boolean {
  const matches = nameMatcher(pattern)
  return ({ name, ref }) => matches(name) || matches(ref)
}

/** Returns a test whether the pattern matches a whole name: `*Id`. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  const pieces = pattern.toLowerCase().split('*')
  return name => matchesPieces(name.toLowerCase(), pieces)
}

/** `['api ', '']` matches a text that starts with `api `. Each piece is searched for once, so the time is linear. */
function matchesPieces(text: string, pieces: readonly string[]): boolean {
  const [first = ''] = pieces
  const last = pieces.at(-1) ?? ''
  if (pieces.length === 1) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let at = first.length
  for (const piece of pieces.slice(1, -1)) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= text.length - last.length
}
