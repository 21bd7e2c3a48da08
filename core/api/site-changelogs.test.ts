import { expect, test } from 'vitest'
import { feedShape } from '../report/changelog-render.ts'
import type { SiteChangelog } from './site.ts'
import { changelogParts } from './site-changelogs.ts'
import type { ReadVersion } from './site-versions.ts'
import type { Version, VersionKind } from './versions.ts'

const read = (kind: VersionKind, number: number, maximum: number, extra = {}): ReadVersion => {
  const reference = kind === 'git' ? `git:${number}:tools.json` : `acme@${number}`
  const version: Version = {
    reference,
    name: reference,
    time: `2026-11-2${number}T00:00:00.000Z`,
    kind,
    labels: [],
  }
  const inputSchema = { type: 'object', properties: { n: { type: 'integer', maximum } }, required: ['n'] }
  return { version, manifest: { format: 'mcp', tools: [{ name: 'send', inputSchema, extra }] } }
}
async function exported(
  source: string,
  versions: readonly ReadVersion[],
  older: readonly VersionKind[] = [],
) {
  const { parts, feeds } = await changelogParts([{ source, versions, hasOlder: new Set(older) }], {})
  const changelog: SiteChangelog = JSON.parse(parts[0]?.json ?? '')
  return { changelog, parts, feeds }
}

test('export changelogs: a source gets one changelog part, and a feed under its name', async () => {
  const { changelog, parts, feeds } = await exported('acme', [
    read('snapshot', 2, 50),
    read('snapshot', 1, 100),
  ])
  expect(parts.map(({ name }) => name)).toEqual(['changelog-0'])
  expect(changelog.kinds).toMatchObject([
    { kind: 'snapshot', entries: [{ name: 'acme@2', bump: 'major' }, { name: 'acme@1' }] },
  ])
  expect([...feeds.keys()]).toEqual(['changelog/acme.json'])
  expect(feedShape.parse(JSON.parse(feeds.get(changelog.feed) ?? '')).items).toHaveLength(2)
})

test('export changelogs: the oldest exported version is only a base if older versions exist', async () => {
  const versions = [read('git', 2, 50), read('git', 1, 100)]
  const { changelog } = await exported('acme', versions, ['git'])
  expect(changelog.kinds[0]?.entries.map(({ name }) => name)).toEqual(['git:2:tools.json'])
})

test('export changelogs: commits are listed first if only one snapshot is kept', async () => {
  const { changelog } = await exported('acme', [
    read('snapshot', 1, 50),
    read('git', 2, 50),
    read('git', 1, 100),
  ])
  expect(changelog.kinds.map(({ kind }) => kind)).toEqual(['git', 'snapshot'])
})

test('export changelogs: a difference that an export leaves out is not a change', async () => {
  const { changelog } = await exported('acme', [
    read('snapshot', 2, 50, { path: '/home/ada/tools' }),
    read('snapshot', 1, 50, { path: '/home/ada/old' }),
  ])
  expect(changelog.kinds[0]?.entries[0]).toMatchObject({ bump: 'none', sentence: 'Nothing changed.' })
})

test('export changelogs: each source gets a feed file with a name of its own', async () => {
  const sources = ['My tools', 'my/tools', '../..', 'é']
  const { feeds } = await changelogParts(
    sources.map(source => ({ source, versions: [read('snapshot', 1, 1)], hasOlder: new Set() })),
    {},
  )
  expect([...feeds.keys()]).toEqual([
    'changelog/my-tools.json',
    'changelog/my-tools-2.json',
    'changelog/source.json',
    'changelog/source-2.json',
  ])
})
