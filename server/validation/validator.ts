/** Validation as the rest of the server sees it: off the main thread, bounded in time, never a throw. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Validation } from '../../core/call/invocation.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'

export interface ValidationJob {
  readonly id: number
  readonly schemaText: string
  readonly value: unknown
}

export interface ValidationAnswer {
  readonly id: number
  readonly validation: Validation
}

export interface Validator {
  /** `no schema` where there is none; `unchecked`, with a note, when the schema is broken or takes too long. */
  validate(schema: JsonSchema | undefined, value: unknown): Promise<Validation>
  close(): Promise<void>
}

/** What loading the thread may add to its first job. */
const LOAD_ALLOWANCE_MS = 3_000

/** One worker, started with the first validation; a job that takes longer than `limitMs` costs the worker its life. */
export function createValidator(limitMs = 2_000): Validator {
  let worker: Worker | undefined
  let lastId = 0
  let queue: Promise<unknown> = Promise.resolve()

  const runOne = (job: ValidationJob): Promise<Validation> => {
    const fresh = worker === undefined
    const active = worker ?? startWorker()
    worker = active
    // Referenced while it owes an answer, so that the program does not end before it comes.
    active.ref()
    return new Promise(resolve => {
      const finish = (validation: Validation, keep: boolean) => {
        clearTimeout(timer)
        active.off('message', onMessage).off('error', onError).off('exit', onExit).unref()
        if (!keep) {
          worker = undefined
          void active.terminate()
        }
        resolve(validation)
      }
      const onMessage = (answer: ValidationAnswer) => finish(answer.validation, true)
      const onError = (error: unknown) => finish(unchecked(`The validator failed: ${error}`), false)
      const onExit = () => finish(unchecked('The validator ended unexpectedly.'), false)
      const late = unchecked(`Checking took longer than ${limitMs / 1000} s and was stopped.`)
      const timer = setTimeout(() => finish(late, false), limitMs + (fresh ? LOAD_ALLOWANCE_MS : 0))
      active.once('message', onMessage).once('error', onError).once('exit', onExit)
      try {
        active.postMessage(job)
      } catch (thrown) {
        finish(unchecked(`The value could not be handed over: ${thrown}`), false)
      }
    })
  }

  return {
    validate(schema, value) {
      if (schema === undefined) return Promise.resolve({ verdict: 'no schema', issues: [] })
      lastId += 1
      const job = { id: lastId, schemaText: JSON.stringify(schema), value }
      const answer = queue.then(() => runOne(job))
      queue = answer
      return answer
    },
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}

const unchecked = (note: string): Validation => ({ verdict: 'unchecked', issues: [], note })

/** In the built program the worker lies beside the bundle; run from source (tests), in the build's output. */
function startWorker(): Worker {
  const beside = fileURLToPath(new URL('./validation-worker.js', import.meta.url))
  const built = fileURLToPath(new URL('../../dist/server/validation-worker.js', import.meta.url))
  const worker = new Worker(existsSync(beside) ? beside : built)
  // An error between two jobs ends the thread; the next job starts another.
  worker.on('error', () => {})
  return worker
}
