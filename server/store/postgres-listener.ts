/** The connection that receives NOTIFY; reconnects whenever it is lost. */
import pg from 'pg'
import { storeFailure } from './failure.ts'
import type { ConnectionEvents } from './store.ts'

const firstRetryMs = 500
const maxRetryMs = 10_000

/** Rejects when the first connection cannot be made; later losses are reported to `events`, and it reconnects. */
export async function listenForChanges(
  settings: pg.ClientConfig,
  channel: string,
  where: string,
  events: ConnectionEvents,
  onPayload: (payload: string) => void,
): Promise<{ close(): Promise<void> }> {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    const fresh = new pg.Client(settings)
    let alive = true
    const lose = (thrown: unknown) => {
      if (!alive) return
      alive = false
      fresh.end().catch(() => undefined)
      if (closed || client !== fresh) return
      const failure = storeFailure(thrown, where)
      if (failure !== null) events.failed(failure)
      retry(firstRetryMs)
    }
    fresh.on('error', lose)
    fresh.on('end', () => lose(Object.assign(new Error('the connection ended'), { code: 'CLOSED' })))
    fresh.on('notification', ({ payload }) => onPayload(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
    } catch (thrown) {
      alive = false
      fresh.end().catch(() => undefined)
      throw thrown
    }
    if (closed) await fresh.end().catch(() => undefined)
    client = fresh
  }

  function retry(delay: number): void {
    timer = setTimeout(() => {
      connect().then(
        () => events.worked(),
        () => !closed && retry(Math.min(delay * 2, maxRetryMs)),
      )
    }, delay)
    timer.unref()
  }

  await connect()
  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
