/** One coloured piece of JSON text. */
export interface JsonToken {
  readonly text: string
  readonly kind: 'key' | 'string' | 'number' | 'plain'
}

// Alternatives start with different characters and have no nested repeats, so matching is linear in the text.
const token = /"(?:[^"\\\n]|\\[^\n])*"(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|[^"\d-]+|./gs

/** Splits JSON text into tokens to colour. The joined tokens are the text, even if it is not JSON. */
export function jsonTokens(text: string): JsonToken[] {
  const tokens: JsonToken[] = []
  for (const match of text.matchAll(token)) {
    const [piece, colon] = match
    if (piece.startsWith('"') && piece.length > 1) {
      const length = piece.length - (colon?.length ?? 0)
      tokens.push({ text: piece.slice(0, length), kind: colon ? 'key' : 'string' })
      if (colon) tokens.push({ text: colon, kind: 'plain' })
    } else tokens.push({ text: piece, kind: /^-?\d/.test(piece) ? 'number' : 'plain' })
  }
  return tokens
}
