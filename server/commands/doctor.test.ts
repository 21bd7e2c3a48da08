/** `toolscope doctor`: planted faults, each on a machine that is fine otherwise. */
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import Libsql from 'libsql'
import { describe, expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { type CheckedMachine, checkMachine } from './doctor-checks.ts'
import { runCommandLine } from './testkit.ts'

/** Creates a machine without faults: a home, a project, a data directory with a store and its keys, free ports. */
async function createMachine(folder: string): Promise<CheckedMachine> {
  const [home, directory, data, bin, inotifyFolder] = ['home', 'project', 'data', 'bin', 'inotify'].map(
    name => {
      mkdirSync(join(folder, name), { mode: 0o700 })
      return join(folder, name)
    },
  ) as [string, string, string, string, string]
  const environment = { HOME: home, PATH: bin, DISPLAY: ':0', TOOLSCOPE_DATA_DIR: data }
  writeFileSync(join(bin, 'firefox'), '', { mode: 0o755 })
  writeFileSync(join(inotifyFolder, 'max_user_watches'), '8192\n')
  writeFileSync(join(inotifyFolder, 'max_user_instances'), '128\n')
  writeFileSync(join(data, 'secret.key'), Buffer.alloc(32), { mode: 0o600 })
  writeFileSync(join(directory, 'tools.json'), '{"tools":[{"name":"one","inputSchema":{"type":"object"}}]}')
  writeFileSync(join(directory, 'toolscope.json'), '{"sources":{"one":{"manifest":"tools.json"}}}')
  const { code } = await runCommandLine(['snapshot'], { directory, environment })
  expect(code).toBe(0)
  return {
    directory,
    environment,
    home,
    platform: 'linux',
    nodeVersion: '20.19.0',
    inotifyFolder,
    port: await findFreePort(),
  }
}

async function findFreePort(): Promise<number> {
  const server = await listen(0)
  const { port } = server.address() as AddressInfo
  await close(server)
  return port
}

const listen = (port: number) =>
  new Promise<Server>(done => {
    const server = createServer((_request, answer) => answer.end('hello'))
    server.listen(port, '127.0.0.1', () => done(server))
  })

const close = (server: Server) => new Promise(done => server.close(done))

const dataOf = ({ environment }: CheckedMachine, name: string) =>
  join(environment.TOOLSCOPE_DATA_DIR ?? '', name)

interface PlantedFault {
  readonly name: string
  /** Plants the fault; returns what of the machine it replaces. */
  readonly plant: (machine: CheckedMachine) => Partial<CheckedMachine> | undefined
  readonly check: string
  readonly detail: string
  readonly cure: string
}

/** Writes a file, and replaces nothing of the machine. */
function plantFile(path: string, content: string | Buffer, mode = 0o600): undefined {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, content)
  chmodSync(path, mode)
  return undefined
}

const faults: readonly PlantedFault[] = [
  {
    name: 'an old Node',
    plant: () => ({ nodeVersion: '20.18.3' }),
    check: 'node',
    detail: 'Node 20.18.3 is too old',
    cure: 'Install Node 20.19 or newer',
  },
  {
    name: 'a file in place of the data directory',
    plant: ({ directory, environment }) => ({
      environment: { ...environment, TOOLSCOPE_DATA_DIR: join(directory, 'tools.json') },
    }),
    check: 'data',
    detail: 'tools.json is not a folder',
    cure: 'TOOLSCOPE_DATA_DIR=<folder>',
  },
  {
    name: 'a data directory in which others can write',
    plant: machine => void chmodSync(dataOf(machine, '.'), 0o777),
    check: 'data',
    detail: 'other users can write in ',
    cure: 'Run: chmod 700 ',
  },
  {
    name: 'a key that others can read',
    plant: machine => void chmodSync(dataOf(machine, 'secret.key'), 0o644),
    check: 'data',
    detail: 'secret.key',
    cure: 'Run: chmod 600 ',
  },
  {
    name: 'a cut key',
    plant: machine => plantFile(dataOf(machine, 'secret.key'), 'short'),
    check: 'key',
    detail: 'has 5 bytes, and must have 32',
    cure: 'Restore it from a backup.',
  },
  {
    name: 'a lost key of kept sources',
    plant(machine) {
      const database = new Libsql(dataOf(machine, 'toolscope.db'))
      database.exec("insert into sources (id, folder, position, body) values ('a', 'b', 1, 'c')")
      database.close()
      rmSync(dataOf(machine, 'secret.key'))
      return undefined
    },
    check: 'store',
    detail: 'secret.key is missing, and 1 kept source cannot be read',
    cure: 'Restore it from a backup of the data directory',
  },
  {
    name: 'a damaged store',
    plant(machine) {
      for (const name of ['toolscope.db-wal', 'toolscope.db-shm'])
        rmSync(dataOf(machine, name), { force: true })
      return plantFile(dataOf(machine, 'toolscope.db'), 'damaged '.repeat(2_000))
    },
    check: 'store',
    detail: 'the file is damaged',
    cure: 'Save what can be saved',
  },
  {
    name: 'a store of a newer version',
    plant(machine) {
      const database = new Libsql(dataOf(machine, 'toolscope.db'))
      database.exec("insert into toolscope_migrations (name, timestamp) values ('999-later', '2030-01-01')")
      database.close()
      return undefined
    },
    check: 'store',
    detail: '999-later',
    cure: 'Update Toolscope',
  },
  {
    name: 'a database that is not there',
    plant: ({ port }) => ({ database: `postgres://ada:secret@127.0.0.1:${port}/tools` }),
    check: 'store',
    detail: 'the database server cannot be reached',
    cure: 'Start the server or check TOOLSCOPE_DATABASE_URL',
  },
  {
    name: 'an unknown key in toolscope.json',
    plant: ({ directory }) => plantFile(join(directory, 'toolscope.json'), '{"source": {}}'),
    check: 'config',
    detail: 'did you mean "sources"?',
    cure: 'Fix the file at that location',
  },
  {
    name: 'a cut mcp.json',
    plant: ({ directory }) => plantFile(join(directory, 'mcp.json'), '{"mcpServers": {"one": {'),
    check: 'clients',
    detail: 'the JSON breaks off',
    cure: 'mcp.json',
  },
  {
    name: 'an empty file of a client',
    plant: ({ home }) => plantFile(join(home, '.cursor', 'mcp.json'), ''),
    check: 'clients',
    detail: 'Cursor: ',
    cure: 'Cursor cannot read it either',
  },
  {
    name: 'a browser that is missing',
    plant: ({ environment }) => ({ environment: { ...environment, BROWSER: 'netscape' } }),
    check: 'browser',
    detail: 'BROWSER names netscape, which is not on PATH',
    cure: '--no-open',
  },
  {
    name: 'a low limit for watched files',
    plant: ({ inotifyFolder }) => plantFile(join(inotifyFolder, 'max_user_watches'), '100\n'),
    check: 'watching',
    detail: 'fs.inotify.max_user_watches is lower than 8192',
    cure: 'Run: sudo sysctl fs.inotify.max_user_watches=65536',
  },
]

