import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JsonText } from '../../../core/api/endpoint.ts'
import type { ServerMode } from '../../../core/api/rights.ts'
import type { DiffAnswer, VersionList } from '../../../core/api/versions.ts'
import type { AppErrorShape } from '../../../core/errors.ts'
import { makeChangelog } from '../../../core/report/make-changelog.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { limitCatalog } from '../../catalog/limited-catalog.ts'
import { detectSource } from '../../recognise/detect-source.ts'
import { createTextSource } from '../../recognise/manifest-file.ts'
import { testContext } from '../../sources/testkit.ts'
import { hashManifest } from '../../versions/describe-snapshot.ts'
import { createSourceChangelogs } from '../../versions/source-changelog.ts'
import { testRecorder } from '../../versions/testkit.ts'
import { createHono } from '../serve-endpoints.ts'
import { toolRoutes } from './tools.ts'
import { diffRoutes, versionRoutes } from './versions.ts'

async function served(...tools: ManifestTool[]) {
  const catalog = new Catalog(testContext)
  const versions = testRecorder(catalog)
  await catalog.sources.open(createTextSource('acme.json', JSON.stringify({ tools })))
  await versions.idle()
  const app = createHono()
  app
    .route(
      '/',
      versionRoutes(
        catalog,
        versions,
        createSourceChangelogs(
          ({ versions: all, ...options }) => makeChangelog(all, options),
          async () => ({}),
        ),
        { readOnly: false, fixedSources: false },
      ),
    )
    .route('/', toolRoutes(catalog, { demand: async () => {}, demandItems: async () => {} }))
  return async (path: string, method = 'GET') => {
    const response = await app.request(path, { method })
    return { status: response.status, body: (await response.json()) as VersionList & { name?: string } }
  }
}
const tool = (name: string): ManifestTool => ({ name, inputSchema: { type: 'object' } })

test('/api/sources/…/versions: sets and removes labels, and refuses invalid labels and versions', async () => {
  const ask = await served(tool('x'))
  expect((await ask('/api/sources/acme/versions/1/labels/v1.0', 'PUT')).body.versions).toMatchObject([
    { reference: 'acme@1', labels: ['v1.0'], current: true },
  ])
  expect((await ask('/api/sources/acme/versions/1/labels/2026-01-01', 'PUT')).status).toBe(400)
  expect((await ask('/api/sources/acme/versions/7/labels/v2', 'PUT')).status).toBe(404)
  expect((await ask('/api/sources/acme/versions/x/labels/v2', 'PUT')).status).toBe(404)
  expect((await ask('/api/sources/acme/labels/v1.0', 'DELETE')).body.versions).toMatchObject([{ labels: [] }])
  expect((await ask('/api/sources/nobody/versions')).body).toEqual({ versions: [], more: false, kept: false })
  expect((await ask('/api/sources/acme/versions?limit=0')).status).toBe(400)
})

test('/api/tools/…/versions: gives the versions of a tool by its reference, whatever its name is', async () => {
  const ask = await served(tool('a/b c'), tool('a/versions'))
  const listed = await ask(`/api/tools/${encodeURIComponent('acme/a/b c')}/versions`)
  expect(listed.body.versions).toMatchObject([{ reference: 'acme@1', touch: 'added' }])
  expect((await ask('/api/tools/acme/a/versions')).body.name).toBe('a/versions')
  const own = await ask(`/api/tools/${encodeURIComponent('acme/a/versions')}/versions`)
  expect(own.body.versions).toHaveLength(1)
  expect((await ask('/api/tools/acme%2Fnone/versions')).status).toBe(404)
})

test('/api/sources/…/changelog: gives the changelog of a source by its name', async () => {
  const ask = await served(tool('x'))
  expect((await ask('/api/sources/acme/changelog')).body).toMatchObject({
    kind: 'snapshot',
    entries: [{ name: 'acme@1', sentence: 'First version: 1 tool.' }],
  })
  expect((await ask('/api/sources/acme/changelog?limit=0')).status).toBe(400)
  expect((await ask('/api/sources/acme/changelog?cursor=acme@7')).status).toBe(404)
})

const directory = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-viewer-')))
const environment = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const list = (name: string) => JSON.stringify({ tools: [{ name, inputSchema: { type: 'object' } }] })
const save = (name: string, text: string) => writeFileSync(join(directory, name), text)
const git = (...words: string[]) =>
  String(
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...words], {
      cwd: directory,
      env: environment,
    }),
  ).trim()

