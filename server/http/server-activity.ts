/** The state of a running server, for its metrics and its log, and how it ends without losing calls. */
import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setImmediate, setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { AppError } from '../../core/errors.ts'
import type { CallLoad } from '../calls/call-load.ts'
import { Emitter } from '../process/events.ts'
import type { LiveEvents } from './live-events.ts'

/** Milliseconds that cancelled calls have to end, and answers to be sent, after the time of a drain is over. */
export const endingMs = 800
/** Milliseconds in which requests that are on their way reach a server that accepts no connections any more. */
const arrivingMs = 100
/** How often a server that stops looks for answers that are not sent. */
const answersMs = 20
/** How soon a browser opens an event stream again. */
const reconnectMs = 1_000

export interface AnsweredRequest {
  readonly context: Context
  /** Milliseconds until the head of the answer. */
  readonly durationMs: number
}

export class ServerActivity {
  readonly load: CallLoad
  /** Emits each request when its answer begins. */
  readonly answered = new Emitter<AnsweredRequest>()
  /** The event streams of the pages; undefined before the application is built. */
  live: Pick<LiveEvents, 'counts' | 'close'> | undefined
  private readonly answers = new Set<ServerResponse>()
  private drains = false
  private opening: Promise<void> | undefined
  private server: Server | undefined

  constructor(load: CallLoad) {
    this.load = load
  }

  get isDraining(): boolean {
    return this.drains
  }

  get isOpening(): boolean {
    return this.opening !== undefined
  }

  /** Lets the calls that arrive at the start wait for the sources, until the returned function is called. */
  beginOpening(): () => void {
    let end = () => {}
    this.opening = new Promise<void>(resolve => {
      end = resolve
    }).then(() => {
      this.opening = undefined
    })
    return end
  }

  untilOpened(): Promise<void> | undefined {
    return this.opening
  }

  /** Follows the answers of a server until each is sent, or its client is gone. */
  follow(server: Server): void {
    this.server = server
    server.on('request', (_request, answer) => {
      this.answers.add(answer)
      answer.once('close', () => this.answers.delete(answer))
    })
  }

  /**
   * Accepts no further connections, so that a proxy connects to another server, and lets the requests arrive that were sent
   * over the open ones: a proxy does not repeat a call whose connection was reset.
   */
  async stopListening(): Promise<void> {
    if (this.server === undefined) return
    // Node has just accepted what waited in the system's queue, whose rest the system resets.
    await setImmediate()
    // Unlike that of an HTTP server, this method closes no idle connection, whose next request may be on its way.
    NetServer.prototype.close.call(this.server)
    await setTimeoutPromise(arrivingMs)
  }

  /** Resolves when all answers are sent, or after `maxMs` milliseconds. */
  async untilAnswered(maxMs: number): Promise<void> {
    const deadline = performance.now() + maxMs
    while (this.answers.size > 0 && performance.now() < deadline) await setTimeoutPromise(answersMs)
  }

  /** Throws AppError `draining` once the server stops. */
  demandOpen(): void {
    if (this.drains) throw new AppError('draining', 'it opens no event stream any more')
  }

  /** Refuses new calls and ends all event streams. */
  startDrain(): void {
    this.drains = true
    this.load.refuseNew()
    this.live?.close(reconnectMs)
  }
}

/** By request, because an application inside another one has a context of its own. */
const requestIds = new WeakMap<Request, string>()

/** Returns the id of a request for the log; undefined without a log. */
export const readRequestId = ({ req }: Context): string | undefined => requestIds.get(req.raw)

/** They name tools, which a server that has just been started does not know yet. */
const calls: ReadonlySet<string> = new Set(
  ['invocations', 'examples/run', 'generated-checks', 'compare'].map(path => `/api/${path}`),
)

/** Emits each request, lets calls wait for the sources of the start, and closes connections when the server stops. */
export const withActivity = (activity: ServerActivity): MiddlewareHandler => {
  const identify = requestId()
  return async (context, next) => {
    if (activity.isOpening && calls.has(context.req.path)) await activity.untilOpened()
    if (!activity.answered.hasListeners && !activity.isDraining) return next()
    const startedAt = performance.now()
    await identify(context, () => {
      requestIds.set(context.req.raw, context.get('requestId'))
      return next()
    })
    // The client sends its next request to a server that stays.
    if (activity.isDraining) context.res.headers.set('Connection', 'close')
    activity.answered.emit({ context, durationMs: performance.now() - startedAt })
  }
}

/**
 * Ends the work of a server: it accepts no calls, ends event streams, waits up to `boundMs` milliseconds for the calls that
 * run, cancels the others, and waits until all answers are sent. Meanwhile it says that it is not ready. Returns how many
 * calls were cancelled. Resolves within `boundMs` and twice `endingMs`.
 */
export async function drainServer(
  activity: ServerActivity,
  boundMs: number,
): Promise<{ readonly cancelled: number }> {
  const { load } = activity
  const deadline = performance.now() + boundMs
  activity.startDrain()
  await load.untilIdle(boundMs)
  const { running, waiting } = load.counts
  load.stopAll()
  await load.untilIdle(endingMs)
  await activity.stopListening()
  await activity.untilAnswered(Math.max(endingMs, deadline - performance.now()))
  return { cancelled: running + waiting }
}
