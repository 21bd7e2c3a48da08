/** PostgreSQL through pg: a pool for queries, and one connection that reads the changes of other replicas. */
import { randomBytes } from 'node:crypto'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import pg from 'pg'
import { z } from 'zod'
import { storeEvent } from '../../core/api/events.ts'
import { parseJson } from '../../core/json/json.ts'
import { ChangeGroups } from './change-groups.ts'
import { withoutPassword } from './location.ts'
import { migrate } from './migrate.ts'
import type { StoreChange, StoreConnection, StoreConnectionEvents } from './store.ts'
import { isConnectionLost, storeFailure } from './store-failure.ts'
import type { Tables } from './tables.ts'

const maxCloseMs = 1_000
/** Connections for queries; one more receives changes. */
const maxConnections = 8
/** How long a query waits for one of them, and a new one for the server. */
const maxConnectMs = 3_000
/** The server ends a query after this time. */
const maxQueryMs = 60_000
/** If not even the end of a query arrives, its connection is given up, which would otherwise be in use for hours. */
const maxAnswerMs = maxQueryMs + 15_000

/**
 * PostgreSQL guesses that each word is in half a percent of all calls. With ten million, it starts workers and compiles plans
 * for 80 to 350 ms, and then the search takes 1 to 15 ms.
 */
const plansOfSearches = 'set jit = off; set max_parallel_workers_per_gather = 0'

