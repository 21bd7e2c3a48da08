/**
 * Sends changed manifests and results through read, list, help, lint, prompt, diff and validate:
 * `npm run bench -- fuzz [--data DIR] [--count N] [--seed S] [--case I]`. DIR is a folder of manifests, by default the
 * repository's own. Exit code 1 if a step threw, took more than a second of processor time, or printed control
 * characters for a terminal.
 */
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type FuzzReport, fuzz, readSources } from './run-fuzz.ts'

/** A case without a message for this long counts as hanging. */
const maxCaseMs = 120_000

if (isMainThread) {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      count: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      case: { type: 'string' },
    },
  })
  const worker = new Worker(new URL(import.meta.url), {
    workerData: {
      sources: readSources(values.data),
      count: Number(values.count),
      seed: Number(values.seed),
      only: values.case === undefined ? undefined : Number(values.case),
    },
  })
  let current = 0
  let watch = setTimeout(giveUp, maxCaseMs)
  worker.on('message', (message: number | FuzzReport) => {
    clearTimeout(watch)
    if (typeof message !== 'number') return print(message)
    current = message
    watch = setTimeout(giveUp, maxCaseMs)
  })
  await once(worker, 'exit')
  clearTimeout(watch)

  function giveUp() {
    console.error(`case ${current} hangs: npm run bench -- fuzz --seed ${values.seed} --case ${current}`)
    process.exit(1)
  }
} else {
  const { sources, count, seed, only } = workerData
  parentPort?.postMessage(await fuzz(sources, count, seed, index => parentPort?.postMessage(index), only))
}

function print({ cases, steps, slowest, faults }: FuzzReport): void {
  for (const fault of faults.slice(0, 50))
    console.log(`case ${fault.case} (${fault.source}) ${fault.step}: ${fault.what}`)
  console.log(
    `${cases} cases, ${steps} steps, ${faults.length} faults; the slowest step took ${Math.round(slowest.ms)} ms (${slowest.step}, case ${slowest.case}).`,
  )
  process.exitCode = faults.length > 0 ? 1 : 0
}
