/** Functions that the benchmarks of the built program share. */
import { cpus, loadavg } from 'node:os'

/**
 * Measures each size, prints the results as a table or as JSON, and sets the exit code: 1 if a bar is missed.
 *
 * @param measure returns the results for a number of tools, each with its `bars`
 * @param print prints the table of all results; its second parameter is the machine's load before the first
 */
export async function measureAll({ tools, rounds, json }, measure, print) {
  const load = loadavg()[0]
  const measured = []
  for (const size of tools.split(',').map(Number)) measured.push(...(await measure(size)))
  const machine = { node: process.version, processors: cpus().length, load }
  if (json) console.log(JSON.stringify({ machine, rounds, measured }, null, 2))
  else print(measured, load)
  process.exitCode = measured.every(({ bars }) => bars.every(bar => bar.isMet)) ? 0 : 1
}

/** Returns the origin of a started Toolscope, from its ready line. Throws if it ends before. */
export async function readyAt(child) {
  return new URL(await readyUrl(child)).origin
}

/** Returns the whole address; `pattern` is the line of another program. */
export async function readyUrl(child, pattern = /^toolscope ready: (\S+)$/m) {
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    const url = pattern.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the server ended before it was ready')
}
