/** A PostgreSQL server of Debian's package (or any other on PATH) in a temporary folder, on a free loopback port. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/test-processes.ts'

export interface PostgresServer {
  /** Of a database that tests may administer, not fill. */
  readonly url: string
  readonly port: number
  /** Ends it at once, as a crash would; `start` brings it back with its data, on the same port. */
  kill(): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. */
  stop(): Promise<void>
}

/** The folder of `initdb` and `postgres`, newest version first; null where there is none. */
export function findPostgres(): string | null {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':').filter(folder => folder !== ''),
  ]
  return folders.find(folder => existsSync(join(folder, 'initdb'))) ?? null
}

/** It refuses to run as root; then it runs as the user that the package made. */
function userToRunAs(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/**
 * Rejects when there are no server programs. Ends with the process at the latest.
 *
 * @param more settings such as `shared_buffers=256MB`; a test's data need not survive the machine: `fsync=off`
 */
export async function startPostgres(more: readonly string[] = ['fsync=off']): Promise<PostgresServer> {
  const folder = findPostgres()
  if (folder === null) throw new Error('there is no PostgreSQL here')
  const user = userToRunAs()
  const data = mkdtempSync(join(tmpdir(), 'toolscope-postgres-'))
  if (user) chownSync(data, user.uid, user.gid)
  execFileSync(
    join(folder, 'initdb'),
    ['-D', data, '-U', 'toolscope', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...user, cwd: data, stdio: 'pipe' },
  )
  const port = await freePort()
  const url = `postgres://toolscope@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const settings = [...more, 'unix_socket_directories=', 'listen_addresses=127.0.0.1', 'max_connections=60']
    child = spawn(
      join(folder ?? '', 'postgres'),
      ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])],
      { ...user, cwd: data, stdio: 'ignore' },
    )
    await untilAnswers(url)
  }

  /** `SIGQUIT` ends every one of its processes without a word to the clients, as a crash does. */
  function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child
    child = undefined
    if (ending === undefined || ending.exitCode !== null) return Promise.resolve()
    return new Promise(resolve => {
      ending.once('exit', () => resolve())
      ending.kill(signal)
    })
  }

  const leave = () => {
    child?.kill('SIGQUIT')
    rmSync(data, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
  process.once('exit', leave)
  await start()
  return {
    url,
    port,
    start,
    kill: () => end('SIGQUIT'),
    async stop() {
      process.off('exit', leave)
      await end('SIGQUIT')
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function untilAnswers(url: string): Promise<void> {
  const end = Date.now() + 30_000
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (thrown) {
      await client.end().catch(() => undefined)
      if (Date.now() > end) throw thrown
      await setTimeout(50)
    }
  }
}
