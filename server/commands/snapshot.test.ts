import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Command, CommandContext } from './command.ts'
import { diffCommand } from './diff.ts'
import { listCommand } from './list.ts'
import { snapshotCommand } from './snapshot.ts'

let folder: string
let said: string[]
let context: CommandContext

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-snapshot-')))
  said = []
  context = {
    directory: folder,
    environment: {
      PATH: process.env.PATH,
      TOOLSCOPE_DATA_DIR: join(folder, 'data'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    say: line => said.push(line),
    write: () => {},
    readStdin: async () => '',
    signal: new AbortController().signal,
  }
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (name: string, maximum: number, more: readonly object[] = []) =>
  writeFileSync(
    join(folder, name),
    JSON.stringify({
      tools: [
        {
          name: 'send',
          inputSchema: { properties: { n: { maximum, type: 'integer' } }, required: ['n'], type: 'object' },
        },
        ...more,
      ],
    }),
  )

// The output's shape is each command's own; a test that reads it wrongly fails.
// biome-ignore lint/suspicious/noExplicitAny: see above
const run = async (command: Command, input: object): Promise<{ output: any; exitCode?: number }> =>
  command.run(command.input.parse(input), context)

describe('toolscope snapshot', () => {
  test('keeps one version per change, under a label, and `toolscope list` lists the versions', async () => {
    write('acme.json', 100)
    const first = await run(snapshotCommand, { sources: ['acme.json'], label: 'v1' })
    expect(first.output.snapshots).toMatchObject([
      { reference: 'acme@1', added: true, labels: ['v1'], toolCount: 1, cause: 'command' },
    ])
    expect((await run(snapshotCommand, { sources: ['acme.json'] })).output.snapshots).toMatchObject([
      { reference: 'acme@1', added: false },
    ])
    write('acme.json', 50)
    await run(snapshotCommand, { sources: ['acme.json'] })
    const { output } = await run(listCommand, { snapshots: true })
    expect(output.snapshots.map((each: { reference: string }) => each.reference)).toEqual([
      'acme@2',
      'acme@1',
    ])
    await expect(run(listCommand, { snapshots: true, sources: ['other'] })).rejects.toThrow(
      'no versions of other',
    )
  })

  test('makes references that `toolscope diff` accepts', async () => {
    write('acme.json', 100)
    await run(snapshotCommand, { sources: ['acme.json'], label: 'stable' })
    write('acme.json', 50)
    await run(snapshotCommand, { sources: ['acme.json'] })
    for (const a of ['acme@1', 'acme@stable', 'acme@previous'])
      for (const b of ['acme@2', 'acme@latest', 'acme.json', `acme@${new Date().toLocaleDateString('sv')}`]) {
        const { output, exitCode } = await run(diffCommand, { a, b })
        expect([a, b, output.counts.breaking, exitCode]).toEqual([a, b, 1, 5])
      }
    await expect(run(diffCommand, { a: 'acme@9', b: 'acme@1' })).rejects.toThrow('there are acme@1 to 2')
    await expect(run(diffCommand, { a: 'absent@1', b: 'acme@1' })).rejects.toThrow(
      'there are no versions of absent; there are some of acme',
    )
  })

  test('refuses a label that could be another reference', async () => {
    write('acme.json', 1)
    for (const label of ['3', 'latest', '2026-11-21', 'a b', ''])
      await expect(run(snapshotCommand, { sources: ['acme.json'], label })).rejects.toMatchObject({
        code: 'usage',
      })
  })

  test('notes the revision of the repository, and whether the file differs from it', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
        cwd: folder,
        env: context.environment,
        encoding: 'utf8',
      }).trim()
    write('acme.json', 1)
    git('init', '-q')
    git('add', 'acme.json')
    git('commit', '-q', '-m', 'first')
    const head = git('rev-parse', 'HEAD')
    expect((await run(snapshotCommand, { sources: ['acme.json'] })).output.snapshots[0].git).toBe(head)
    write('acme.json', 2)
    expect((await run(snapshotCommand, { sources: ['acme.json'] })).output.snapshots[0].git).toBe(`${head}+`)
  })

  test('--keep removes old versions, but not labelled ones', async () => {
    for (let maximum = 1; maximum <= 5; maximum++) {
      write('acme.json', maximum)
      await run(snapshotCommand, { sources: ['acme.json'], ...(maximum === 1 ? { label: 'first' } : {}) })
    }
    const { output } = await run(snapshotCommand, { sources: ['acme.json'], keep: 2 })
    expect(output.removed).toBe(2)
    const left = (await run(listCommand, { snapshots: true })).output.snapshots
    expect(left.map((each: { number: number }) => each.number)).toEqual([5, 4, 1])
  })

  test('--export writes all versions into a file, and --import adds them to another store once', async () => {
    for (const maximum of [1, 2, 1]) {
      write('acme.json', maximum)
      await run(snapshotCommand, { sources: ['acme.json'] })
    }
    await run(snapshotCommand, { sources: ['acme.json'], label: 'end' })
    await run(snapshotCommand, { export: 'versions.json' })
    const file = readFileSync(join(folder, 'versions.json'), 'utf8')
    expect(file.match(/"name": "send"/g)).toHaveLength(2)
    context = {
      ...context,
      environment: { ...context.environment, TOOLSCOPE_DATA_DIR: join(folder, 'other') },
    }
    await run(snapshotCommand, { import: 'versions.json' })
    const again = await run(snapshotCommand, { import: 'versions.json' })
    expect(again.output.snapshots.every((each: { added: boolean }) => !each.added)).toBe(true)
    const { snapshots } = (await run(listCommand, { snapshots: true })).output
    expect(snapshots).toMatchObject([
      { number: 3, cause: 'imported', labels: ['end'] },
      { number: 2 },
      { number: 1 },
    ])
    expect((await run(diffCommand, { a: 'acme@1', b: 'acme@2' })).output.counts).toMatchObject({ info: 1 })
    writeFileSync(join(folder, 'bad.json'), '{"snapshotsVersion":1,"tools":{},"snapshots":[{"source":""}]}')
    await expect(run(snapshotCommand, { import: 'bad.json' })).rejects.toMatchObject({
      code: 'manifest-unrecognised',
    })
  })
})

