/** A source's changelog page by page: kept versions in memory, commits in a real repository, comparisons on the thread. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { createChangelogService, createSourceChangelogs } from './source-changelog.ts'
import { follow, manifest } from './testkit.ts'

const service = createChangelogService()
afterAll(() => service.close())

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-changelog-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Changelogs, and how many pages were made so far. */
function counted() {
  let made = 0
  let rules: TeamRules = {}
  const changelogs = createSourceChangelogs(
    (chosen, now) => {
      made += 1
      return service.make(chosen, now)
    },
    async () => rules,
  )
  const follow = (other: TeamRules) => {
    rules = other
  }
  return { changelogs, made: () => made, follow }
}

test('source changelog: follows the current rules', async () => {
  const { versions } = await follow(manifest(['send', 100]), manifest(['send', 50]))
  const { changelogs, follow: followRules } = counted()
  const page = () => changelogs.pageOf('acme', { limit: 5 }, versions.sourcesOf('acme'))
  expect((await page()).entries[0]).toMatchObject({ bump: 'major', counts: { breaking: 1 } })
  followRules({ rules: { file: 'rules.json', severities: { 'maximum-lowered': 'info' } } })
  expect((await page()).entries[0]).toMatchObject({ counts: { breaking: 0, info: 1 } })
})

test('source changelog: has pages without a gap, and makes each page once', async () => {
  const limits = [100, 50, 60, 60, 40]
  const { versions } = await follow(...limits.map((limit, at) => manifest(['send', limit], ['at', at])))
  const from = versions.sourcesOf('acme')
  const { changelogs, made } = counted()
  const first = await changelogs.pageOf('acme', { limit: 2 }, from)
  expect(first).toMatchObject({ kind: 'snapshot', kinds: ['snapshot'], unreadable: [], nextCursor: 'acme@4' })
  const second = await changelogs.pageOf('acme', { limit: 2, cursor: first.nextCursor }, from)
  const third = await changelogs.pageOf('acme', { limit: 2, cursor: second.nextCursor }, from)
  expect(third.nextCursor).toBeUndefined()
  const entries = [first, second, third].flatMap(page => page.entries)
  expect(entries.map(({ name, before, bump }) => [name, before?.name, bump])).toEqual([
    ['acme@5', 'acme@4', 'major'],
    ['acme@4', 'acme@3', 'minor'],
    ['acme@3', 'acme@2', 'minor'],
    ['acme@2', 'acme@1', 'major'],
    ['acme@1', undefined, undefined],
  ])
  await changelogs.pageOf('acme', { limit: 2 }, from)
  expect(made()).toBe(3)
  await versions.store.setLabel('acme', 5, 'release-5')
  expect((await changelogs.pageOf('acme', { limit: 2 }, from)).entries[0]?.note).toBe('release-5')
})

test('source changelog: fails for an unknown cursor, and is empty for a source without versions', async () => {
  const { versions } = await follow(manifest(['send', 1]))
  const { changelogs } = counted()
  await expect(
    changelogs.pageOf('acme', { limit: 2, cursor: 'acme@9' }, versions.sourcesOf('acme')),
  ).rejects.toMatchObject({ code: 'snapshot-not-found' })
  expect(await changelogs.pageOf('nobody', { limit: 2 }, versions.sourcesOf('nobody'))).toEqual({
    kind: 'snapshot',
    kinds: [],
    entries: [],
    unreadable: [],
  })
})

test('source changelog: shows commits when one version is kept, and either kind on request', async () => {
  const path = join(folder, 'tools.json')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: folder })
  git('init', '-q')
  for (const [maximum, message] of [
    [100, 'First'],
    [50, 'Lower the limit'],
  ] as const) {
    writeFileSync(path, JSON.stringify({ tools: manifest(['send', maximum]).tools }))
    git('add', 'tools.json')
    git('commit', '-qm', message)
  }
  const { versions } = await follow(manifest(['send', 50]))
  const from = { ...versions.sourcesOf('acme'), manifestPath: path }
  const { changelogs } = counted()
  const page = await changelogs.pageOf('acme', { limit: 30 }, from)
  expect(page).toMatchObject({ kind: 'git', kinds: ['snapshot', 'git'] })
  expect(page.entries).toMatchObject([
    {
      note: 'Lower the limit',
      bump: 'major',
      reference: expect.stringMatching(/^git:[0-9a-f]{40}:tools\.json$/),
    },
    { note: 'First', sentence: 'First version: 1 tool.' },
  ])
  const kept = await changelogs.pageOf('acme', { limit: 30, kind: 'snapshot' }, from)
  expect(kept.entries.map(({ name }) => name)).toEqual(['acme@1'])
})
