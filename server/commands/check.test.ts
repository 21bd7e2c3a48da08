/** `toolscope check`: what passes, what fails, and what it prints. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesOf } from '../../scripts/check-project.testkit.ts'
import { project } from '../../scripts/project.mjs'
import { test } from '../testing/folder-test.ts'
import { runCheck } from './testkit.ts'

test('toolscope check: passes the shipped examples and lists the one that needs a confirmation as skipped', async () => {
  const { code, stdout, stderr } = await runCheck(project('examples'), [])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(stdout).toContain('✓ acme/api greet · greets Ada')
  expect(stdout).toContain('– functions/garden clear_garden · clears · skipped')
  expect(stdout).toContain('7 passed · 0 failed · 1 skipped')
})

test('toolscope check: reports a different result with its location, by value and to the digit, in several formats', async ({
  folder,
}) => {
  const { example } = filesOf(folder)
  example('same', '{"name":"same","input":{"b":1.0,"a":[1e2]},"expect":{"exact":{"a":[100],"b":1}}}')
  example(
    'big',
    '{"name":"big","input":{"id":12345678901234567890},"expect":{"exact":{"id":12345678901234567891}}}',
  )
  const files = 'sarif=check.sarif,gitlab=quality.json,junit=check.xml'
  const { code, stdout } = await runCheck(folder, ['--write', files])
  expect(code).toBe(4)
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  expect(JSON.parse(read('check.sarif')).runs[0].results).toMatchObject([{ ruleId: 'example-failed' }])
  expect(JSON.parse(read('quality.json'))).toMatchObject([
    { severity: 'critical', location: { path: 'toolscope.examples/echo/echo/big.json' } },
  ])
  expect(read('check.xml')).toContain('<failure type="example"')
  expect((await runCheck(folder, ['--format', 'github'])).stdout).toMatch(
    /^::error title=echo\/echo · big%3A example-failed::the result differs/,
  )
  expect(await runCheck(folder, ['--write', 'pdf=x'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('formats are'),
  })
  expect(stdout).toContain('✓ echo/echo · same')
  expect(stdout).toContain('✗ echo/echo · big · failed: the result differs at 1 location')
  expect(stdout).toContain('/id  expected 12345678901234567891, got 12345678901234567890')
})

test('toolscope check: reports a file that is not an example by its path and still runs the others', async ({
  folder,
}) => {
  const { write, example } = filesOf(folder)
  example('good', '{"name":"good","input":{}}')
  example('broken', '{"name":"broken",')
  write('toolscope.examples/echo/gone/x.json', '{"name":"x","input":{}}')
  const { code, stdout } = await runCheck(folder, ['--format', 'json'])
  expect(code).toBe(4)
  const { counts, problems } = JSON.parse(stdout)
  expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(problems).toEqual([
    { file: 'toolscope.examples/echo/echo/broken.json', message: expect.stringContaining('not valid JSON') },
    { file: 'toolscope.examples/echo/gone', message: 'echo has no such tool' },
  ])
})

test('toolscope check: resolves a variable for the call and never prints it', async ({ folder }) => {
  const { example } = filesOf(folder)
  const expected = '{"token":"something else"}'
  example(
    'secret',
    `{"name":"secret","input":{"token":"\${env:ECHO_SECRET}"},"expect":{"exact":${expected}}}`,
  )
  const unset = await runCheck(folder, [])
  expect(unset.stdout).toContain('the environment has no ECHO_SECRET')
  const { code, stdout, stderr } = await runCheck(folder, ['--json'], { ECHO_SECRET: 'hunter2-hunter2' })
  expect(code).toBe(4)
  expect(stdout).toContain(`\${env:ECHO_SECRET}`)
  expect(stdout + stderr).not.toContain('hunter2')
})

test('toolscope check: exits 3 for an unreachable source, and 4 when an example also fails', async ({
  folder,
}) => {
  const { write, example } = filesOf(folder)
  write(
    'toolscope.json',
    '{"sources":{"echo":{"command":["node","echo.mjs"]},"gone":{"command":["./gone"]}}}',
  )
  example('good', '{"name":"good","input":{}}')
  expect(await runCheck(folder, [])).toMatchObject({ code: 3, stdout: expect.stringContaining('1 passed') })
  example('bad', '{"name":"bad","input":{},"expect":{"fails":true}}')
  expect((await runCheck(folder, [])).code).toBe(4)
})

test('toolscope check: --tool checks only that tool; no progress bar is printed when stderr is not a terminal', async ({
  folder,
}) => {
  const { write, example } = filesOf(folder)
  example('slow', '{"name":"slow","input":{}}')
  write('toolscope.examples/echo/wipe/x.json', '{"name":"x","input":{}}')
  const { code, stdout, stderr } = await runCheck(folder, ['--tool', 'wipe', '--timeout', '100ms'])
  expect([code === 0 || code === 4, stderr]).toEqual([true, ''])
  expect(stdout).toContain('echo/wipe · x')
  expect(stdout).not.toContain('slow')
})

test('toolscope check: names the examples that ran while the server ended', async ({ folder }) => {
  const { write } = filesOf(folder)
  const server = project('server/testing/faulty-server.mjs')
  write('toolscope.json', JSON.stringify({ sources: { faulty: { mcp: { command: ['node', server] } } } }))
  for (const fault of ['hang', 'crash'])
    write(
      `toolscope.examples/faulty/${fault}_at_a_forbidden_input/${fault}.json`,
      `{"name":"${fault}","input":{}}`,
    )
  const { code, stdout } = await runCheck(folder, [])
  expect(code).toBe(4)
  const others = (name: string) => `also running: ${name}_at_a_forbidden_input · ${name};`
  expect(stdout).toMatch(new RegExp(`hang · failed: .*${others('crash')}`))
  expect(stdout).toMatch(new RegExp(`crash · failed: .*${others('hang')}`))
  const alone = await runCheck(folder, ['--tool', 'faulty/crash_at_a_forbidden_input'])
  expect(alone.stdout).toContain('crash · failed')
  expect(alone.stdout).not.toContain('also running')
})
