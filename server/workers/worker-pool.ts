/**
 * Threads that answer requests: one request at a time each, limited in time and memory. A thread that fails is
 * replaced. A thread with a slow request makes room for another thread, so that requests of one origin do not delay the
 * others.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { toErrorMessage } from '../../core/errors.ts'
import type { ThreadMessage, WorkerRequest } from './answer-requests.ts'

/** Time limit for a thread to load its modules. */
const startTimeoutMs = 30_000
/** A request that takes longer is slow. */
const slowAfterMs = 100
/**
 * Slow requests of one origin that run at the same time; its others wait. Half of the processors stay free for other
 * work.
 */
const maxSlowOfOrigin = Math.max(1, Math.floor(availableParallelism() / 2))
/** A thread that is idle for this long ends. */
const maxIdleMs = 30_000
/** Limits the young generation: the program keeps Node's default of 48 MB once it was used. */
const maxYoungMb = 8
/** A thread that needs more ends; the program goes on. */
const defaultHeapMb = 1_024

export class WorkerError extends Error {
  /** `failed`: the request threw · `ended`: the thread broke, or the pool was closed */
  readonly reason: 'timeout' | 'aborted' | 'failed' | 'ended'

  constructor(reason: WorkerError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Makes the message for a thread. `sent` holds what earlier messages to this thread have added to it. */
export type MakeRequest<Request> = (sent: Set<string>) => Request

export interface RequestOptions {
  /** Milliseconds from the moment a thread starts the request, after which the thread is ended. */
  readonly timeoutMs: number
  /** The origin, such as the source of the schema; each request without one is an origin of its own. */
  readonly origin?: string
  /** Ends the thread that handles the request. */
  readonly signal?: AbortSignal
}

interface Job<Request, Reply> {
  readonly id: number
  readonly make: MakeRequest<Request>
  readonly options: RequestOptions
  resolve(reply: Reply): void
  reject(error: WorkerError): void
}

interface Thread<Request, Reply> {
  readonly worker: Worker
  readonly sent: Set<string>
  ready: boolean
  isSlow: boolean
  job?: Job<Request, Reply>
  timer?: NodeJS.Timeout
  slowTimer?: NodeJS.Timeout
}

export class WorkerPool<Request, Reply> {
  private readonly file: string
  private readonly maxThreads: number
  private readonly maxSlowThreads: number
  private readonly maxHeapMb: number
  private readonly threads = new Set<Thread<Request, Reply>>()
  private readonly waiting: Job<Request, Reply>[] = []
  private lastId = 0

  /**
   * Starts no thread yet. Idle threads do not keep the program running.
   *
   * @param file absolute path of the thread's module, which calls `answerRequests`
   * @param maxSlowThreads additional threads for slow requests
   */
  constructor(file: string, maxThreads: number, maxSlowThreads = 0, maxHeapMb = defaultHeapMb) {
    this.maxHeapMb = maxHeapMb
    this.file = file
    this.maxThreads = maxThreads
    this.maxSlowThreads = maxSlowThreads
  }

  startOne(): void {
    if (this.threads.size === 0) this.start()
  }

  /** Rejects with WorkerError. */
  request(make: MakeRequest<Request>, options: RequestOptions): Promise<Reply> {
    const { signal } = options
    return new Promise<Reply>((resolve, reject) => {
      this.lastId += 1
      const job = { id: this.lastId, make, options, resolve, reject }
      const abort = () => this.abort(job)
      const settle = () => signal?.removeEventListener('abort', abort)
      job.resolve = reply => {
        settle()
        resolve(reply)
      }
      job.reject = error => {
        settle()
        reject(error)
      }
      if (signal?.aborted) {
        job.reject(new WorkerError('aborted', 'the request was aborted'))
        return
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.waiting.push(job)
      this.assign()
    })
  }

  /** Ends all threads. Running requests reject. */
  async close(): Promise<void> {
    const threads = [...this.threads]
    const closed = () => new WorkerError('ended', 'the worker was closed')
    for (const job of this.waiting.splice(0)) job.reject(closed())
    for (const thread of threads) this.end(thread, closed())
    await Promise.all(threads.map(({ worker }) => worker.terminate()))
  }

  /**
   * Gives waiting requests to idle threads: first to one that is ready, then to one that is starting, else to a new
   * one.
   */
  private assign(): void {
    while (true) {
      const job = this.nextJob()
      if (job === undefined) return
      const idle = [...this.threads].filter(thread => thread.job === undefined)
      const thread = idle.find(each => each.ready) ?? idle[0] ?? (this.hasRoom() ? this.start() : undefined)
      if (thread === undefined) return
      this.waiting.splice(this.waiting.indexOf(job), 1)
      thread.job = job
      thread.worker.ref()
      if (thread.ready) this.send(thread)
    }
  }

  /** Returns the oldest request of the origin that has the fewest threads. */
  private nextJob(): Job<Request, Reply> | undefined {
    const busy = new Map<string, number>()
    const slow = new Map<string, number>()
    for (const { job, isSlow } of this.threads) {
      const origin = job?.options.origin
      if (origin === undefined) continue
      busy.set(origin, (busy.get(origin) ?? 0) + 1)
      if (isSlow) slow.set(origin, (slow.get(origin) ?? 0) + 1)
    }
    let next: Job<Request, Reply> | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const job of this.waiting) {
      const { origin = '' } = job.options
      const count = busy.get(origin) ?? 0
      if (count >= fewest || (slow.get(origin) ?? 0) >= maxSlowOfOrigin) continue
      next = job
      fewest = count
      if (count === 0) break
    }
    return next
  }

  private hasRoom(): boolean {
    const slow = [...this.threads].filter(({ isSlow }) => isSlow).length
    return this.threads.size - slow < this.maxThreads
  }

  /** Frees the slow thread's place for another thread. */
  private slowDown(thread: Thread<Request, Reply>): void {
    if ([...this.threads].filter(({ isSlow }) => isSlow).length >= this.maxSlowThreads) return
    thread.isSlow = true
    this.assign()
  }

  private start(): Thread<Request, Reply> {
    const worker = new Worker(this.file, {
      resourceLimits: { maxOldGenerationSizeMb: this.maxHeapMb, maxYoungGenerationSizeMb: maxYoungMb },
    })
    const thread: Thread<Request, Reply> = { worker, sent: new Set(), ready: false, isSlow: false }
    this.threads.add(thread)
    worker.unref()
    worker.on('message', (message: ThreadMessage<Reply>) => this.receive(thread, message))
    worker.on('error', error => this.end(thread, new WorkerError('ended', `the worker failed: ${error}`)))
    worker.on('exit', () => this.end(thread, new WorkerError('ended', 'the worker ended unexpectedly')))
    this.limit(thread, startTimeoutMs, 'the worker did not start in time')
    return thread
  }

  private send(thread: Thread<Request, Reply>): void {
    const { job } = thread
    if (job === undefined) return
    const { timeoutMs } = job.options
    this.limit(thread, timeoutMs, `the worker took longer than ${timeoutMs / 1000} s and was stopped`)
    thread.slowTimer = setTimeout(() => this.slowDown(thread), slowAfterMs)
    thread.slowTimer.unref()
    try {
      const message: WorkerRequest<Request> = { id: job.id, request: job.make(thread.sent) }
      thread.worker.postMessage(message)
    } catch (thrown) {
      this.end(thread, new WorkerError('failed', toErrorMessage(thrown)))
    }
  }

  private receive(thread: Thread<Request, Reply>, message: ThreadMessage<Reply>): void {
    clearTimeout(thread.timer)
    clearTimeout(thread.slowTimer)
    if (message === 'ready') {
      thread.ready = true
      if (thread.job === undefined) this.limitIdle(thread)
      else this.send(thread)
      return
    }
    const { job } = thread
    delete thread.job
    thread.worker.unref()
    if ('error' in message) job?.reject(new WorkerError('failed', message.error))
    else job?.resolve(message.reply)
    const isSpare = thread.isSlow && !this.hasRoom()
    thread.isSlow = false
    if (isSpare) this.end(thread, new WorkerError('ended', 'the worker was not needed any more'))
    else {
      this.assign()
      if (thread.job === undefined) this.limitIdle(thread)
    }
  }

  private limitIdle(thread: Thread<Request, Reply>): void {
    this.limit(thread, maxIdleMs, 'the worker was not needed any more')
  }

  private limit(thread: Thread<Request, Reply>, timeoutMs: number, message: string): void {
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => this.end(thread, new WorkerError('timeout', message)), timeoutMs)
    thread.timer.unref()
  }

  private abort(job: Job<Request, Reply>): void {
    const error = new WorkerError('aborted', 'the request was aborted')
    const thread = [...this.threads].find(each => each.job === job)
    if (thread !== undefined) this.end(thread, error)
    else if (this.waiting.includes(job)) {
      this.waiting.splice(this.waiting.indexOf(job), 1)
      job.reject(error)
    }
  }

  private end(thread: Thread<Request, Reply>, error: WorkerError): void {
    if (!this.threads.delete(thread)) return
    clearTimeout(thread.timer)
    clearTimeout(thread.slowTimer)
    void thread.worker.terminate()
    thread.job?.reject(error)
    this.assign()
  }
}
