import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { migrate, migrations } from './migrate.ts'
import type { Migration } from './migration.ts'
import type { StoreChange } from './store.ts'
import { databases, type TestDatabase } from './testkit.ts'

const extra: Migration = {
  name: '999-extra',
  async up(database) {
    await database.schema
      .createTable('extra')
      .addColumn('id', 'text', column => column.primaryKey())
      .execute()
  },
}

describe.each(databases)('store on $dialect', ({ create, dialect }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await create()
  })
  afterEach(() => database.remove())

  const row = (seq: number, id: string) => ({
    seq,
    id,
    ref: 'acme/greet',
    tool_key: 'k',
    source: 'acme',
    tool: 'greet',
    origin: 'page',
    duration_ms: 1.5,
    outcome: 'ok',
    input_verdict: 'valid',
    output_verdict: 'valid',
    preview: '{}',
    message: null,
    schema_hash: null,
    snapshot_id: null,
    size: 2,
  })

  async function addStep(name: string): Promise<void> {
    const store = await database.open()
    const step = { name, timestamp: '2026-01-01' }
    await store.database().insertInto('toolscope_migrations').values(step).execute()
    await store.close()
  }

  test('opens ready with its schema, and keeps numbers and bytes exactly', async () => {
    const store = await database.open()
    expect(store.status()).toMatchObject({ state: 'ready' })
    expect(store.dialect).toBe(dialect)
    const seq = 3_676_789_659_111_424
    await store.database().insertInto('invocations').values(row(seq, 'a')).execute()
    const input = Buffer.from([0, 1, 128, 255])
    await store
      .database()
      .insertInto('invocation_bodies')
      .values({ seq, input, result: input, logs: null })
      .execute()
    const body = await store.database().selectFrom('invocation_bodies').selectAll().executeTakeFirstOrThrow()
    expect(body.seq).toBe(seq)
    expect(Buffer.compare(body.input, input)).toBe(0)
    expect(body.logs).toBe(null)
    const returned = await store
      .database()
      .updateTable('invocations')
      .set({ pinned: 1 })
      .where('id', '=', 'a')
      .returning(['seq', 'pinned', 'duration_ms'])
      .executeTakeFirst()
    expect(returned).toEqual({ seq, pinned: 1, duration_ms: 1.5 })
  })

  test('still has its rows when it is opened again', async () => {
    const first = await database.open()
    await first.database().insertInto('invocations').values(row(1, 'a')).execute()
    await first.close()
    expect(() => first.database()).toThrow(/closed/)
    const second = await database.open()
    const { id } = await second.database().selectFrom('invocations').select('id').executeTakeFirstOrThrow()
    expect(id).toBe('a')
  })

  test('is opened by three programs at once, and creates the schema once', async () => {
    const stores = await Promise.all([database.open(), database.open(), database.open()])
    expect(stores.map(store => store.status().error)).toEqual([undefined, undefined, undefined])
    const steps = await stores[0]?.database().selectFrom('toolscope_migrations').select('name').execute()
    expect(steps?.map(step => step.name)).toEqual(migrations.map(step => step.name))
  })

  test('applies a new migration to an old database after a backup', async () => {
    const store = await database.open()
    await store.database().insertInto('invocations').values(row(1, 'a')).execute()
    const backups: string[] = []
    const backup = async (before: string) => void backups.push(before)
    await migrate(store.database(), dialect, { migrations: [...migrations, extra], backup })
    await sql`select id from extra`.execute(store.database())
    expect(await store.database().selectFrom('invocations').select('id').execute()).toEqual([{ id: 'a' }])
    expect(backups).toEqual(['999-extra'])
  })

  test('undoes a migration that fails, and is off when its own migration fails', async () => {
    const store = await database.open()
    const broken: Migration = {
      name: '999-broken',
      async up(transaction, kind) {
        await extra.up(transaction, kind)
        throw new Error('halfway')
      },
    }
    const attempt = migrate(store.database(), dialect, { migrations: [...migrations, broken] })
    await expect(attempt).rejects.toThrow('halfway')
    await migrate(store.database(), dialect, { migrations: [...migrations, extra] })
    await sql`select id from extra`.execute(store.database())

    // Without its first tables the schema is new to the program, which fails at those that are still there.
    for (const table of ['invocation_words', 'invocation_bodies', 'invocations', 'toolscope_migrations'])
      await store.database().schema.dropTable(table).execute()
    const off = await database.open()
    expect(off.status()).toMatchObject({ state: 'off', error: { code: 'store-failed' } })
    await expect(sql`select id from invocations`.execute(store.database())).rejects.toThrow('invocations')
  })

  test('refuses a database of a newer program and changes nothing in it', async () => {
    const old = await database.open()
    await old.database().insertInto('invocations').values(row(1, 'a')).execute()
    await addStep('999-extra')
    const content = async () => {
      const tables = await old.database().introspection.getTables()
      const rows = tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(old.database()))
      return [tables, (await Promise.all(rows)).map(result => result.rows)]
    }
    const found = await content()
    const said: string[] = []
    const store = await database.open({ say: line => said.push(line) })
    expect(store.status()).toMatchObject({ state: 'off', error: { code: 'store-newer' } })
    expect(store.status().error?.detail).toContain('999-extra')
    expect(said.join()).toContain('newer version')
    expect(() => store.database()).toThrow(/newer version/)
    expect(await content()).toEqual(found)
  })

  test('refuses a database made before version 0.1, and says what to do', async () => {
    await addStep('001-invocations')
    const { state, error } = (await database.open()).status()
    expect([state, error?.code]).toEqual(['off', 'store-failed'])
    expect(error?.detail).toBe('the database was made by a version before 0.1')
    expect(error?.hint).toContain('Move toolscope.db away')
  })

  test('emits a change here at once, and to other programs on PostgreSQL', async () => {
    const here = await database.open()
    const there = await database.open()
    const heard: string[] = []
    here.onChange(({ id }) => heard.push(`here ${id}`))
    const far = new Promise<StoreChange>(resolve => there.onChange(resolve))
    await here.write(async (_, changed) => changed({ kind: 'invocation', id: 'x', source: 'acme' }))
    expect(heard).toEqual(['here x'])
    if (dialect === 'postgres') {
      expect(await far).toEqual({ kind: 'invocation', id: 'x', source: 'acme' })
      expect(heard).toEqual(['here x'])
    }
  })

  test.skipIf(dialect === 'sqlite')('plans searches without workers and without compiled code', async () => {
    const store = await database.open()
    const settings = sql<{ jit: string; workers: string }>`
      select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as workers`
    expect((await settings.execute(store.database())).rows).toEqual([{ jit: 'off', workers: '0' }])
  })

  test.skipIf(dialect === 'sqlite')(
    'emits changes that commit in another order than they began',
    async () => {
      const here = await database.open()
      const there = await database.open()
      const heard: string[] = []
      there.onChange(({ id }) => heard.push(id))
      let finish = () => {}
      const isSecondRead = new Promise<void>(resolve => {
        finish = resolve
      })
      const first = here.write(async (transaction, changed) => {
        // The log's row of this transaction gets the lower number.
        await sql`select nextval(pg_get_serial_sequence('changes', 'seq'))`.execute(transaction)
        await transaction.insertInto('invocations').values(row(1, 'first')).execute()
        changed({ kind: 'invocation', id: 'first' })
        await isSecondRead
      })
      await here.write(async (_, changed) => changed({ kind: 'invocation', id: 'second' }))
      await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['second'])
      finish()
      await first
      await expect.poll(() => heard, { timeout: 30_000 }).toEqual(['second', 'first'])
    },
  )

  test('undoes a transaction that fails', async () => {
    const store = await database.open()
    const work = store
      .database()
      .transaction()
      .execute(async transaction => {
        await transaction.insertInto('invocations').values(row(1, 'a')).execute()
        await transaction.insertInto('invocations').values(row(1, 'b')).execute()
      })
    await expect(work).rejects.toThrow()
    expect(await store.database().selectFrom('invocations').select('id').execute()).toEqual([])
    expect(store.status().state).toBe('ready')
  })
})
