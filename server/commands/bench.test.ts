/** `toolscope bench` over real programs and a real MCP server. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { BenchResult } from '../../core/bench/result.ts'
import { filesOf, shopOf } from '../../scripts/check-project.testkit.ts'
import { project } from '../../scripts/project.mjs'
import { acme, program, runToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'

// Most calls start a program.
vi.setConfig({ testTimeout: 120_000 })

const everything = project('node_modules/@modelcontextprotocol/server-everything/dist/index.js')

function benchIn(folder: string) {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, '.data') }
  const run = (...args: string[]) =>
    runToolscope(['bench', '--trust', ...args], { directory: folder, environment })
  const measure = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('--format', 'json', ...args)
    return { code, stderr, result: JSON.parse(stdout) as BenchResult }
  }
  return { environment, run, measure }
}

const echo = ['--tool', 'echo', '--input', '{"message":"hi"}']
const server = ['mcp:node', '--', everything, 'stdio']

test('one tool of an MCP server: figures, a histogram, a page, and nothing in the history', async ({
  folder,
}) => {
  const { run, measure, environment } = benchIn(folder)
  const { code, result, stderr } = await measure('--calls', '200', '--concurrency', '20', ...echo, ...server)
  expect([code, result.calls, result.errors, result.stopped, stderr]).toEqual([0, 200, 0, false, ''])
  expect(result.histogram.reduce((sum, { count }) => sum + count, 0)).toBe(200)
  expect(result.p50Ms).toBeGreaterThan(0)
  expect(result.p50Ms).toBeLessThanOrEqual(result.p95Ms)
  expect(result.p95Ms).toBeLessThanOrEqual(result.maxMs)
  expect(result.ratePerSecond * result.durationMs).toBeCloseTo(200_000, -3)

  const limits = ['--fail-if', 'errors>0', '--fail-if', 'max>0.001ms']
  const text = await run('--calls', '50', ...echo, ...limits, '--write', 'html=bench.html', ...server)
  expect(text).toMatchObject({ code: 4, stderr: '' })
  expect(text.stdout).toContain('index/echo · 1 call at a time')
  expect(text.stdout).toMatch(/^ {2}calls {3}50 in /m)
  expect(text.stdout).toContain('✓ errors: 0 (fails if errors>0)')
  expect(text.stdout).toMatch(/^✗ max: .* \(fails if max>0\.001ms\)$/m)
  expect(text.stdout).not.toContain('\u001b')
  expect(readFileSync(join(folder, 'bench.html'), 'utf8')).toContain('<h1>index/echo · 1 call at a time</h1>')

  const { stdout } = await runToolscope(['history', '--jsonl'], { directory: folder, environment })
  expect(stdout).toBe('')
})

test('a rate, a warm-up, and a tool of a program', async ({ folder }) => {
  const { measure } = benchIn(folder)
  const { result } = await measure(
    '--rate',
    '100/s',
    '--duration',
    '500ms',
    '--warm-up',
    '100ms',
    ...echo,
    ...server,
  )
  expect(result).toMatchObject({ load: { ratePerSecond: 100 }, calls: 50, errors: 0, unsent: 0 })
  const greet = ['--tool', 'api greet', '--allow-writes', '--calls', '2', '--input']
  const good = await measure(...greet, '{"name":"Ada"}', 'node', '--', acme)
  expect([good.code, good.result.errors]).toEqual([0, 0])
  const bad = await measure(...greet, '{}', 'node', '--', acme)
  // No call succeeded: there is no figure to trust.
  expect([bad.code, bad.result.errors]).toEqual([4, 2])
  expect(bad.result.errorGroups).toMatchObject([{ count: 2 }])
})

test('examples in turns; those that may write or must fail are left out, and secrets stay secret', async ({
  folder,
}) => {
  const { write, example } = shopOf(folder)
  const { measure } = benchIn(folder)
  example('order', 'first', {})
  example('order', 'second', { n: 2 })
  example('save', 'saves', {})
  example('wipe', 'wipes', {})
  write(
    'toolscope.examples/shop/order/fails.json',
    JSON.stringify({ name: 'fails', input: {}, expect: { fails: true } }),
  )
  write('toolscope.examples/shop/order/broken.json', '{')
  const { code, stderr, result } = await measure('shop', '--calls', '4')
  expect([code, result.calls]).toEqual([0, 4])
  expect(result.tools.map(({ ref, calls }) => [ref, calls])).toEqual([['shop/order', 4]])
  expect(result.skipped.map(({ name, message }) => [name, message])).toEqual([
    ['fails', 'it is expected to fail'],
    ['saves', 'it does not say that it only reads (--allow-writes runs it)'],
    ['wipes', 'its source calls it destructive (--allow-destructive runs it)'],
  ])
  expect(stderr).toContain('broken.json')

  const all = await measure('shop', '--calls', '4', '--allow-destructive', '--concurrency', '4')
  expect(all.result.tools.map(({ ref }) => ref).sort()).toEqual(['shop/order', 'shop/save', 'shop/wipe'])
})

test('errors are grouped without values and without secrets; --validate counts outputs', async ({
  folder,
}) => {
  const { write } = filesOf(folder)
  const { measure } = benchIn(folder)
  write(
    'echo.mjs',
    `const tools = [{ name: 'echo', inputSchema: {}, outputSchema: { type: 'object', required: ['id'] }, annotations: { readOnlyHint: true } }]
const text = process.argv.at(-1)
if (text === '--llms') console.log(JSON.stringify({ tools }))
else if (text === '{}') console.log('{}')
else { console.error('no order ' + process.pid + ' for ' + JSON.parse(text).token); process.exit(1) }`,
  )
  const secret = { name: 'secret', input: { token: `\${env:BENCH_TOKEN}` } }
  write('toolscope.examples/echo/echo/secret.json', JSON.stringify(secret))
  const run = await runToolscope(['bench', '--trust', '--calls', '3'], {
    directory: folder,
    environment: { BENCH_TOKEN: 'sesame-sesame' },
  })
  expect(run.code).toBe(4)
  expect(run.stdout).toMatch(/^ +3 {2}exit · .*no order … for \$\{env:BENCH_TOKEN\}$/m)
  expect(run.stdout + run.stderr).not.toContain('sesame')

  const empty = ['--tool', 'echo', '--input', '{}', '--calls', '2']
  expect((await measure(...empty)).result.errors).toBe(0)
  const validated = await measure(...empty, '--validate')
  expect([validated.code, validated.result.errorGroups]).toMatchObject([
    4,
    [{ reason: 'invalid output', count: 2 }],
  ])
})

test('what is refused before a call', async ({ folder }) => {
  shopOf(folder)
  const { run } = benchIn(folder)
  const rows: readonly (readonly [args: readonly string[], why: string])[] = [
    [['--rate', '5', '--concurrency', '2'], '--rate and --concurrency'],
    [['--rate', 'fast'], 'not a rate'],
    [['--duration', '10'], 'with its unit'],
    [['--warm-up', 'long'], '--warm-up long'],
    [['--max-calls', '5'], '--max-calls is for --rate'],
    [['--fail-if', 'errors>0', '--fail-if', 'p95>200'], 'with its unit'],
    [['--input', '{}'], 'Name it with --tool'],
    [['--tool', 'save', '--input', '{}'], '--allow-writes'],
    [['--tool', 'order'], 'no saved example of shop/order'],
    [['--tool', 'order', '--input', '{'], 'not JSON'],
  ]
  for (const [args, why] of rows)
    expect(await run('shop', ...args), args.join(' ')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(why),
    })
})

test.runIf(process.platform !== 'win32')(
  'Ctrl-C: what was measured until then, and 130',
  async ({ folder }) => {
    const child = spawn(
      process.execPath,
      [program, 'bench', '--duration', '10m', ...echo, '--write', 'html=bench.html', ...server],
      { cwd: folder, env: { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, '.data') } },
    )
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', text => {
      stdout += text
    })
    child.stderr.on('data', text => {
      stderr += text
    })
    await new Promise(resolve => setTimeout(resolve, 5_000))
    child.kill('SIGINT')
    const [code] = await once(child, 'exit')
    expect(code).toBe(130)
    expect(stdout).toContain('Stopped before its end')
    expect(stdout).toMatch(/^ {2}errors {2}0$/m)
    expect(stderr).toContain('stopped by SIGINT')
    expect(existsSync(join(folder, 'bench.html'))).toBe(true)
  },
)
