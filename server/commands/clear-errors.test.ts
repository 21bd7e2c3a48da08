/** Inputs that are wrong or too large: each has its own error, and none shows a stack. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const manifest = JSON.stringify({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] })

/** Runs a command line in a folder with a manifest, and checks the exit code and what stderr says. */
async function fails(folder: string, args: readonly string[], code: number, ...said: readonly string[]) {
  writeFileSync(join(folder, 'tools.json'), manifest)
  const run = await runCommandLine(args, { directory: folder })
  expect([run.code, run.stderr]).toEqual([code, expect.stringContaining(said[0] ?? '')])
  for (const text of said) expect(run.stderr).toContain(text)
  expect(run.stderr).not.toMatch(/Something went wrong|^\s+\W? ?at .*:\d+:\d+/m)
  expect(run.stderr.length).toBeLessThan(2_000)
  return run
}

async function serving(answer: RequestListener, act: (origin: string) => Promise<void>) {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await act(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test.for(['', 'mcp:', 'bridge:'])(
  'toolscope diff: refuses "%shttp://[" as no address',
  async (prefix, { folder }) => {
    const address = `${prefix}http://user:hunter2@[/x?key=hunter2`
    const run = await fails(
      folder,
      ['diff', address, 'tools.json'],
      3,
      'This is not an address',
      'http://[/x?…',
    )
    expect(run.stderr).not.toContain('hunter2')
  },
)

test('toolscope diff: refuses a reference of 100,000 characters, with its beginning', async ({ folder }) => {
  const said = 'has 100000 characters, at most 10000 are read: xxx'
  await fails(folder, ['diff', 'x'.repeat(100_000), 'tools.json'], 3, said)
})

test('toolscope list: finds no file of 100,000 characters, nor of 5,000', async ({ folder }) => {
  const run = await runCommandLine(['list', 'x'.repeat(100_000)], { directory: folder })
  expect([run.code, run.stderr]).toEqual([3, expect.not.stringContaining('Something went wrong')])
  const shorter = await runCommandLine(['diff', 'x'.repeat(5_000), 'tools.json'], { directory: folder })
  expect([shorter.code, shorter.stderr]).toEqual([3, expect.stringContaining('No such file or program')])
})

test.for(['/tools.json', '/tools'])(
  'toolscope diff: an answer over 64 MiB names its address: %s',
  { timeout: 60_000 },
  async (path, { folder }) => {
    const part = Buffer.alloc(1024 * 1024, ' ')
    await serving(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        let sent = 0
        const more = () => {
          while (sent < 70 && response.write(part)) sent += 1
          if (sent >= 70) response.end('{}')
        }
        response.on('drain', () => {
          sent += 1
          more()
        })
        more()
      },
      async origin => {
        await fails(folder, ['diff', `${origin}${path}`, 'tools.json'], 3, `${origin}${path}`, '64 MiB')
      },
    )
  },
)

test('toolscope diff: an answer that breaks off names its address', async ({ folder }) => {
  await serving(
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"tools": [')
      setTimeout(() => response.destroy(), 50)
    },
    async origin => {
      await fails(folder, ['diff', `${origin}/tools.json`, 'tools.json'], 3, `${origin}/tools.json: `)
    },
  )
})

test('toolscope.json: nesting of 50,000 levels is an invalid configuration', async ({ folder }) => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"sources":', '}'],
  ] as const) {
    const text = `${open.repeat(50_000)}1${close.repeat(50_000)}`
    writeFileSync(join(folder, 'toolscope.json'), text)
    await fails(folder, ['diff', 'tools.json', 'tools.json'], 2, 'toolscope.json', 'nested too deeply')
  }
  const text = `${'{"sources":'.repeat(2_000)}1${'}'.repeat(2_000)}`
  writeFileSync(join(folder, 'toolscope.json'), text)
  await fails(folder, ['diff', 'tools.json', 'tools.json'], 2, 'toolscope.json')
})

test.for([
  ['html=/', '/ could not be written'],
  ['json=/dev/full', '/dev/full could not be written'],
  ['html=none/report.html', 'report.html could not be written'],
] as const)(
  'toolscope diff: --write %s says which file could not be written',
  async ([write, said], { folder }) => {
    const args = ['diff', 'tools.json', 'tools.json', '--write', write]
    await fails(folder, args, 2, said, 'Name a file in a folder that you may write to')
  },
)

test('toolscope script: --trace says which file could not be written', async ({ folder }) => {
  writeFileSync(join(folder, 'list.txt'), 'one\n')
  const args = ['script', 'list.txt', 'tools.json', '--trace', '/']
  await fails(folder, args, 2, '/ could not be written')
})

test.for([
  [['diff', 'git::tools.json', 'tools.json'], 3, 'has no revision'],
  [['diff', 'git:HEAD:', 'tools.json'], 3, 'has no path'],
  [['diff', 'git:--output=x:tools.json', 'tools.json'], 3, 'begins with "-"'],
  [['diff', 'git:HEAD\nx:tools.json', 'tools.json'], 3, 'has a line break'],
  [['changelog', 'git::tools.json', 'tools.json'], 3, 'has no revision'],
  [['diff', '--git', 'HEAD\nx', 'HEAD', '--', 'node', 'x.mjs'], 3, 'has a line break'],
  [['diff', '--json', '{"git":true,"a":"-h","b":"HEAD","command":["node"]}'], 3, 'begins with "-"'],
  [['diff', '--git', '', 'HEAD', '--', 'node', 'x.mjs'], 2, 'is empty'],
  [['diff', '', 'tools.json'], 2, 'is empty'],
] as const)('toolscope %j: git never gets that revision', async ([args, code, said], { folder }) => {
  execFileSync('git', ['init', '-q', folder])
  await fails(folder, args, code, said)
})
