import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { WorkerPool } from './worker-pool.ts'

interface Reply {
  readonly request: unknown
  readonly threadId: number
}

const file = fileURLToPath(new URL('./fixtures/thread.mjs', import.meta.url))
let pool: WorkerPool<unknown, Reply>
const start = (maxThreads: number) => {
  pool = new WorkerPool(file, maxThreads)
}
const ask = (request: unknown, timeoutMs = 10_000, signal?: AbortSignal) =>
  pool.request(() => request, { timeoutMs, ...(signal ? { signal } : {}) })
afterEach(() => {
  vi.useRealTimers()
  return pool.close()
})

describe('worker pool', () => {
  it('uses one thread as long as one is enough', async () => {
    start(3)
    const first = await ask(1)
    expect(await ask(2)).toEqual({ request: 2, threadId: first.threadId })
  })

  it('ends a thread that is idle for 30 seconds, and starts one for the next request', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start(1)
    const first = await ask(1)
    vi.advanceTimersByTime(29_000)
    expect(await ask(2)).toEqual({ request: 2, threadId: first.threadId })
    vi.advanceTimersByTime(31_000)
    expect((await ask(3)).threadId).not.toBe(first.threadId)
  })

  it('ends a thread that was started ahead and is idle for 30 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    start(1)
    const started = once(process, 'worker')
    pool.startOne()
    const [worker] = await started
    await once(worker, 'message')
    const exited = once(worker, 'exit')
    vi.advanceTimersByTime(31_000)
    await exited
  })

  it('works on as many requests at once as it has threads', async () => {
    start(2)
    const replies = await Promise.all([1, 2, 3, 4].map(each => ask({ waitMs: 50, each })))
    expect(replies.map(({ request }) => request)).toEqual([1, 2, 3, 4].map(each => ({ waitMs: 50, each })))
    expect(new Set(replies.map(({ threadId }) => threadId)).size).toBe(2)
  })

  it('tells a request what was already sent to its thread', async () => {
    start(1)
    const schema = (text: string) => (sent: Set<string>) => {
      const isNew = !sent.has(text)
      sent.add(text)
      return isNew
    }
    const options = { timeoutMs: 10_000 }
    expect((await pool.request(schema('a'), options)).request).toBe(true)
    expect((await pool.request(schema('a'), options)).request).toBe(false)
    await expect(ask('exit')).rejects.toMatchObject({ reason: 'ended' })
    expect((await pool.request(schema('a'), options)).request).toBe(true)
  })

  it.each([
    ['throws', 'throw', 'failed', 'this request is bad'],
    ['ends its thread', 'exit', 'ended', 'the worker ended unexpectedly'],
    ['takes too long', 'hang', 'timeout', 'the worker took longer than 0.2 s and was stopped'],
    ['cannot be sent', () => {}, 'failed', expect.stringContaining('could not be cloned')],
  ])('rejects a request that %s, and answers the next one', async (_, request, reason, message) => {
    start(1)
    const failing = ask(request, 200)
    const next = ask('next')
    await expect(failing).rejects.toMatchObject({ reason, message })
    expect(await next).toMatchObject({ request: 'next' })
  })

  it.each([
    ['before', 0],
    ['while', 1],
  ])('rejects a request that is aborted %s a thread works on it', async (_, threads) => {
    start(1)
    const abort = new AbortController()
    const other = threads === 0 ? ask({ waitMs: 200 }) : undefined
    const aborted = ask('hang', 10_000, abort.signal)
    setTimeout(() => abort.abort(), 100)
    await expect(aborted).rejects.toMatchObject({ reason: 'aborted' })
    await expect(ask('hang', 10_000, abort.signal)).rejects.toMatchObject({ reason: 'aborted' })
    await other
    expect(await ask('next')).toMatchObject({ request: 'next' })
  })

  it('rejects all requests when it is closed', async () => {
    start(1)
    const requests = [ask('hang'), ask('waiting')]
    const settled = Promise.allSettled(requests)
    await pool.close()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