describe('toolscope lock file', () => {
  beforeEach(() => {
    // There is no store in this world: the lock needs none.
    writeFileSync(join(folder, 'blocked'), '')
    context = {
      ...context,
      environment: { ...context.environment, TOOLSCOPE_DATA_DIR: join(folder, 'blocked') },
    }
    writeFileSync(
      join(folder, 'toolscope.json'),
      JSON.stringify({ sources: { acme: { manifest: 'acme.json' }, beta: { manifest: 'beta.json' } } }),
    )
    write('acme.json', 100)
    write('beta.json', 7)
  })

  test('has the same text for the same tools, and `toolscope diff` exits 5 when a tool breaks', async () => {
    await run(snapshotCommand, { lock: 'toolscope.lock.json' })
    const text = readFileSync(join(folder, 'toolscope.lock.json'), 'utf8')
    await run(snapshotCommand, { lock: 'again.json' })
    expect(readFileSync(join(folder, 'again.json'), 'utf8')).toBe(text)
    expect(await run(diffCommand, { lock: 'toolscope.lock.json' })).toMatchObject({
      exitCode: 0,
      output: { changes: [] },
    })
    write('acme.json', 50)
    const broken = await run(diffCommand, { lock: 'toolscope.lock.json' })
    expect(broken).toMatchObject({
      exitCode: 5,
      output: { changes: [{ tool: 'acme/send', severity: 'breaking' }] },
    })
    expect(await run(diffCommand, { lock: 'toolscope.lock.json', a: 'beta' })).toMatchObject({ exitCode: 0 })
    expect(said).toEqual([])
  })

  test('is compared with notes on sources that were added, removed or do not answer', async () => {
    await run(snapshotCommand, { sources: ['acme', 'beta'], lock: 'toolscope.lock.json' })
    writeFileSync(
      join(folder, 'toolscope.json'),
      JSON.stringify({ sources: { acme: { manifest: 'acme.json' }, gamma: { manifest: 'beta.json' } } }),
    )
    const { output, exitCode } = await run(diffCommand, { lock: 'toolscope.lock.json' })
    expect([exitCode, output.changes]).toMatchObject([5, [{ tool: 'beta/send', rule: 'tool-removed' }]])
    expect(said).toEqual([expect.stringContaining('gamma is not in toolscope.lock.json')])
    rmSync(join(folder, 'acme.json'))
    await expect(run(diffCommand, { lock: 'toolscope.lock.json' })).rejects.toMatchObject({ exitCode: 3 })
    await expect(run(diffCommand, { lock: 'none.json' })).rejects.toThrow('none.json could not be read')
    await expect(run(diffCommand, {})).rejects.toMatchObject({ code: 'usage' })
  })
})

test('toolscope diff: accepts the address of a manifest as a side', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/tools.json')
      response.setHeader('content-type', 'application/json').end(readFileSync(join(folder, 'acme.json')))
    else response.writeHead(404).end('nothing here')
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  write('acme.json', 100)
  write('new.json', 50)
  try {
    const { output } = await run(diffCommand, { a: `http://127.0.0.1:${port}/tools.json`, b: 'new.json' })
    expect(output.counts.breaking).toBe(1)
    await expect(
      run(diffCommand, { a: `http://127.0.0.1:${port}/none.json?key=secret`, b: 'new.json' }),
    ).rejects.toThrow(/none\.json\?… answered 404/)
  } finally {
    server.close()
  }
})
