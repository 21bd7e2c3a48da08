/** Counts tokens on a thread of its own, bounded in time. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { AppError } from '../../core/errors.ts'
import type { CountTexts } from '../../core/prompt/fields.ts'

export interface CountJob {
  readonly id: number
  readonly texts: readonly string[]
}

export interface CountAnswer {
  readonly id: number
  readonly counts: readonly number[]
}

/** A catalog of 5,000 tools takes five seconds; what takes longer than this is built to. */
const LIMIT_MS = 60_000

/**
 * One worker, started with the first count and kept, for it remembers what it counted. It holds no program open. A
 * count that takes longer than a minute rejects with an AppError and costs the worker its life.
 */
export function createTokenService(limitMs = LIMIT_MS): CountTexts {
  let worker: Worker | undefined
  let lastId = 0
  return texts => {
    const active = worker ?? start()
    if (worker !== active)
      active.once('exit', () => {
        if (worker === active) worker = undefined
      })
    worker = active
    lastId += 1
    const id = lastId
    return new Promise((resolve, reject) => {
      const finish = () => {
        clearTimeout(timer)
        active.off('message', onMessage).off('error', onError).off('exit', onExit)
      }
      const fail = (detail: string, cause?: unknown) => {
        finish()
        if (worker === active) worker = undefined
        void active.terminate()
        const hint = 'Choose fewer tools, or leave out those with very long schemas.'
        reject(new AppError('request-invalid', detail, { hint, cause }))
      }
      const onMessage = (answer: CountAnswer) => {
        if (answer.id !== id) return
        finish()
        resolve(answer.counts)
      }
      const onError = (error: unknown) => fail(`the tokens could not be counted: ${error}`, error)
      const onExit = () => fail('the thread that counts tokens ended')
      const late = () => fail(`counting the tokens took longer than ${limitMs / 1000} s and was stopped`)
      const timer = setTimeout(late, limitMs)
      timer.unref()
      active.on('message', onMessage).once('error', onError).once('exit', onExit)
      active.postMessage({ id, texts } satisfies CountJob)
    })
  }
}

function start(): Worker {
  const beside = new URL('./token-worker.js', import.meta.url)
  // Tests run from the sources, the program from its bundle.
  const file = existsSync(fileURLToPath(beside))
    ? beside
    : new URL('../../dist/server/token-worker.js', import.meta.url)
  const worker = new Worker(file)
  worker.setMaxListeners(0)
  // An error between two jobs ends the thread; the next job starts another.
  worker.on('error', () => {})
  worker.unref()
  return worker
}
