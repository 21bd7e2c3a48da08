/** The number that orders calls in time: milliseconds since 1970 times 2048, plus a number of its own. */

/** Numbers within one millisecond: together with the time they stay below 2^53 until the year 2109. */
export const PER_MILLISECOND = 2048

/** The lowest `seq` of a moment. */
export const seqAt = (milliseconds: number) => Math.floor(milliseconds) * PER_MILLISECOND

/** ISO 8601, UTC. */
export const timeOf = (seq: number) => new Date(Math.floor(seq / PER_MILLISECOND)).toISOString()