/** Numbers are kept below 2^53 by design (tables.ts), so int8 is read as a number. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format),
}

/** Rejects with any error; no connection stays open then. */
export async function connectPostgres(url: string, events: StoreConnectionEvents): Promise<StoreConnection> {
  const writer = `toolscope ${randomBytes(6).toString('base64url')}`
  const settings: pg.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: maxConnectMs,
    // A query on a locked table fails after this time instead of waiting.
    lock_timeout: 2_000,
    keepAlive: true,
    // The writer of a change, in the log of changes.
    application_name: writer,
    types: types as pg.CustomTypesConfig,
  }
  const where = withoutPassword(url)
  const pool = new pg.Pool({
    ...settings,
    max: maxConnections,
    idleTimeoutMillis: 30_000,
    statement_timeout: maxQueryMs,
    query_timeout: maxAnswerMs,
    onConnect: client => client.query(plansOfSearches),
  })
  // The server may close a connection that is idle or between two queries; without a listener that would end the
  // program.
  pool.on('error', () => undefined)
  pool.on('connect', client => client.on('error', () => undefined))
  const database = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: watched(pool, where, events) }),
  })
  try {
    await migrate(database, 'postgres')
    const log = await followChanges(settings, where, events)
    return {
      database,
      async logChanges(transaction, changes) {
        const groups = new ChangeGroups()
        for (const change of changes) groups.add(change)
        const body = JSON.stringify(groups.toEvents())
        await transaction.insertInto('changes').values({ body }).execute()
      },
      notify: () => log.notify(),
      pool: () => ({
        max: maxConnections,
        open: pool.totalCount,
        idle: pool.idleCount,
        waiting: pool.waitingCount,
      }),
      async close() {
        const closed = Promise.all([log.close(), database.destroy()])
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

/**
 * The pool for Kysely, with every error and every success reported. A wait for a connection that takes too long is an error
 * of its query: the store still works.
 */
function watched(pool: pg.Pool, where: string, events: StoreConnectionEvents): PostgresPool {
  function failed(thrown: unknown): unknown {
    const failure = storeFailure(thrown, where)
    if (failure === null) return thrown
    if (!failure.isBusy) events.failed(failure)
    return failure.error
  }
  return {
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect().catch(thrown => {
        throw failed(thrown)
      })
      let lost: unknown
      // Kysely uses only these two members of a client.
      return {
        // A query may still run on a connection that did not answer.
        release: () => client.release(lost !== undefined),
        async query(text: unknown, parameters?: readonly unknown[]) {
          if (lost !== undefined) throw lost
          try {
            const result = await client.query(String(text), parameters as unknown[])
            events.worked()
            return result
          } catch (thrown) {
            const error = failed(thrown)
            if (isConnectionLost(thrown)) lost = error
            throw error
          }
        },
      } as unknown as Awaited<ReturnType<PostgresPool['connect']>>
    },
  }
}

/*
 * The log of changes. NOTIFY only says that there is something to read: the changes themselves are always read from the
 * log, after a notification, after a reconnection, and regularly in case a notification was lost.
 */

const channel = 'toolscope_changes'
const firstRetryMs = 500
const maxRetryMs = 10_000
/** The shortest time between two readings, and between two notifications. */
const minReadMs = 200
/** The longest time between two readings. A connection that does not answer within this time is opened again. */
const maxReadMs = 5_000
const logMinutes = 10
const expireMs = 60_000

/** All kinds of changes, for a reader that was away for longer than the log is kept. */
const everything = (['invocation', 'snapshot', 'example'] as const).map(kind => ({ kind, id: '*' }))

interface LogRow {
  /** The first transaction that a reader of this moment may have missed. */
  readonly position: string
  readonly now: Date
  readonly is_old: boolean
  /** Null in the only row if there is nothing to read. */
  readonly seq: number | null
  readonly writer: string
  readonly body: string
}

/**
 * Reads the rows of the transactions since `$1`. A long transaction of another program would hold this number back, so
 * only rows of the two minutes before the last reading are read again: a transaction of Toolscope is shorter.
 */
const readLog = `with here as (select pg_snapshot_xmin(pg_current_snapshot()) as position, now() as now)
  select here.position::text, here.now, $2::timestamptz < here.now - interval '${logMinutes} minutes' as is_old,
    changes.seq, changes.writer, changes.body
  from here left join changes on changes.transaction >= $1::xid8 and changes.writer <> $3
    and changes.time > $2::timestamptz - interval '2 minutes'
  order by changes.seq`

/** The rows that a replica has read, and which it reads next. */
class ChangeReader {
  private readonly writer: string
  private position: string | undefined
  private readAt = new Date(0)
  /** The rows of the last reading: some of them are read again. */
  private seen: ReadonlySet<number> = new Set()

  constructor(writer: string) {
    this.writer = writer
  }

  /** Returns the changes since the last reading; the first reading returns none. */
  async read(client: pg.Client): Promise<readonly StoreChange[]> {
    const isFirst = this.position === undefined
    const { rows } = await client.query<LogRow>(readLog, [this.position ?? '0', this.readAt, this.writer])
    const [first] = rows
    if (first === undefined) return []
    const { seen } = this
    const read = rows.flatMap(row => (row.seq === null ? [] : [{ ...row, seq: row.seq }]))
    this.seen = new Set(read.map(({ seq }) => seq))
    this.position = first.position
    this.readAt = first.now
    if (isFirst) return []
    if (first.is_old) return everything
    return read.filter(({ seq }) => !seen.has(seq)).flatMap(({ body }) => parseChanges(body))
  }
}

const loggedChanges = z.array(storeEvent)

/** A body of another version of the program counts as a change of everything. */
function parseChanges(body: string): readonly StoreChange[] {
  const parsed = loggedChanges.safeParse(parseJson(body))
  if (!parsed.success) return everything
  return parsed.data.flatMap(({ ids = ['*'], ...about }) => ids.map(id => ({ ...about, id })))
}

/** Runs `work` soon after it is asked to, one run at a time, and waits `pauseMs` between two runs. */
class PacedWork {
  private readonly pauseMs: number
  private readonly work: () => Promise<void>
  private timer: NodeJS.Timeout | undefined
  private running = false
  private wanted = false
  private ranAt = Number.NEGATIVE_INFINITY

  /** @param work must not reject */
  constructor(pauseMs: number, work: () => Promise<void>) {
    this.pauseMs = pauseMs
    this.work = work
  }

  soon(): void {
    this.wanted = true
    if (this.running || this.timer !== undefined) return
    this.timer = setTimeout(
      () => void this.run(),
      Math.max(0, this.ranAt + this.pauseMs - performance.now()),
    ).unref()
  }

  stop(): void {
    clearTimeout(this.timer)
    this.running = true
  }

  private async run(): Promise<void> {
    this.timer = undefined
    this.wanted = false
    this.running = true
    await this.work()
    this.running = false
    this.ranAt = performance.now()
    if (this.wanted) this.soon()
  }
}

/** Rejects if the first connection fails; later losses are reported to `events`, and it reconnects. */
async function followChanges(
  settings: pg.ClientConfig,
  where: string,
  events: StoreConnectionEvents,
): Promise<{ notify(): void; close(): Promise<void> }> {
  const writer = settings.application_name ?? ''
  const reader = new ChangeReader(writer)
  let closed = false
  let client: pg.Client | undefined
  let retryTimer: NodeJS.Timeout | undefined
  let expiredAt = 0
  let lost: (thrown: unknown) => void = () => {}
  const use = async (work: (open: pg.Client) => Promise<void>) => {
    if (client !== undefined) await work(client).catch(lost)
  }
  const read = async (open: pg.Client) => {
    for (const change of await reader.read(open)) events.changed(change)
  }
  const notifying = new PacedWork(minReadMs, () =>
    use(async open => void (await open.query('select pg_notify($1, $2)', [channel, writer]))),
  )
  const reading = new PacedWork(minReadMs, () => use(read))
  const checking = setInterval(() => {
    reading.soon()
    if (performance.now() < expiredAt + expireMs) return
    expiredAt = performance.now()
    const expired = `delete from changes where time < now() - interval '${logMinutes} minutes'`
    void use(async open => void (await open.query(expired)))
  }, maxReadMs).unref()

  async function connect(): Promise<void> {
    // Each query of this connection fails after this time, also if the network is cut.
    const fresh = new pg.Client({ ...settings, query_timeout: maxReadMs })
    let alive = true
    const lose = (thrown: unknown) => {
      if (!alive) return
      alive = false
      fresh.end().catch(() => undefined)
      if (closed || client !== fresh) return
      client = undefined
      const failure = storeFailure(thrown, where)
      if (failure !== null) events.failed(failure)
      retry(firstRetryMs)
    }
    fresh.on('error', lose)
    fresh.on('end', () => lose(Object.assign(new Error('the connection ended'), { code: 'CLOSED' })))
    fresh.on('notification', ({ payload }) => payload !== writer && reading.soon())
    lost = lose
    try {
      await fresh.connect()
      await fresh.query(`listen ${channel}`)
      // After LISTEN, so that each later change either is read here or sends a notification.
      await read(fresh)
    } catch (thrown) {
      alive = false
      fresh.end().catch(() => undefined)
      throw thrown
    }
    if (closed) await fresh.end().catch(() => undefined)
    client = fresh
  }

  function retry(delay: number): void {
    retryTimer = setTimeout(() => {
      connect().then(
        () => events.worked(),
        () => !closed && retry(Math.min(delay * 2, maxRetryMs)),
      )
    }, delay)
    retryTimer.unref()
  }

  await connect()
  return {
    notify: () => notifying.soon(),
    async close() {
      closed = true
      clearInterval(checking)
      clearTimeout(retryTimer)
      reading.stop()
      notifying.stop()
      await client?.end().catch(() => undefined)
    },
  }
}
