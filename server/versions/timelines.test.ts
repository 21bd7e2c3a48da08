import { execFileSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Catalog } from '../catalog/catalog.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { testContext } from '../sources/testkit.ts'
import { sourceTimeline } from './source-timeline.ts'
import { testRecorder } from './testkit.ts'
import { toolTimeline } from './tool-timeline.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-timeline-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** What the timelines are made of, for a file of so many commits: `changing` is another tool in each of them. */
async function committed(commits: number) {
  const path = join(folder, 'tools.json')
  const git = (args: readonly string[], input = '') => execFileSync('git', args, { cwd: folder, input })
  const text = (maximum: number) =>
    JSON.stringify({
      tools: [
        { name: 'steady', inputSchema: true },
        { name: 'changing', inputSchema: { type: 'integer', maximum } },
      ],
    })
  const data = (value: string) => `data ${Buffer.byteLength(value)}\n${value}\n`
  const stream = Array.from(
    { length: commits },
    (_, index) =>
      `commit refs/heads/main\ncommitter t <t@example.com> ${1_700_000_000 + index} +0000\n` +
      `${data(`commit ${index}`)}M 644 inline tools.json\n${data(text(commits - index))}`,
  )
  git(['init', '-q', '-b', 'main'])
  git(['fast-import', '--quiet'], stream.join(''))
  git(['reset', '-q'])
  writeFileSync(path, text(1))
  const catalog = new Catalog(testContext)
  const versions = testRecorder(catalog)
  await catalog.sources.open(configuredSource({ manifest: path }, { name: 'acme' }, {}))
  await versions.idle()
  return versions.sourcesOf('acme')
}

const inGit = ({ versions }: Awaited<ReturnType<typeof sourceTimeline>>) =>
  versions.filter(({ kind }) => kind === 'git')

test('sourceTimeline: lists as many commits as asked for, and says when there are more', async () => {
  const from = await committed(70)
  const some = await sourceTimeline('acme', 65, from)
  expect([inGit(some).length, some.more]).toEqual([65, true])
  const all = await sourceTimeline('acme', 70, from)
  expect([inGit(all).length, all.more]).toEqual([70, false])
})

test('toolTimeline: does not say that the oldest of the read commits added a tool', async () => {
  const many = await committed(70)
  const listed = await toolTimeline('acme', 'steady', 20, many)
  expect([inGit(listed), listed.more]).toEqual([[], true])
})

test('toolTimeline: says that the first commit added a tool', async () => {
  const few = await committed(3)
  const listed = await toolTimeline('acme', 'steady', 20, few)
  expect([inGit(listed).map(({ subject, touch }) => [subject, touch]), listed.more]).toEqual([
    [['commit 0', 'added']],
    false,
  ])
  const changes = await toolTimeline('acme', 'changing', 20, few)
  expect(inGit(changes).map(({ touch }) => touch)).toEqual(['changed', 'changed', 'added'])
})