describe('toolscope doctor', () => {
  test('toolscope doctor: finds nothing wrong on a machine without faults', async ({ folder }) => {
    const findings = await checkMachine(await createMachine(folder))
    expect(findings.filter(({ isFine }) => !isFine)).toEqual([])
    expect(new Set(findings.map(({ check }) => check)).size).toBe(9)
  })

  test.for(faults)('toolscope doctor: names $name and its cure', async (fault, { folder }) => {
    const machine = await createMachine(folder)
    const findings = await checkMachine({ ...machine, ...fault.plant(machine) })
    const wrong = findings.filter(({ isFine }) => !isFine)
    const { check, detail, cure } = fault
    expect(wrong).toContainEqual({
      check,
      isFine: false,
      detail: expect.stringContaining(detail),
      cure: expect.stringContaining(cure),
    })
    expect(wrong.map(found => found.check)).toEqual([check])
    expect(JSON.stringify(findings)).not.toContain('secret@')
  })

  test('toolscope doctor: leaves the backup of a migration, however often it runs', async ({ folder }) => {
    const machine = await createMachine(folder)
    const backup = dataOf(machine, 'toolscope.db.before-002-labels')
    writeFileSync(backup, '', { mode: 0o600 })
    for (let run = 0; run < 2; run++) await checkMachine(machine)
    expect(existsSync(backup)).toBe(true)
  })

  test('toolscope doctor: names the program that uses the port', async ({ folder }) => {
    const machine = await createMachine(folder)
    const server = await listen(machine.port)
    const findings = await checkMachine(machine)
    await close(server)
    expect(findings.filter(({ isFine }) => !isFine)).toEqual([
      {
        check: 'port',
        isFine: false,
        detail: expect.stringContaining(` uses port ${machine.port}`),
        cure: expect.stringContaining(`toolscope --port ${machine.port + 1}`),
      },
    ])
    if (process.platform === 'linux') expect(JSON.stringify(findings)).toContain(`(process ${process.pid})`)
  })

  test('toolscope doctor: prints a line for each finding and exits with 2 if one is wrong', async ({
    folder,
  }) => {
    const { directory, environment } = await createMachine(folder)
    plantFile(join(directory, 'toolscope.json'), '{"sources": ')
    const options = { directory, environment }
    const run = await runCommandLine(['doctor'], options)
    expect(run).toMatchObject({ code: 2, stderr: '' })
    expect(run.stdout).toMatch(/^WRONG {2}config +.*toolscope\.json:1: .*\. Fix the file at that location/m)
    expect(run.stdout).toMatch(/^ok {5}store /m)
    const { code, stdout } = await runCommandLine(['doctor', '--json'], options)
    expect(code).toBe(2)
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ check: 'config', isFine: false }),
    )
  })

  test('toolscope doctor: creates nothing where nothing is', async ({ folder }) => {
    const { directory, environment } = await createMachine(folder)
    const missing = join(folder, 'missing')
    const { stdout } = await runCommandLine(['doctor'], {
      directory,
      environment: { ...environment, TOOLSCOPE_DATA_DIR: missing },
    })
    expect(stdout).toContain(`${missing} will be created when it is needed`)
    expect(existsSync(missing)).toBe(false)
  })
})