const modes = {
  open: { readOnly: false, fixedSources: false },
  readOnly: { readOnly: true, fixedSources: false },
  fixedSources: { readOnly: false, fixedSources: true },
} as const satisfies Record<string, ServerMode>
const limited = [
  ['--read-only', modes.readOnly],
  ['--fixed-sources', modes.fixedSources],
] as const

const catalog = new Catalog({ directory, environment })
const versions = testRecorder(catalog)

/** The commit in which the source's file had another name, and a commit in which it was not JSON. */
let [renamed, broken, secretTree] = ['', '', '']

beforeAll(async () => {
  git('init', '-q')
  save('.env', 'API_KEY=sk-secret-of-the-file\n')
  save('private.json', list('private-tool'))
  save('earlier.json', list('earlier'))
  mkdirSync(join(directory, 'deep'))
  save('deep/tools.json', list('deep-secret'))
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  renamed = git('rev-parse', 'HEAD')
  secretTree = git('rev-parse', 'HEAD:deep')
  git('mv', 'earlier.json', 'tools.json')
  git('commit', '-q', '-m', 'second')
  save('tools.json', 'API_KEY=sk-secret-of-the-file\n')
  git('commit', '-q', '-a', '-m', 'third')
  broken = git('rev-parse', 'HEAD')
  save('tools.json', list('committed'))
  git('commit', '-q', '-a', '-m', 'fourth')
  save('tools.json', list('staged'))
  git('add', 'tools.json')
  save('tools.json', list('saved'))
  await catalog.sources.open(await detectSource('tools.json', { directory, environment }))
  // A version that another project keeps in the same store.
  const tools = [{ name: 'other-tool', inputSchema: {} }]
  await versions.store.add({
    source: 'other',
    manifest: await hashManifest({ tools, problems: [], format: 'test' }),
    time: new Date().toISOString(),
    cause: 'opened',
  })
  await versions.idle()
})
afterAll(async () => {
  await versions.close()
  await catalog.close()
  rmSync(directory, { recursive: true })
})

function serving(mode: ServerMode, visible = catalog) {
  const app = createHono()
  const compare = async (a: DiffAnswer['a'], b: DiffAnswer['b']) =>
    new JsonText<DiffAnswer>(JSON.stringify({ a, b }))
  const readRules = async () => ({})
  const changelogs = createSourceChangelogs(
    ({ versions: all, ...options }) => makeChangelog(all, options),
    readRules,
  )
  app
    .route('/', diffRoutes(visible, { directory, environment }, versions, compare, readRules, mode))
    .route('/', versionRoutes(visible, versions, changelogs, mode))
  return app
}

async function send(mode: ServerMode, path: string, method = 'GET', body?: unknown) {
  const answer = await serving(mode).request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  })
  const text = await answer.text()
  return { status: answer.status, text, body: JSON.parse(text) as DiffAnswer & { error: AppErrorShape } }
}
const ask = (mode: ServerMode, a: string, b = 'tools') =>
  send(mode, `/api/diff?${new URLSearchParams({ a, b })}`)
const namesOf = async (mode: ServerMode, reference: string) =>
  (await ask(mode, reference)).body.a?.side.tools.map(({ name }) => name)

/** What is there and not allowed, and what is not there. */
const foreign = () => [
  'git:HEAD:.env',
  'git:HEAD:none.env',
  'git:HEAD:private.json',
  'git:HEAD:./private.json',
  'git:nowhere:tools.json',
  'git:HEAD^{/first}:tools.json',
  'git:HEAD^{tree}:tools.json',
  `git:${secretTree}:tools.json`,
  `git:${secretTree.slice(0, 6)}:tools.json`,
  'git:HEAD:earlier.json',
  'git::0:private.json',
  'git::0:.env',
  'git:HEAD~40:tools.json',
  '.env',
  'private.json',
  './private.json',
  join(directory, 'private.json'),
  'none.json',
  'deep',
  '/etc/passwd',
  '/dev/zero',
  'other@1',
  'absent@1',
  'tools@99',
  'tools@nolabel',
  'ls -la',
  'no-such-program',
  'mcp:npx some-server',
  'http://127.0.0.1:9/tools.json',
]

