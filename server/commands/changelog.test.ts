/** `toolscope changelog`: kept versions in a real store, files, and the commits of a real git repository. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { type Changelog, changelogShape } from '../../core/report/changelog.ts'
import { changelogCommand } from './changelog.ts'
import type { Command, CommandContext } from './command.ts'
import { snapshotCommand } from './snapshot.ts'

let folder: string
let said: string[]
let context: CommandContext

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-changelog-')))
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
          inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } }, required: ['n'] },
        },
        ...more,
      ],
    }),
  )
const run = (command: Command, input: object) => command.run(command.input.parse(input), context)
async function read(input: object): Promise<Changelog & { readonly text: string }> {
  const { output, text = '', exitCode = 0 } = await run(changelogCommand, input)
  expect(exitCode).toBe(0)
  return { ...changelogShape.parse(output), text }
}
/** The error that a run ends with. */
const errorOf = (input: object) =>
  read(input).then(
    () => undefined,
    (thrown: unknown) => toAppError(thrown).toShape(),
  )
const namesAndBumps = ({ entries }: Changelog) => entries.map(({ name, bump }) => [name, bump])

describe('toolscope changelog of a source', () => {
  beforeEach(async () => {
    for (const [at, maximum] of [100, 200, 50].entries()) {
      write('acme.json', maximum)
      await run(snapshotCommand, { sources: ['acme.json'], ...(at === 1 ? { label: 'release-2' } : {}) })
    }
  })

  test('lists the kept versions, by the name of the source or its file', async () => {
    for (const named of ['acme', 'acme.json']) {
      const found = await read({ manifests: [named] })
      expect(found).toMatchObject({ title: 'acme', older: 0 })
      expect(namesAndBumps(found)).toEqual([
        ['acme@3', 'major'],
        ['acme@2', 'minor'],
        ['acme@1', undefined],
      ])
      expect(found.entries[1]).toMatchObject({ note: 'release-2', time: expect.stringMatching(/^\d{4}-/) })
      expect(found.text).toContain(
        'An input that worked before and fails now: /n must not be above 50: {"n":51}',
      )
      expect(found.text).toContain('toolscope diff acme@2 acme@3')
    }
  })

  test('--limit and --since list the newest versions, each against the previous one', async () => {
    const limited = await read({ manifests: ['acme'], limit: 1 })
    expect(namesAndBumps(limited)).toEqual([['acme@3', 'major']])
    expect(limited.older).toBe(2)
    expect(said).toEqual(['2 older versions not listed. List more with --limit.'])
    for (const since of ['acme@1', '1']) {
      const found = await read({ manifests: ['acme'], since })
      expect(namesAndBumps(found)).toEqual([
        ['acme@3', 'major'],
        ['acme@2', 'minor'],
      ])
    }
    expect(namesAndBumps(await read({ manifests: ['acme'], since: 'release-2' }))).toEqual([
      ['acme@3', 'major'],
    ])
    expect(await errorOf({ manifests: ['acme'], since: 'release-9' })).toMatchObject({
      code: 'snapshot-not-found',
      detail: 'no version is called "release-9": there are acme@1 to acme@3',
    })
  })

  test('fails for a source without versions, names the sources that have some, and suggests --git', async () => {
    expect(await errorOf({ manifests: ['amce'] })).toMatchObject({
      code: 'snapshot-not-found',
      detail: 'no version of amce is kept; there are versions of acme',
      hint: expect.stringContaining('toolscope changelog --git FILE'),
    })
  })

  test('compares versions and files in the order given', async () => {
    write('now.json', 40)
    const found = await read({ manifests: ['acme@1', 'acme@3', 'now.json'] })
    expect(found.title).toBe('acme@1 to now.json')
    expect(namesAndBumps(found)).toEqual([
      ['now.json', 'major'],
      ['acme@3', 'major'],
      ['acme@1', undefined],
    ])
  })

  test('--write puts the other formats into files', async () => {
    await read({ manifests: ['acme'], write: 'markdown=CHANGES.md,html=changes.html,feed=feed.json' })
    expect(readFileSync(join(folder, 'CHANGES.md'), 'utf8')).toContain('## `acme@3` - ')
    expect(readFileSync(join(folder, 'changes.html'), 'utf8')).toContain('<h1>Changelog of acme</h1>')
    expect(JSON.parse(readFileSync(join(folder, 'feed.json'), 'utf8'))).toMatchObject({
      version: 'https://jsonfeed.org/version/1.1',
      items: [{ id: 'acme@3' }, { id: 'acme@2' }, { id: 'acme@1' }],
    })
  })
})

