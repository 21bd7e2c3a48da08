/** For tests with a limit of wall time: a busy machine can miss it once; a fault misses it three times. */
export const aboutTime = { retry: 2 } as const
