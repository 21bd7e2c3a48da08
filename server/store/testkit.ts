/**
 * Both databases for tests: SQLite in a temporary folder; PostgreSQL by `TOOLSCOPE_TEST_POSTGRES`, else by the
 * server programs of the machine, started once for all test files (testing/global-setup.ts). `describe.each(databases)`
 * runs a suite against each; where there is no PostgreSQL that half is skipped, and a line says so.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { openStore, type StoreOptions } from './open-store.ts'
import { findPostgres } from './postgres.testkit.ts'
import type { Store, StoreDialect } from './store.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the URL of the PostgreSQL server of the run (testing/global-setup.ts). */
    postgresAddress: string
  }
}

/** An empty database of its own. Open it as often as a test likes. */
export interface TestDatabase {
  /** What to hand to `openStore` or, as its environment, to a child process. */
  readonly environment: NodeJS.ProcessEnv
  /** The data directory; for SQLite `toolscope.db` is in it. */
  readonly directory: string
  open(options?: Partial<StoreOptions>): Promise<Store>
  /** Closes every store that it opened and takes the database away. */
  remove(): Promise<void>
}

export interface DatabaseKind {
  readonly dialect: StoreDialect
  /** Give it to `describe.skipIf(!available)` where `describe.each` is not used. */
  readonly available: boolean
  create(): Promise<TestDatabase>
}

/** The URL of the PostgreSQL server of this run; it is started when first asked for. */
async function sharedPostgres(): Promise<string> {
  const response = await fetch(inject('postgresAddress'))
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

/** SQLite alone, for tests that are not about the store. */
export const sqlite: DatabaseKind = {
  dialect: 'sqlite',
  available: true,
  async create() {
    return testDatabase({}, () => Promise.resolve())
  },
}

const postgres: DatabaseKind = {
  dialect: 'postgres',
  available: Boolean(process.env.TOOLSCOPE_TEST_POSTGRES) || findPostgres() !== null,
  async create() {
    const base = process.env.TOOLSCOPE_TEST_POSTGRES ?? (await sharedPostgres())
    const name = `toolscope_test_${randomBytes(6).toString('hex')}`
    await administer(base, `create database ${name}`)
    const url = new URL(base)
    url.pathname = `/${name}`
    return testDatabase({ TOOLSCOPE_DATABASE_URL: url.href }, () =>
      administer(base, `drop database if exists ${name} with (force)`),
    )
  },
}

/** Those that are there. */
export const databases: readonly DatabaseKind[] = [sqlite, postgres].filter(kind => kind.available)

if (!postgres.available)
  console.warn(
    'NOTICE: there is no PostgreSQL here; the store is tested on SQLite only (apt-get install postgresql).',
  )

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function testDatabase(settings: NodeJS.ProcessEnv, drop: () => Promise<void>): TestDatabase {
  const directory = mkdtempSync(join(tmpdir(), 'toolscope-store-'))
  const environment = { TOOLSCOPE_DATA_DIR: directory, ...settings }
  const opened: Store[] = []
  return {
    environment,
    directory,
    async open(options = {}) {
      const store = await openStore({ environment, say: () => undefined, ...options })
      opened.push(store)
      return store
    },
    async remove() {
      for (const store of opened) await store.close()
      await drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
