/** The rules of `toolscope diff`, of the built program: what toolscope.json names, what options name, what is wrong with them. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { test as folderTest } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const manifest = (maximum: number, description: string) => ({
  tools: [
    { name: 'deploy', description, inputSchema: { type: 'object', properties: { batch: { maximum } } } },
  ],
})

/** Writes files of the folder, as JSON unless they are text, and compares two of them. */
const test = folderTest.extend<{
  save: (files: Readonly<Record<string, unknown>>) => void
  diff: (...args: string[]) => ReturnType<typeof runCommandLine>
}>({
  async save({ folder }, use) {
    const save = (files: Readonly<Record<string, unknown>>) => {
      for (const [name, value] of Object.entries(files))
        writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value))
    }
    await use(save)
  },
  async diff({ folder, save }, use) {
    save({ 'old.json': manifest(100, 'Deploys.'), 'new.json': manifest(50, 'Deploys a build.') })
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    await use((...args) => runCommandLine(['diff', ...args], { directory: folder, environment }))
  },
})

const pair = ['old.json', 'new.json']
const fingerprintOf = async (diff: (...args: string[]) => ReturnType<typeof runCommandLine>) =>
  JSON.parse((await diff(...pair, '--json')).stdout).changes[0].fingerprint

test('toolscope diff: follows the rules and ignores that toolscope.json names; options override them', async ({
  folder,
  save,
  diff,
}) => {
  const fingerprint = await fingerprintOf(diff)
  save({
    'toolscope.json': '{ "diff": { "rules": "team/rules.json", "ignore": "team/ignore.json" } }',
    'other.json': { rules: { 'description-changed': 'breaking' } },
    'none.json': { ignore: [] },
  })
  mkdirSync(join(folder, 'team'))
  save({
    'team/rules.json': '{ "rules": { /* noise */ "description-changed": "off", } }',
    'team/ignore.json': { ignore: [{ fingerprint, reason: 'agreed' }] },
  })
  const run = await diff(...pair, '--json')
  expect([run.code, run.stderr]).toEqual([
    0,
    'toolscope.json names rules for this comparison: team/rules.json and team/ignore.json.\n',
  ])
  expect(JSON.parse(run.stdout)).toMatchObject({
    counts: { breaking: 0, info: 0 },
    ignored: [{ fingerprint }],
    unusedIgnores: [],
    switchedOff: { 'description-changed': 1 },
  })
  const other = JSON.parse((await diff(...pair, '--json', '--rules', 'other.json')).stdout)
  expect([other.counts.breaking, other.ignored.length]).toEqual([1, 1])
  const both = await diff(...pair, '--rules', 'other.json', '--ignore', 'none.json', '--json')
  expect([JSON.parse(both.stdout).counts.breaking, both.stderr]).toEqual([2, ''])
})

test('toolscope diff: reports an ignore entry without a change as unused, and an expired one as counting again', async ({
  save,
  diff,
}) => {
  const fingerprint = await fingerprintOf(diff)
  const entry = (of: string, expires?: string) => ({ fingerprint: of, reason: 'agreed', expires })
  save({ 'ignore.json': { ignore: [entry('1a2b3c4d'), entry(fingerprint, '2020-01-01')] } })
  const one = await diff(...pair, '--ignore', 'ignore.json', '--json')
  expect(one.code).toBe(5)
  expect(one.stderr.split('\n')).toEqual([
    `ignore.json: the entry for ${fingerprint} ended on 2020-01-01; the change counts again.`,
    'ignore.json: the entry for 1a2b3c4d matches no change here; remove it if no other comparison needs it.',
    '',
  ])
  expect(JSON.parse(one.stdout).unusedIgnores).toEqual(['1a2b3c4d'])
  save({ 'many.json': { ignore: Array.from({ length: 12 }, (_, at) => entry(`000000${at + 10}`)) } })
  const { stderr } = await diff(...pair, '--ignore', 'many.json')
  expect(stderr).toContain('00000019 and 2 more match no change here')
})

test('toolscope diff: says which rule or ignore file is missing or broken, where, and who names it', async ({
  folder,
  save,
  diff,
}) => {
  const refusal = async (...args: string[]) => {
    const run = await diff(...pair, ...args)
    expect([run.code, run.stdout]).toEqual([2, ''])
    return run.stderr.replaceAll(folder, 'FOLDER')
  }
  expect(await refusal('--ignore', 'no.json')).toContain(
    'there is no file FOLDER/no.json (named by --ignore)',
  )
  save({ 'toolscope.json': { diff: { rules: 'rules.json' } } })
  expect(await refusal()).toContain(
    'there is no file FOLDER/rules.json (named by "rules" of "diff" in FOLDER/toolscope.json)',
  )
  save({ 'rules.json': '{\n  "rules": {,\n}' })
  expect(await refusal()).toContain('FOLDER/rules.json:2: ')
  save({ 'rules.json': { rules: { 'maximum-lowerd': 'off' } } })
  expect(await refusal()).toContain('there is no rule "maximum-lowerd"; did you mean "maximum-lowered"?')
  save({ 'rules.json': { rules: {}, rule: {} } })
  expect(await refusal()).toContain('unknown key "rule"; did you mean "rules"?')
  save({ 'rules.json': { rules: {} } })
  save({ 'ignore.json': { ignore: [{ fingerprint: '1a2b3c4d' }] } })
  expect(await refusal('--ignore', 'ignore.json')).toMatch(/ignore\.0\.reason is missing.*\n.*--ignore\.\n$/)
  save({ 'toolscope.json': { diff: { ignores: 'x' } } })
  expect(await refusal()).toContain('at diff: unknown key "ignores"; did you mean "ignore"?')
  save({ 'toolscope.json': { diff: { rules: '.' } } })
  expect(await refusal()).toContain('it is not a file')
})

test('toolscope diff: --fail-on none reports changes and exits 0', async ({ diff }) => {
  const run = await diff(...pair, '--fail-on', 'none', '--json')
  expect(run.code).toBe(0)
  expect(JSON.parse(run.stdout)).toMatchObject({ failOn: 'none', failed: false, counts: { breaking: 1 } })
  expect((await diff(...pair, '--fail-on', 'none', '--format', 'junit')).stdout).toContain('failures="0"')
})

test('toolscope diff: --help prints the default, the exit codes and examples that run', async ({ diff }) => {
  const { stdout } = await diff('--help')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'breaking (the default), dangerous or warning; none: never.',
  )
  expect(stdout).toMatch(/Exit codes:\n {2}0 {2}no change .*\n {2}2 .*\n {2}3 .*\n {2}5 .*\n/)
  const examples = [...stdout.matchAll(/^ {2}toolscope diff (.*)$/gm)].map(([, words = '']) => words)
  expect(examples).toHaveLength(2)
  const [plain = '', git = ''] = examples
  expect((await diff(...plain.split(' '))).code).toBe(0)
  expect(git).toBe('--git main HEAD --install "npm ci" -- node dist/server.js')
  // This folder is not a repository: the command line itself is understood.
  expect((await diff('--git', 'main', 'HEAD', '--install', 'npm ci', '--', 'node')).stderr).toContain(
    'there is no git repository',
  )
})
