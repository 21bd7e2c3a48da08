import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import Libsql from 'libsql'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { keepInStore } from '../examples/keep-in-store.ts'
import { listInvocations } from './invocation-list.ts'
import { getInvocation } from './invocations.ts'
import { migrations } from './migrate.ts'
import { storedSnapshots } from './snapshots.ts'
import type { StoreDialect } from './store.ts'
import { databases, type TestDatabase } from './testkit.ts'

interface Statement {
  readonly sql: string
  readonly parameters?: readonly (string | number | null | { readonly base64: string })[]
}

/** Every statement by which version 0.1 made a database with two calls, two versions of a source and an example. */
const recorded: Record<StoreDialect, readonly Statement[]> = JSON.parse(
  readFileSync(fileURLToPath(new URL('./fixtures/database-of-0.1.json', import.meta.url)), 'utf8'),
)

async function replay(database: TestDatabase, dialect: StoreDialect): Promise<void> {
  const statements = recorded[dialect].map(({ sql, parameters = [] }) => ({
    sql,
    parameters: parameters.map(value =>
      typeof value === 'object' && value !== null ? Buffer.from(value.base64, 'base64') : value,
    ),
  }))
  if (dialect === 'sqlite') {
    const file = new Libsql(join(database.directory, 'toolscope.db'))
    for (const { sql, parameters } of statements) file.prepare(sql).run(parameters)
    file.close()
    return
  }
  const client = new pg.Client({ connectionString: database.environment.TOOLSCOPE_DATABASE_URL })
  await client.connect()
  for (const { sql, parameters } of statements) await client.query(sql, parameters)
  await client.end()
}

describe.each(databases)('a database that version 0.1 made, on $dialect', ({ create, dialect }) => {
  test.each([
    { steps: 'the same steps', more: [] },
    {
      steps: 'a new step',
      more: [
        {
          name: '999-more',
          up: database => database.schema.createTable('more').addColumn('id', 'text').execute(),
        } satisfies (typeof migrations)[number],
      ],
    },
  ])('opens with all its data with $steps', async ({ more }) => {
    const database = await create()
    try {
      await replay(database, dialect)
      const store = await database.open({ migrations: [...migrations, ...more] })
      expect(store.status()).toMatchObject({ state: 'ready' })
      const steps = await store.database().selectFrom('toolscope_migrations').select('name').execute()
      expect(steps.map(step => step.name)).toEqual([...migrations, ...more].map(step => step.name))

      const { invocations } = await listInvocations(store, { text: 'ada' }, { limit: 10 })
      expect(invocations).toHaveLength(2)
      const calls = await Promise.all(invocations.map(({ id }) => getInvocation(store, id)))
      expect(calls.map(call => call?.inputText)).toEqual(['{"name":"Ada"}', '{"name":"Ada"}'])
      const raws = calls.map(call => call?.events.at(-1)).map(end => (end?.type === 'result' ? end.raw : ''))
      expect(raws.sort()).toEqual([
        '{"greeting":"Hello Ada"}',
        expect.stringMatching(/^\{"items":\[\{"n":0,"name":"item 0"\}.*"item 59"\}\]\}$/),
      ])

      const snapshots = storedSnapshots(store)
      const list = await snapshots.list('acme')
      expect(list.map(({ number, labels }) => ({ number, labels }))).toEqual([
        { number: 2, labels: [] },
        { number: 1, labels: ['release'] },
      ])
      const manifest = await snapshots.manifestOf({ source: 'acme', number: 1 })
      expect(manifest.tools.map(tool => tool.inputSchema)).toEqual([
        { type: 'object', properties: { name: { type: 'string', maxLength: 10 } } },
        { type: 'object', properties: { name: { type: 'string', maxLength: 5 } } },
      ])

      const { examples } = await keepInStore(store).list({ source: 'acme', tool: 'greet' })
      expect(examples.map(example => example.name)).toEqual(['Ada'])
    } finally {
      await database.remove()
    }
  })
})
