/**
 * Sends changed manifests and results through read, list, help, lint, prompt, diff and validate:
 * `npm run bench -- fuzz [--data DIR] [--count N] [--seed S] [--case I]`. DIR is a folder of manifests, by default the
 * repository's own. A step must not throw, take more than a second of processor time, or print control characters for a
 * terminal.
 */
import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { type FuzzReport, fuzz } from '../scripts/fuzz.testkit.ts'
import { printReport, readOptions } from './harness.mjs'
import { readManifestTexts } from './manifests.ts'

/** A case without a message for this long counts as hanging. */
const maxCaseMs = 120_000

if (isMainThread) {
  const { data, count, seed, case: only } = readOptions({ data: '', count: '1000', seed: '1', case: '' })
  const worker = new Worker(new URL(import.meta.url), {
    workerData: {
      sources: readManifestTexts(data),
      count: Number(count),
      seed: Number(seed),
      only: only === '' ? undefined : Number(only),
    },
  })
  let current = 0
  const watch = setTimeout(() => {
    console.error(`case ${current} hangs: npm run bench -- fuzz --seed ${seed} --case ${current}`)
    process.exit(1)
  }, maxCaseMs)
  worker.on('message', (message: number | FuzzReport) => {
    watch.refresh()
    if (typeof message === 'number') current = message
    else print(message)
  })
  await once(worker, 'exit')
  clearTimeout(watch)
} else {
  const { sources, count, seed, only } = workerData
  parentPort?.postMessage(await fuzz(sources, count, seed, index => parentPort?.postMessage(index), only))
}

function print({ cases, steps, slowest, faults }: FuzzReport): void {
  printReport({
    tables: {
      fuzz: {
        cases,
        steps,
        faults: faults.length,
        slowestMs: slowest.ms,
        at: `${slowest.step}, case ${slowest.case}`,
      },
    },
    bars: [{ name: 'faults', value: faults.length, max: 0 }],
  })
  for (const fault of faults.slice(0, 50))
    console.error(`case ${fault.case} (${fault.source}) ${fault.step}: ${fault.what}`)
}