describe.each(limited)('with %s', (_, mode) => {
  test('GET and POST /api/diff: give one answer for what is not there and what is not allowed', async () => {
    const [first, ...others] = await Promise.all(foreign().map(reference => ask(mode, reference)))
    expect(first).toMatchObject({ status: 404, body: { error: { code: 'not-found' } } })
    for (const [at, other] of others.entries())
      expect([foreign()[at + 1], other.text, other.status]).toEqual([
        foreign()[at + 1],
        first?.text,
        first?.status,
      ])
    const given = { name: 'mine.json', text: list('mine') }
    for (const reference of foreign())
      expect(await send(mode, '/api/diff', 'POST', { a: given, b: { reference } })).toMatchObject({
        status: 404,
        text: first?.text,
      })
  })

  test('GET /api/diff: compares sources, their versions and the files they are read from', async () => {
    expect(await namesOf(mode, 'tools')).toEqual(['saved'])
    expect(await namesOf(mode, 'tools@1')).toEqual(['saved'])
    expect(await namesOf(mode, 'tools@latest')).toEqual(['saved'])
    expect(await namesOf(mode, 'tools.json')).toEqual(['saved'])
    expect(await namesOf(mode, './tools.json')).toEqual(['saved'])
    expect(await namesOf(mode, 'git:HEAD:tools.json')).toEqual(['committed'])
    expect(await namesOf(mode, 'git:HEAD~0:./tools.json')).toEqual(['committed'])
    expect(await namesOf(mode, 'git::0:tools.json')).toEqual(['staged'])
    expect(await namesOf(mode, `git:${renamed}:earlier.json`)).toEqual(['earlier'])
  })

  test('GET /api/diff: does not quote a file that is not a manifest', async () => {
    const answer = await ask(mode, `git:${broken}:tools.json`)
    expect(answer).toMatchObject({ status: 422, body: { error: { code: 'manifest-not-json' } } })
    expect(answer.text).not.toContain('API_KEY')
  })

  test('versions, changelog and labels: list nothing of a source that this server does not have', async () => {
    const [kept, unknown] = await Promise.all(
      ['other', 'absent'].map(name => send(mode, `/api/sources/${name}/versions`)),
    )
    expect(kept).toEqual(unknown)
    const [changes, none] = await Promise.all(
      ['other', 'absent'].map(name => send(mode, `/api/sources/${name}/changelog`)),
    )
    expect(changes).toEqual(none)
    const own = await send(mode, '/api/sources/tools/versions')
    expect(own.body).toMatchObject({ versions: expect.arrayContaining([expect.anything()]) })
    const label = await send(mode, '/api/sources/other/versions/1/labels/v1', 'PUT')
    expect(label.status).toBe(404)
    expect((await send(mode, '/api/sources/other/labels/v1', 'DELETE')).text).toBe(unknown?.text)
  })
})

describe('without them', () => {
  test('GET /api/diff: reads files, revisions and versions of other sources where sources may be opened', async () => {
    expect(await namesOf(modes.open, 'private.json')).toEqual(['private-tool'])
    expect(await namesOf(modes.open, 'git:HEAD:private.json')).toEqual(['private-tool'])
    expect(await namesOf(modes.open, 'other@1')).toEqual(['other-tool'])
    expect((await ask(modes.open, 'git:HEAD:.env')).text).toContain('API_KEY')
  })

  test('GET /api/diff: shows an address without its credentials and its query', async () => {
    for (const address of [
      'http://user:hunter2@127.0.0.1:9/tools.json?key=hunter2',
      'http://user:hunter2@[/tools.json?key=hunter2',
      'mcp:http://user:hunter2@127.0.0.1:9/mcp?key=hunter2',
      'bridge:http://user:hunter2@127.0.0.1:9?key=hunter2',
    ])
      for (const mode of Object.values(modes)) {
        const answer = await ask(mode, address)
        expect([address, answer.status >= 400 && answer.status < 500]).toEqual([address, true])
        expect(answer.text).not.toContain('hunter2')
      }
  })

  test('GET /api/diff: refuses a revision or a path that is empty, and a revision that git would read otherwise', async () => {
    for (const [reference, said] of [
      ['git::tools.json', 'no revision'],
      ['git:HEAD:', 'no path'],
      ['git:HEAD', 'no path'],
      ['git:', 'no revision'],
      ['git:--help:tools.json', '"-"'],
      ['git:HEAD\n:tools.json', 'line break'],
    ] as const)
      expect(await ask(modes.open, reference)).toMatchObject({
        status: 404,
        body: { error: { code: 'source-not-found', detail: expect.stringContaining(said) } },
      })
  })
})

test('/api/sources/…/versions, …/changelog: give nothing of a source that the person may not know of', async () => {
  const read = async (visible: Catalog, path: string) =>
    (await serving(modes.fixedSources, visible).request(path)).text()
  const hidden = limitCatalog(catalog, new Set(['other']))
  for (const list of ['versions', 'changelog']) {
    expect(await read(catalog, `/api/sources/tools/${list}`)).toContain('fourth')
    const answer = await read(hidden, `/api/sources/tools/${list}`)
    expect(answer).toBe(await read(hidden, `/api/sources/missing/${list}`))
    expect(answer).not.toContain('fourth')
  }
})
