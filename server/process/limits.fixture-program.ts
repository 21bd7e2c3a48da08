/**
 * Reads an address (the first argument) to its end with a limit of 300 ms, while the garbage is collected every 50 ms.
 * Prints how it ended and after how many milliseconds. Run it with `--expose-gc`.
 */
import { fetchAddress } from '../fetch/fetch-address.ts'
import { runWithLimit } from './run-with-limit.ts'

const [address = ''] = process.argv.slice(2)
setInterval(() => globalThis.gc?.(), 50).unref()

// Loaded on demand by the first request: not part of the time.
await fetchAddress('http://127.0.0.1:1/').catch(() => {})
const started = performance.now()
const ending = await runWithLimit([new AbortController().signal], 300, async signal =>
  (await fetchAddress(address, { signal })).text(),
).catch((thrown: Error) => thrown.name)
process.stdout.write(JSON.stringify({ ending, ms: performance.now() - started }))
process.exit()
