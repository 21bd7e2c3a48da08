/** What a server does at the moment, for its metrics and its log; and how it ends without losing calls. */
import type { Server } from 'node:http'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { Context, MiddlewareHandler } from 'hono'
import { requestId } from 'hono/request-id'
import { AppError } from '../../core/errors.ts'
import type { CallLoad } from '../calls/call-load.ts'
import { Emitter } from '../process/events.ts'
import type { LiveEvents } from './live-events.ts'

/** Milliseconds that cancelled calls have to end, and answers to be sent, after the time of a drain is over. */
export const endingMs = 800
/** How often idle connections of a server that ends are closed. */
const closeIdleMs = 20
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
  private drains = false

  constructor(load: CallLoad) {
    this.load = load
  }

  get isDraining(): boolean {
    return this.drains
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

declare module 'hono' {
  interface ContextVariableMap {
    activity: ServerActivity
  }
}

/** Makes the activity available to every route, and counts each request. */
export const withActivity = (activity: ServerActivity): MiddlewareHandler => {
  const identify = requestId()
  return async (context, next) => {
    context.set('activity', activity)
    if (!activity.answered.hasListeners && !activity.isDraining) return next()
    const startedAt = performance.now()
    await identify(context, next)
    // The client sends its next request to a server that stays.
    if (activity.isDraining) context.res.headers.set('Connection', 'close')
    activity.answered.emit({ context, durationMs: performance.now() - startedAt })
  }
}

/**
 * Ends the work of a server: it accepts no calls, ends event streams, waits up to `boundMs` milliseconds for the calls that
 * run, cancels the others, and stops listening once all answers are sent. Returns how many calls were cancelled. Resolves
 * within `boundMs` and two seconds.
 */
export async function drainServer(
  server: Server,
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
  await closeGently(server, Math.max(endingMs, deadline - performance.now()))
  return { cancelled: running + waiting }
}

/** Stops listening, and waits until the connections are closed, each after its answer; at most `maxMs` milliseconds. */
async function closeGently(server: Server, maxMs: number): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const timer = setInterval(() => server.closeIdleConnections(), closeIdleMs)
  await Promise.race([closed, setTimeoutPromise(maxMs, undefined, { ref: false })])
  clearInterval(timer)
}
