/** The servers of `npm run bench -- team` and their faults: replicas of the built program, and their database. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { PostgresServer } from '../server/store/postgres.testkit.ts'

const root = process.cwd()
export const token = 'bench-0123456789abcdef'
const faultMs = 10_000
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const config = join(folder, 'toolscope.json')
writeFileSync(
  config,
  JSON.stringify({
    history: { calls: 10_000_000 },
    sources: { bench: { mcp: { command: [process.execPath, join(root, 'bench/tool-server.mjs'), '20'] } } },
  }),
)

export interface Replica {
  readonly origin: string
  readonly pid: () => number
  kill(): Promise<void>
  close(): Promise<void>
}

/** @param stderr of the replica */
export async function startReplica(
  name: string,
  databaseUrl: string,
  stderr: 'inherit' | 'ignore',
): Promise<Replica> {
  const data = join(folder, name)
  mkdirSync(data)
  let port = '0'
  let child: ChildProcess
  async function start(): Promise<string> {
    const program = [join(root, 'dist/server/main.js'), 'serve', '--no-open', '--port', port]
    child = spawn(process.execPath, [...program, '--config', config, '--trust'], {
      cwd: folder,
      env: {
        ...process.env,
        TOOLSCOPE_TOKEN: token,
        TOOLSCOPE_DATABASE_URL: databaseUrl,
        TOOLSCOPE_DATA_DIR: data,
      },
      stdio: ['ignore', 'pipe', stderr],
    })
    children.add(child)
    let text = ''
    for await (const chunk of child.stdout ?? []) {
      text += chunk
      const url = /^toolscope ready: (\S+)$/m.exec(text)?.[1]
      if (url === undefined) continue
      port = new URL(url).port
      child.stdout?.resume()
      return new URL(url).origin
    }
    throw new Error(`the replica ended before it was ready: ${text}`)
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
    children.delete(child)
  }
  return {
    origin: await start(),
    pid: () => child.pid ?? 0,
    async kill() {
      await end('SIGKILL')
      await start()
    },
    close: () => end('SIGTERM'),
  }
}

// Neither a replica nor the database outlives the benchmark.
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Between the replicas and the database: a network that can be cut. */
export async function startNetwork(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', chunk => {
        if (!other.write(chunk)) one.pause()
      })
      one.on('drain', () => isCut || other.resume())
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.end()
      })
      if (isCut) one.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async cut() {
      isCut = true
      for (const socket of sockets) socket.pause()
      await setTimeout(faultMs)
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Takes every connection of the database, also those of the replicas, and gives them back later. */
export async function fillPool(url: string): Promise<void> {
  const taken: pg.Client[] = []
  const take = async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'bench' })
    client.on('error', () => undefined)
    await client.connect().then(
      () => taken.push(client),
      () => undefined,
    )
  }
  await take()
  await taken[0]?.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'toolscope%'`,
  )
  for (const end = performance.now() + faultMs; performance.now() < end; await setTimeout(20))
    await Promise.all(Array.from({ length: 8 }, take))
  await Promise.all(taken.map(client => client.end().catch(() => undefined)))
}

/** Megabytes in memory. */
export function readMemory({ pid }: Replica): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

/** Milliseconds of processor time since the start of the process. */
export function readProcessorMs({ pid }: Replica): number {
  const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(' ')
  // In hundredths of a second: proc_pid_stat(5).
  return (Number(fields[13]) + Number(fields[14])) * 10
}

/** Ends it as a crash would. */
export async function restartDatabase({ kill, start }: PostgresServer): Promise<void> {
  await kill()
  await setTimeout(2_000)
  await start()
}
