/** `toolscope complete`, as the scripts of `toolscope completion` call it. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { acme } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

/** Creates a project with two sources, whose lists are kept; returns a function that completes words there. */
async function createProject(folder: string) {
  const greet = { name: 'greet', description: 'Greets.\nSecond line.', inputSchema: { type: 'object' } }
  const steering = { name: 'steering\u001b[31m', inputSchema: { type: 'object' } }
  const shout = {
    name: 'shout',
    inputSchema: { type: 'object', properties: { loud: { description: 'How loud.' } } },
  }
  writeFileSync(join(folder, 'one.json'), JSON.stringify({ tools: [greet, shout, steering] }))
  writeFileSync(join(folder, 'two.json'), JSON.stringify({ tools: [greet] }))
  const sources = { one: { manifest: 'one.json' }, 'two words': { manifest: 'two.json' } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  const options = { directory: folder, environment: { TOOLSCOPE_DATA_DIR: join(folder, 'data') } }
  expect((await runCommandLine(['snapshot'], options)).code).toBe(0)
  const complete = async (args: readonly string[], directory = folder) => {
    const run = await runCommandLine(['complete', ...args], { ...options, directory })
    expect(run).toMatchObject({ code: 0, stderr: '' })
    return run.stdout.split('\n').slice(0, -1)
  }
  const values = async (...words: string[]) =>
    (await complete(['--', ...words])).map(line => line.split('\t', 1)[0])
  return { complete, values, options }
}

describe('toolscope complete', () => {
  test('toolscope complete: lists commands, sources, options and their values', async ({ folder }) => {
    const { values } = await createProject(folder)
    expect(await values('')).toEqual(
      expect.arrayContaining(['serve', 'list', 'completion', 'one', 'two words']),
    )
    expect(await values('li')).toEqual(['list', 'lint'])
    expect(await values('--no-o')).toEqual(['--no-open'])
    expect(await values('list', '')).toEqual(['one', 'two words'])
    expect(await values('list', 'two')).toEqual(['two words'])
    expect(await values('list', '--snapshots', '')).toEqual(['one', 'two words', 'two-words'])
    expect(await values('call', '-')).toEqual(expect.arrayContaining(['--input', '-e', '-H', '--help']))
    expect(await values('diff', 'a', '--fail-on', '')).toEqual(['breaking', 'dangerous', 'warning', 'none'])
    expect(await values('diff', '--fail-on=b')).toEqual(['--fail-on=breaking'])
    expect(await values('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  test('toolscope complete: leaves the backup of a migration, however often Tab is pressed', async ({
    folder,
  }) => {
    const { values } = await createProject(folder)
    const backup = join(folder, 'data', 'toolscope.db.before-002-labels')
    writeFileSync(backup, '')
    for (let press = 0; press < 3; press++) expect(await values('help', 'sh')).toEqual(['shout'])
    expect(existsSync(backup)).toBe(true)
  })

  test('toolscope complete: lists nothing for other words, so that the shell lists files', async ({
    folder,
  }) => {
    const { values } = await createProject(folder)
    for (const words of [
      ['list', '--config', ''],
      ['list', 'node', '--', ''],
      ['bridge', ''],
      ['list', './on'],
      ['token', ''],
    ])
      expect(await values(...words), words.join(' ')).toEqual([])
  })

  test('toolscope complete: lists tools of stored lists as `call` takes them, and their flags', async ({
    folder,
  }) => {
    const { complete, values } = await createProject(folder)
    // Both sources have `greet`. A name that would steer the terminal is left out.
    expect(await complete(['--', 'call', ''])).toEqual([
      'one/greet\tGreets.',
      'shout\t',
      'two-words/greet\tGreets.',
    ])
    expect(await values('call', 'one/')).toEqual(['one/greet', 'one/shout'])
    expect(await values('help', 'sh')).toEqual(['shout'])
    expect(await values('help', 'lis')).toEqual(['list'])
    expect(await values('check', 'one', '--tool', '')).toEqual(['greet', 'shout'])
    expect(await complete(['--', 'call', 'shout', '--l'])).toEqual(['--loud\tHow loud.'])
    // Without a toolscope.json, the tools of all kept lists.
    const elsewhere = join(folder, '..')
    expect(await complete(['--', 'call', 'sh'], elsewhere)).toEqual(['shout\t'])
  })

  test('toolscope complete: starts no program and makes no store', async ({ folder }) => {
    const mark = join(folder, 'mark')
    const command = ['node', '-e', `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '')`, acme]
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources: { acme: { command } } }))
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    for (const words of [
      ['call', ''],
      ['list', ''],
      ['help', ''],
    ])
      expect(
        await runCommandLine(['complete', '--', ...words], { directory: folder, environment }),
      ).toMatchObject({
        code: 0,
        stderr: '',
      })
    expect([existsSync(mark), existsSync(join(folder, 'data'))]).toEqual([false, false])
  })

  test('toolscope complete: completes what bash has of a line, with its quotes', async ({ folder }) => {
    const { complete } = await createProject(folder)
    const bash = (line: string) => complete(['bash', '--', `toolscope ${line}`, ' \t\n"\'@><=;|&(:'])
    expect(await bash('list tw')).toEqual(['two\\ words'])
    expect(await bash('list two\\ w')).toEqual(['two\\ words'])
    expect(await bash('list "tw')).toEqual(['two words'])
    expect(await bash("list 'two w")).toEqual(['two words'])
    expect(await bash('lint --fail-on=w')).toEqual(['warning'])
    expect(await bash("list 'one' ")).toEqual(['one', 'two\\ words'])
  })
})
