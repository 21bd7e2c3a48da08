import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { gitHistory, gitManifest, gitReference } from './git-repository.ts'

let folder: string
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const asker = { environment, signal: new AbortController().signal }
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
    cwd: folder,
    env: environment,
  })
const save = (path: string, name: string) =>
  writeFileSync(join(folder, path), JSON.stringify({ tools: [{ name, inputSchema: { type: 'object' } }] }))

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-git-')))
  mkdirSync(join(folder, 'deep'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('gitHistory: returns the commits of a file, through renames and strange names', async () => {
  git('init', '-q')
  save('deep/old.json', 'one')
  git('add', '.')
  git('commit', '-q', '-m', 'first\n\nmore words')
  git('mv', 'deep/old.json', 'deep/na me "1".json')
  git('commit', '-q', '-m', 'move')
  save('deep/na me "1".json', 'two')
  writeFileSync(join(folder, 'other'), '')
  git('add', '.')
  git('commit', '-q', '-m', 'späße \u001b[31m')
  writeFileSync(join(folder, 'other'), 'not about it')
  git('commit', '-q', '-a', '-m', 'other')
  const versions = await gitHistory(join(folder, 'deep/na me "1".json'), 10, asker)
  expect(versions.map(each => [each.subject.slice(0, 5), each.path])).toEqual([
    ['späße', 'deep/na me "1".json'],
    ['move', 'deep/na me "1".json'],
    ['first', 'deep/old.json'],
  ])
  const names = []
  for (const version of versions)
    names.push((await gitManifest(version, asker))?.tools.map(tool => tool.name))
  expect(names).toEqual([['two'], ['one'], ['one']])
  expect(gitReference(versions[2] ?? never())).toMatch(/^git:[0-9a-f]{40}:deep\/old\.json$/)
  expect(await gitHistory(join(folder, 'deep/na me "1".json'), 1, asker)).toHaveLength(1)
})

test('gitHistory: does not return or count a commit that removes the file', async () => {
  git('init', '-q')
  for (const name of ['one', 'two']) {
    save('a.json', name)
    git('add', '.')
    git('commit', '-q', '-m', name)
    git('rm', '-q', 'a.json')
    git('commit', '-q', '-m', 'gone')
  }
  save('a.json', 'three')
  const versions = await gitHistory(join(folder, 'a.json'), 2, asker)
  expect(versions.map(({ subject }) => subject)).toEqual(['two', 'one'])
})

test('gitHistory: returns nothing without git, a repository, a commit or the file', async () => {
  save('a.json', 'one')
  const path = join(folder, 'a.json')
  expect(await gitHistory(path, 10, asker)).toEqual([])
  git('init', '-q')
  expect(await gitHistory(path, 10, asker)).toEqual([])
  expect(await gitHistory(join(folder, 'none.json'), 10, asker)).toEqual([])
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  expect(await gitHistory(path, 10, asker)).toHaveLength(1)
  expect(await gitHistory(path, 10, { ...asker, environment: { PATH: '/nowhere' } })).toEqual([])
})

test('gitHistory: runs no program that the repository names', async () => {
  const proof = join(folder, 'ran')
  git('init', '-q')
  save('a.json', 'one')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  writeFileSync(join(folder, '.gitattributes'), '*.json diff=evil filter=evil')
  for (const [key, value] of [
    ['core.fsmonitor', `touch ${proof}`],
    ['diff.evil.textconv', `touch ${proof}; cat`],
    ['diff.evil.command', `touch ${proof}`],
    ['filter.evil.clean', `touch ${proof}; cat`],
    ['core.pager', `touch ${proof}`],
  ] as const)
    git('config', key, value)
  save('a.json', 'two')
  const [version] = await gitHistory(join(folder, 'a.json'), 10, asker)
  const { gitRevision } = await import('./git-repository.ts')
  expect(await gitRevision([join(folder, 'a.json')], asker)).toMatch(/\+$/)
  expect(version && (await gitManifest(version, asker))?.tools[0]?.name).toBe('one')
  const { existsSync } = await import('node:fs')
  expect(existsSync(proof)).toBe(false)
})

function never(): never {
  throw new Error('there is no such version')
}
