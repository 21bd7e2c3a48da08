/** For tests with a limit on elapsed time: a busy machine may miss it once; a real fault misses it three times. */
export const aboutTime = { retry: 2 } as const
