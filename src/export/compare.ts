import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import { AppError } from '../../core/errors.ts'
import workerAddress from './diff.worker.ts?worker&url'
import type { DiffReply, DiffRequest } from './diff-protocol.ts'
import type { LoadPart } from './load-part.ts'

/** The differ has limits of its own; beyond this it hangs. */
const limitMs = 30_000

/** The worker's program is a part of the data: no worker can be started from a file of a folder on disk. */
const workerPart = workerAddress.replace(/^.*\//, '').replace(/\.js$/, '')

let starting: Promise<Worker> | undefined
let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (reply: DiffReply) => void>()

async function start(load: LoadPart): Promise<Worker> {
  const program = await load<string>(workerPart)
  const address = URL.createObjectURL(new Blob([program], { type: 'text/javascript' }))
  const started = new Worker(address)
  worker = started
  started.addEventListener('message', ({ data }: MessageEvent<DiffReply>) => waiting.get(data.id)?.(data))
  started.addEventListener('error', giveUp)
  return started
}

function giveUp(): void {
  worker?.terminate()
  worker = undefined
  starting = undefined
  for (const [id, settle] of waiting) settle({ id, failed: 'it took too long' })
}

/** Compares two manifests in a worker. Rejects with an AppError where that fails. */
export async function compareInWorker(load: LoadPart, a: DiffSide, b: DiffSide): Promise<DiffReport> {
  starting ??= start(load)
  starting.catch(() => {
    starting = undefined
  })
  const ready = await starting
  const id = ++lastId
  return new Promise((resolve, reject) => {
    const timer = setTimeout(giveUp, limitMs)
    waiting.set(id, reply => {
      clearTimeout(timer)
      waiting.delete(id)
      if ('report' in reply) resolve(reply.report)
      else reject(new AppError('internal', `The comparison failed: ${reply.failed}`))
    })
    ready.postMessage({ id, a, b } satisfies DiffRequest)
  })
}
