/**
 * Loaded into a program before its own code (`--expose-gc --import`): collects the garbage of each thread every 50 ms,
 * as a long run does now and then.
 */
setInterval(() => globalThis.gc(), 50).unref()
