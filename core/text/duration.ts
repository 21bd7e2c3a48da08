/** Time limits as text: the same words on the page, in errors, in settings and on the command line. */

/** The smallest and the largest time limit, in milliseconds. */
export const minLimitMs = 100
export const maxLimitMs = 3_600_000

/** How many times its time limit a call can take if its server reports progress. */
const longestFactor = 10

/** Returns the milliseconds after which a call ends even if its server reports progress: one hour at most. */
export function longestCallMs(timeoutMs: number): number {
  return Math.max(timeoutMs, Math.min(maxLimitMs, longestFactor * timeoutMs))
}

const units = { ms: 1, s: 1_000, sec: 1_000, m: 60_000, min: 60_000, h: 3_600_000 } as const

/**
 * Reads `500ms`, `60` (seconds), `60s`, `1.5 min`, `5m` or `1h`, with or without a space. Returns whole milliseconds;
 * null if the text has another form.
 */
export function parseDuration(text: string): number | null {
  const [, digits = '', unit = 's'] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min|h)?\s*$/i.exec(text) ?? []
  return digits === '' ? null : Math.round(Number(digits) * units[unit.toLowerCase() as keyof typeof units])
}

/** Like `parseDuration`, for a time limit: null also for less than 100 ms and for more than one hour. */
export function parseTimeLimit(text: string): number | null {
  const milliseconds = parseDuration(text)
  const fits = milliseconds !== null && milliseconds >= minLimitMs && milliseconds <= maxLimitMs
  return fits ? milliseconds : null
}

/** The forms of a time limit, for a message about a wrong one. */
export const timeLimitForms = 'a time limit is 500ms, 60 or 60s (seconds), 5m or 1h; 100ms to 1h'

/**
 * Formats a time limit without rounding: `500 ms`, `1.5 s`, `60 s`, `5 min`, `1 h`. `parseDuration` reads it back.
 *
 * @param milliseconds a whole number
 */
export function formatTimeLimit(milliseconds: number): string {
  if (milliseconds < units.s) return `${milliseconds} ms`
  if (milliseconds % units.h === 0) return `${milliseconds / units.h} h`
  // One minute is "60 s", the usual words for the usual limit.
  if (milliseconds > units.m && milliseconds % units.m === 0) return `${milliseconds / units.m} min`
  return `${milliseconds / units.s} s`
}
