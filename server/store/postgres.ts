/** PostgreSQL through pg: a pool for queries, and one connection that receives the changes of other replicas. */
import { randomUUID } from 'node:crypto'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { parseJson } from '../../core/json/json.ts'
import { withoutPassword } from './location.ts'
import { migrate } from './migrate.ts'
import type { StoreConnection, StoreConnectionEvents } from './store.ts'
import { storeFailure } from './store-failure.ts'
import type { Tables } from './tables.ts'

const changesChannel = 'toolscope_changes'
const maxCloseMs = 1_000
const message = z.object({
  from: z.string(),
  kind: z.enum(['invocation', 'snapshot', 'example']),
  id: z.string(),
})

/** Numbers are kept below 2^53 by design (tables.ts), so int8 is read as a number. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
}

/** Rejects with any error; no connection stays open then. */
export async function connectPostgres(url: string, events: StoreConnectionEvents): Promise<StoreConnection> {
  const settings: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: 3_000,
    // A query on a locked table fails after this time instead of waiting.
    lock_timeout: 2_000,
    keepAlive: true,
    application_name: 'toolscope',
    types: types as pg.CustomTypesConfig,
  }
  const where = withoutPassword(url)
  const pool = new pg.Pool({ ...settings, max: 8, idleTimeoutMillis: 30_000, statement_timeout: 60_000 })
  // The server may close a connection that is idle or between two queries; without a listener that would end the
  // program.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: watched(pool, where, events) }),
  })
  try {
    await migrate(database, 'postgres')
    const me = randomUUID()
    const listener = await listenForChanges(settings, changesChannel, where, events, payload => {
      const parsed = message.safeParse(parseJson(payload))
      if (parsed.success && parsed.data.from !== me)
        events.changed({ kind: parsed.data.kind, id: parsed.data.id })
    })
    return {
      database,
      announce({ kind, id }) {
        const payload = JSON.stringify({ from: me, kind, id: id.slice(0, 1000) })
        pool.query('select pg_notify($1, $2)', [changesChannel, payload]).catch(() => undefined)
      },
      async close() {
        const closed = Promise.all([listener.close(), database.destroy()])
        // Does not wait longer for a server that does not answer.
        await Promise.race([closed, setTimeoutPromise(maxCloseMs, undefined, { ref: false })])
      },
    }
  } catch (thrown) {
    await database.destroy().catch(() => undefined)
    if (!pool.ended) await pool.end().catch(() => undefined)
    throw thrown
  }
}

/** The pool for Kysely, with every error and every success reported. */
function watched(pool: pg.Pool, where: string, events: StoreConnectionEvents): PostgresPool {
  function failed(thrown: unknown): unknown {
    const failure = storeFailure(thrown, where)
    if (failure === null) return thrown
    events.failed(failure)
    return failure.error
  }
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(thrown => {
        throw failed(thrown)
      })
      // Kysely uses only these two members of a client.
      return {
        release: () => client.release(),
        async query(text: unknown, parameters?: readonly unknown[]) {
          try {
            const result = await client.query(String(text), parameters as unknown[])
            events.worked()
            return result
          } catch (thrown) {
            throw failed(thrown)
          }
        },
      } as unknown as Awaited<ReturnType<PostgresPool['connect']>>
    },
  }
}

/* The connection that receives NOTIFY; reconnects whenever it is lost. */

const firstRetryMs = 500
const maxRetryMs = 10_000

/** Rejects if the first connection fails; later losses are reported to `events`, and it reconnects. */
async function listenForChanges(
  settings: pg.ClientConfig,
  channel: string,
  where: string,
  events: StoreConnectionEvents,
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
