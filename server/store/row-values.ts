/** Values that both databases store in the same way. */

export const dayMs = 86_400_000

/** Numbers within one millisecond: together with the time they stay below 2^53 until the year 2109. */
export const seqsPerMillisecond = 2048

/** The lowest `seq` of a moment: milliseconds since 1970 times 2048. Each call adds a unique number. */
export const seqAt = (milliseconds: number) => Math.floor(milliseconds) * seqsPerMillisecond

/** ISO 8601, UTC. */
export const toIsoTime = (seq: number) => new Date(Math.floor(seq / seqsPerMillisecond)).toISOString()

/** PostgreSQL refuses NUL in a text and SQLite ends the text there; neither keeps half of a surrogate pair. */
export function storableText(text: string, maxCharacters: number): string {
  return Buffer.from(text.slice(0, maxCharacters), 'utf8').toString('utf8').replaceAll('\0', '\uFFFD')
}