describe('toolscope changelog of files', () => {
  test('calls files of one folder by their names without the ending', async () => {
    mkdirSync(join(folder, 'mail'))
    write('mail/1.9.json', 100)
    write('mail/1.10.json', 50, [{ name: 'draft', inputSchema: {} }])
    const found = await read({ manifests: ['mail/1.9.json', 'mail/1.10.json'] })
    expect(found.title).toBe('mail')
    expect(found.entries).toMatchObject([
      { name: '1.10', reference: 'mail/1.10.json', before: { name: '1.9' }, added: ['draft'] },
      { name: '1.9', sentence: 'First version: 1 tool.' },
    ])
    expect(said).toEqual([])
    await read({ manifests: ['mail/1.10.json', 'mail/1.9.json'] })
    expect(said).toEqual([expect.stringContaining('1.10 is before 1.9')])
  })

  test('fails for a missing file', async () => {
    write('a.json', 1)
    expect(await errorOf({ manifests: ['a.json', 'b.json'] })).toMatchObject({
      code: 'source-not-found',
    })
  })

  test('fails with a usage error and examples when there is nothing to compare', async () => {
    for (const input of [{}, { manifests: ['a.json'], git: 'a.json' }])
      expect(await errorOf(input)).toMatchObject({
        code: 'usage',
        hint: expect.stringContaining('toolscope changelog --git tools.json'),
      })
  })
})

describe('toolscope changelog --git', () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      env: { ...process.env, ...context.environment },
      encoding: 'utf8',
    })
  const commit = (name: string, message: string) => {
    git('add', '-A', '--', name)
    git('commit', '-qm', message)
  }

  test('lists the commits that changed the file, through renames, without those that are not a manifest', async () => {
    git('init', '-q')
    write('tools.json', 100)
    commit('tools.json', 'First tools')
    writeFileSync(join(folder, 'tools.json'), '{"tools": [')
    commit('tools.json', 'A mistake')
    write('tools.json', 50)
    commit('tools.json', 'Lower the limit')
    git('mv', 'tools.json', 'mail.json')
    git('commit', '-qm', 'Move')
    write('mail.json', 50, [{ name: 'draft', inputSchema: {} }])
    commit('mail.json', 'Add a tool')
    const found = await read({ git: 'mail.json' })
    expect(found.title).toBe('mail.json')
    expect(found.entries.map(({ note, bump }) => [note, bump])).toEqual([
      ['Add a tool', 'minor'],
      ['Move', 'none'],
      ['Lower the limit', 'major'],
      ['First tools', undefined],
    ])
    const broken = git('rev-parse', 'HEAD~3').slice(0, 8)
    expect(said).toEqual([`Not readable as a manifest, so left out: ${broken}`])
    const since = await read({ git: 'mail.json', since: git('rev-parse', '--short=12', 'HEAD~2').trim() })
    expect(since.entries.map(({ note }) => note)).toEqual(['Add a tool', 'Move'])
  })

  test('fails for a file outside git and for one that is not committed, and says so', async () => {
    write('tools.json', 100)
    expect(await errorOf({ git: 'tools.json' })).toMatchObject({
      detail: `there is no file ${join(folder, 'tools.json')} in a git repository of yours`,
    })
    git('init', '-q')
    expect(await errorOf({ git: 'tools.json' })).toMatchObject({
      detail: `no commit of ${folder} changed tools.json`,
    })
  })
})
