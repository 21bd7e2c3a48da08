/**
 * Loaded by `--import` before the program. On SIGUSR2 it writes `longest turn: 12.3` to stderr: the milliseconds of the
 * longest turn of the main thread's event loop since the last signal. On Linux that is processor time of this thread,
 * which other work on the machine does not change; elsewhere it is elapsed time.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const schedule = `/proc/self/task/${process.pid}/schedstat`
const now = existsSync(schedule)
  ? () => Number(readFileSync(schedule, 'latin1').split(' ')[0]) / 1e6
  : () => performance.now()

if (isMainThread) {
  let last = now()
  let longest = 0
  const turn = () => {
    const time = now()
    longest = Math.max(longest, time - last)
    last = time
  }
  setInterval(turn, 5).unref()
  process.on('SIGUSR2', () => {
    turn()
    process.stderr.write(`longest turn: ${longest.toFixed(1)}\n`)
    longest = 0
  })
}
