import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isRunning, until } from '../scripts/test-processes.ts'
import { resolveInRepository } from './sources/testkit.ts'
import { aboutTime } from './testing/about-time.ts'

const program = resolveInRepository('dist/server/main.js')
const folder = mkdtempSync(join(tmpdir(), 'toolscope-main-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const environment = { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data') }

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const manifest = (type: string) =>
  JSON.stringify({ tools: [{ name: 'one', inputSchema: { properties: { a: { type } }, required: ['a'] } }] })
const before = file('before.json', manifest('string'))
const after = file('after.json', manifest('number'))

describe('output of toolscope diff', () => {
  it.each([
    ['a reader that takes one line', '| head -1', 5],
    ['a reader that has gone', '| true', 5],
    ['a reader of everything', '| cat > /dev/null', 5],
  ])('keeps the exit code of the verdict with %s', (_, into, status) => {
    const line = `set -o pipefail; "$0" "$1" diff "$2" "$3" ${into}`
    const run = spawnSync('bash', ['-c', line, process.execPath, program, before, after], {
      env: environment,
    })
    expect([run.status, run.stderr.toString()]).toEqual([status, ''])
  })

  it.runIf(process.platform === 'linux')('to a full device makes it exit 1 with an error', () => {
    const line = '"$0" "$1" diff "$2" "$3" > /dev/full'
    const run = spawnSync('bash', ['-c', line, process.execPath, program, before, after], {
      env: environment,
    })
    expect(run.status).toBe(1)
    expect(run.stderr.toString()).toMatch(/^toolscope: the output could not be written: .*ENOSPC/)
  })
})

describe('toolscope call with and without --require-valid', () => {
  const source = file(
    'unchecked.mjs',
    `#!/usr/bin/env node
const tool = (name, outputSchema) => ({ name, inputSchema: { type: 'object' }, outputSchema })
const tools = [
  tool('unchecked', { properties: { a: { $ref: 'https://elsewhere.example/a' } } }),
  tool('recursive', { properties: { a: { type: 'integer' }, next: { $ref: '#' } } }),
]
console.log(JSON.stringify(process.argv.at(-1) === '--llms' ? { tools } : { a: 1, next: { a: 2 } }))
`,
  )
  chmodSync(source, 0o755)

  it.each([
    ['unchecked', [], 0],
    ['unchecked', ['--require-valid'], 4],
    ['recursive', ['--require-valid'], 0],
  ])('for the tool "%s" and flags %j exits %i', (tool, flags, status) => {
    const argv = [program, 'call', tool, source, ...flags]
    const run = spawnSync(process.execPath, argv, { cwd: folder, env: environment, encoding: 'utf8' })
    expect([run.status, run.stderr]).toEqual([status, expect.stringContaining(tool)])
  })
})

describe('signal while a source opens', () => {
  // Hangs with --llms, deaf to SIGTERM, and so does its child.
  const deaf = `process.on('SIGTERM', () => {}); process.on('SIGINT', () => {}); setTimeout(() => {}, 60_000);`
  const source = file(
    'deaf.mjs',
    `#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
${deaf}
const child = spawn(process.execPath, ['-e', ${JSON.stringify(deaf)}], { stdio: 'ignore' })
writeFileSync(process.env.PIDS, process.pid + ' ' + child.pid)
`,
  )

  chmodSync(source, 0o755)

  it.each<[string, NodeJS.Signals, string[]]>([
    ['list', 'SIGINT', []],
    ['serve', 'SIGINT', ['--no-open', '--port', '0']],
    ['call', 'SIGINT', ['one']],
    ['snapshot', 'SIGTERM', []],
    ['mcp', 'SIGTERM', []],
    ['diff', 'SIGTERM', [before]],
  ])('ends %s within two seconds of %s, with its children', aboutTime, async (command, signal, words) => {
    const pids = join(folder, `${command}-${signal}.pids`)
    rmSync(pids, { force: true })
    const argv = [command, ...words, source]
    const child = spawn(process.execPath, [program, ...argv], {
      cwd: folder,
      env: { ...environment, PIDS: pids },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').includes(' '), 20_000)
    const started = performance.now()
    child.kill(signal)
    await ended
    expect(performance.now() - started).toBeLessThan(2_000)
    await until(
      () =>
        readFileSync(pids, 'utf8')
          .split(' ')
          .every(pid => !isRunning(Number(pid))),
      2_000,
    )
  })

  it('ends toolscope list at once when a second signal follows', async () => {
    const pids = join(folder, 'second.pids')
    const child = spawn(process.execPath, [program, 'list', source], {
      cwd: folder,
      env: { ...environment, PIDS: pids },
      stdio: 'ignore',
    })
    const ended = new Promise(resolve => child.once('exit', resolve))
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').includes(' '), 20_000)
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect(await ended).toBeGreaterThanOrEqual(130)
    const pidList = readFileSync(pids, 'utf8').split(' ').map(Number)
    await until(() => !pidList.some(isRunning), 2_000)
  })
})

describe('signal while a tool runs', () => {
  const source = file(
    'silent.mjs',
    `#!/usr/bin/env node
import { appendFileSync } from 'node:fs'
const tools = [{ name: 'one', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }]
if (process.argv.at(-1) === '--llms') console.log(JSON.stringify({ tools }))
else {
  appendFileSync(process.env.STARTED, '.')
  setInterval(() => {}, 1_000)
}
`,
  )
  const project = join(folder, 'silent-project')
  const examples = join(project, 'toolscope.examples', 'silent', 'one')
  mkdirSync(examples, { recursive: true })
  writeFileSync(join(examples, 'first.json'), '{"name":"first","input":{}}')
  const silent = { command: ['node', source] }
  writeFileSync(
    join(project, 'toolscope.json'),
    JSON.stringify({ sources: { silent, other: { command: ['node', source, 'other'] } } }),
  )
  writeFileSync(join(project, 'script.sh'), 'one || true\n')

  it.each<[string, NodeJS.Signals, string[], number]>([
    ['call', 'SIGINT', ['call', 'silent/one'], 130],
    ['check', 'SIGINT', ['check'], 130],
    ['compare', 'SIGINT', ['compare', 'silent', 'other'], 130],
    ['compare --json', 'SIGTERM', ['compare', 'silent', 'other', '--json'], 143],
    ['script', 'SIGINT', ['script', 'script.sh', source], 130],
  ])(
    'toolscope %s: ends with the code of %s, not with that of failed calls',
    async (name, signal, argv, code) => {
      const started = join(folder, `${name}.started`)
      const [command = '', ...words] = argv
      const child = spawn(process.execPath, [program, command, '--trust', ...words], {
        cwd: project,
        env: { ...environment, STARTED: started },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let stderr = ''
      child.stderr.on('data', chunk => {
        stderr += chunk
      })
      const ended = new Promise(resolve => child.once('close', resolve))
      await Promise.race([ended, until(() => existsSync(started), 20_000)])
      child.kill(signal)
      expect([await ended, stderr]).toEqual([code, expect.stringContaining(`stopped by ${signal}`)])
    },
  )
})
