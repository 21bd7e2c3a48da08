/** `toolscope check --generate`: what it sends, what it saves, and what it prints. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { project } from '../../scripts/project.mjs'
import { test } from '../testing/folder-test.ts'
import { runCheck, runCommandLine } from './testkit.ts'

const server = project('server/testing/faulty-server.mjs')

function configure(folder: string, ...args: string[]) {
  const sources = { shop: { mcp: { command: ['node', server, ...args] } } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  return { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
}

test('check --generate: shrinks a finding, saves it, and check runs it from then on', async ({ folder }) => {
  const environment = configure(folder)
  const one = ['--tool', 'ignores_maximum']
  const { code, stdout, stderr } = await runCheck(folder, ['--generate', '--save', ...one], environment)
  expect(code).toBe(4)
  expect(stderr).toContain('1 example saved in')
  expect(stdout).toContain('accepted-silently: /size breaks maximum 9.')
  expect(stdout).toContain('smallest input  {"size":10}')
  expect(stdout).toMatch(/\$ toolscope call ignores_maximum .+'\{"size":10\}'/)
  expect(readdirSync(join(folder, 'toolscope.examples/shop/ignores_maximum'))).toHaveLength(1)
  expect(await runCheck(folder, [], environment)).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('accepted-silently'),
  })
  configure(folder, '--fixed')
  expect(await runCheck(folder, [], environment)).toMatchObject({ code: 0 })
})

test('check: an example fails if the server ends right after its answer', async ({ folder }) => {
  const environment = configure(folder)
  const { code } = await runCheck(
    folder,
    ['--generate', '--save', '--tool', 'ends_after_the_answer'],
    environment,
  )
  expect(code).toBe(4)
  const { code: checked, stdout } = await runCheck(folder, [], environment)
  expect({ checked, stdout }).toMatchObject({
    checked: 4,
    stdout: expect.stringContaining('and then it ended'),
  })
  configure(folder, '--fixed')
  expect(await runCheck(folder, [], environment)).toMatchObject({ code: 0 })
})

test('check --generate: a dry run lists the same inputs for the same seed, and sends nothing', async ({
  folder,
}) => {
  const environment = configure(folder)
  const list = async (...args: string[]) => {
    const { stdout } = await runCheck(
      folder,
      ['--generate', '--dry-run', '--json', '--tool', 'ignores_dependentRequired', ...args],
      environment,
    )
    const { generated } = JSON.parse(stdout)
    expect(generated.report).toBeUndefined()
    return JSON.stringify(generated.plan.tools)
  }
  const first = await list('--seed', '5')
  expect(first).toContain('"kind":"invalid"')
  expect(await list('--seed', '5')).toBe(first)
  expect(await list('--seed', '6')).not.toBe(first)
  const { stdout } = await runCommandLine(['history', '--json'], { directory: folder, environment })
  expect(JSON.parse(stdout).invocations).toEqual([])
})

test('check --generate: a server that crashes is started again for the next input', async ({ folder }) => {
  const environment = configure(folder)
  const args = ['--generate', '--tool', 'crash_at_the_longest_text', '--format', 'json']
  const { stdout } = await runCheck(folder, args, environment)
  const [tool] = JSON.parse(stdout).generated.report.tools
  expect(tool).toMatchObject({ inputs: 19, verdicts: { crash: 2, ok: 17 } })
})

test('check --generate: a server that ends at every third call is described by three calls', async ({
  folder,
}) => {
  const environment = configure(folder)
  const args = ['--generate', '--save', '--tool', 'crash_at_every_third_call']
  const { stdout, stderr } = await runCheck(folder, [...args, '--format', 'json'], environment)
  const { findings } = JSON.parse(stdout).generated
  expect(findings).toMatchObject([
    {
      verdict: 'crash',
      field: '',
      why: 'No call was found that ends the server alone.',
      message: 'The server ended during these 3 calls, which were made in this order.',
      isSmallest: true,
      notes: [
        expect.stringContaining('each time'),
        'It survives if one of them is left out.',
        expect.stringMatching(/ended \d+ times/),
      ],
    },
  ])
  expect(findings[0].calls).toHaveLength(3)
  expect(findings[0].shellLine).toContain('check --generate shop --tool crash_at_every_third_call')
  // An example has one call.
  expect(stderr).toContain('0 examples saved')
})

test('check --generate: an input that ends the server after its answer is found among those before', async ({
  folder,
}) => {
  const environment = configure(folder)
  const args = ['--generate', '--tool', 'ends_after_the_answer', '--format', 'json']
  const { stdout } = await runCheck(folder, args, environment)
  const { findings, report } = JSON.parse(stdout).generated
  expect(findings).toMatchObject([{ verdict: 'crash', kind: 'invalid', count: 1 }])
  expect(findings[0]).not.toHaveProperty('calls')
  expect(report.tools).toMatchObject([{ findings: 1 }])
})

test('check --generate: reports in each format, and stops at its budget', async ({ folder }) => {
  const environment = configure(folder)
  const files = ['junit', 'sarif', 'markdown', 'html', 'gitlab', 'github', 'json']
  const write = files.map(format => `${format}=report.${format}`).join(',')
  const args = ['--generate', '--tool', 'ignores_enum', '--max-calls', '3', '--write', write]
  const { stdout } = await runCheck(folder, args, environment)
  expect(stdout).toContain('not all inputs were sent, only 3 of 4 (75%): the budget')
  expect(stdout).toContain('--max-calls raises it')
  for (const format of files)
    expect(readFileSync(join(folder, `report.${format}`), 'utf8'), format).toContain('ignores_enum')
})

test('check --generate: a run without a finding fails if not all inputs were sent', async ({ folder }) => {
  const environment = configure(folder, '--fixed')
  const run = (...args: string[]) => runCheck(folder, ['--generate', ...args], environment)
  const one = ['--tool', 'ignores_enum']
  const cut = await run(...one, '--max-calls', '3')
  expect(cut).toMatchObject({ code: 2, stderr: expect.stringContaining('--allow-partial allows it') })
  expect(cut.stdout).toContain('Not all inputs were sent, only 3 of 4 (75%)')
  expect(cut.stdout).not.toContain('✓')
  expect((await run(...one, '--max-calls', '3', '--allow-partial')).code).toBe(0)
  expect((await run(...one, '--time', '1ms')).code).toBe(2)
  // As many calls as inputs are enough: nothing has to be sent again.
  const { code, stdout } = await run(...one, '--max-calls', '4', '--format', 'json')
  const { generated, counts } = JSON.parse(stdout)
  expect({ code, counts }).toEqual({ code: 0, counts: { passed: 1, failed: 0, skipped: 0 } })
  expect(generated.report).toMatchObject({ ending: 'done', calls: 4, coveragePercent: 100 })
})

test('check --generate: calls only what declares that it reads, and says what allows the rest', async ({
  folder,
}) => {
  const tools = [
    { name: 'reads', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
    {
      name: 'sets',
      inputSchema: { type: 'object' },
      annotations: { idempotentHint: true, destructiveHint: false, openWorldHint: false },
    },
    { name: 'plain', inputSchema: { type: 'object' } },
  ]
  const file = join(folder, 'calls.txt')
  const script = `
    import { appendFileSync } from 'node:fs'
    const words = process.argv.slice(2)
    if (words.at(-1) === '--llms') console.log(JSON.stringify({ tools: ${JSON.stringify(tools)} }))
    else { appendFileSync(${JSON.stringify(file)}, words[0] + ' '); console.log('{}') }`
  writeFileSync(join(folder, 'shop.mjs'), script)
  writeFileSync(join(folder, 'toolscope.json'), '{"sources":{"shop":{"command":["node","shop.mjs"]}}}')
  writeFileSync(file, '')
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const { code, stdout } = await runCheck(folder, ['--generate'], environment)
  expect(code).toBe(2)
  expect(stdout).toContain('reads · skipped: it may reach other systems')
  expect(stdout).toContain('sets · skipped: it writes')
  expect(stdout).toContain('plain · skipped: it may reach other systems')
  expect(readFileSync(file, 'utf8')).toBe('')
  expect((await runCheck(folder, ['--generate', '--all'], environment)).code).toBe(2)
  expect((await runCheck(folder, ['--dry-run'], environment)).code).toBe(2)
  await runCheck(folder, ['--generate', '--idempotent'], environment)
  expect(readFileSync(file, 'utf8')).toMatch(/^(?:sets )+$/)
})
