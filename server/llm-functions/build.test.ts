/** `argc build` while Toolscope serves: lists are deleted, written in pieces and merged, and only a change is a version. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SourceState } from '../../core/api/sources.ts'
import { runToolscope } from '../../scripts/toolscope-program.ts'
import { Catalog } from '../catalog/catalog.ts'
import { watchSources } from '../catalog/watch-files.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { callAndWait } from '../sources/testkit.ts'
import { memorySnapshots } from '../versions/memory-snapshots.ts'
import { SnapshotRecorder } from '../versions/snapshot-recorder.ts'
import { readTree } from './read-tree.ts'
import { readSettled } from './settled-tree.ts'
import { entry, makeTree } from './testkit.ts'

const program = '#!/usr/bin/env bash\necho done > "$LLM_OUTPUT"\n'
const root = [entry('one'), entry('two')]
const merged = [...root, entry('web_find', {}, { mcp: 'web' })]

/** A tree that is open, watched and recorded, as `toolscope serve` does it. */
async function serveTree(more: Record<string, unknown> = {}) {
  const tree = makeTree({
    'functions.json': merged,
    'mcp.json': { mcpServers: {} },
    'agents/a/functions.json': [entry('do', {}, { agent: true })],
    'agents/a/index.yaml': 'name: a\n',
    ...Object.fromEntries(['one', 'two', 'a'].map(name => [`bin/${name}`, program])),
    ...more,
  })
  const catalog = new Catalog({ directory: tree, environment: process.env })
  const store = memorySnapshots()
  const versions = new SnapshotRecorder({ sources: catalog.sources, store, environment: {}, say: () => {} })
  const states: string[] = []
  catalog.sources.onChange(() => {
    const status = catalog.sources.list()[0]?.status
    if (status !== undefined && states.at(-1) !== status) states.push(status)
  })
  await catalog.sources.open(configuredSource({ functions: tree }, { name: 'tree' }, {}))
  const stop = watchSources(catalog.sources, () => {})
  onTestFinished(async () => {
    await stop()
    await versions.close()
    await catalog.close()
  })
  await versions.idle()
  const path = (name: string) => join(tree, name)
  return {
    path,
    states,
    write: (name: string, value: unknown) =>
      writeFileSync(path(name), typeof value === 'string' ? value : JSON.stringify(value)),
    names: () => catalog.tools.list().map(tool => tool.name),
    state: () => catalog.sources.list()[0] as SourceState,
    count: async () => {
      await versions.idle()
      return (await store.list('tree')).length
    },
    catalog,
  }
}

const soon = { timeout: 30_000, interval: 20 }
const all = ['one', 'two', 'web_find', 'a do']

describe('functions tree during a build', () => {
  test.each([
    ['deleted', (path: string) => rmSync(path)],
    ['written in pieces', (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40))],
    ['emptied', (path: string) => writeFileSync(path, '')],
  ])('keeps the last good list, whose tools can be called, when a list is %s', async (_what, damage) => {
    for (const file of ['functions.json', 'agents/a/functions.json']) {
      const { path, state, names, count, write, catalog } = await serveTree()
      const whole = readFileSync(path(file), 'utf8')
      damage(path(file))
      await vi.waitFor(() => expect(state().status).toBe('degraded'), soon)
      expect(state().error?.detail).toContain(file)
      expect(names()).toEqual(all)
      expect(catalog.agents()[0]?.ownTools).toHaveLength(1)
      const { session, tool } = catalog.callTarget('tree/a do')
      expect((await callAndWait(session, tool, {})).ending.type).toBe('result')
      expect(await count()).toBe(1)
      write(file, whole)
      await vi.waitFor(() => expect(state().status).toBe('ready'), soon)
      expect(await count()).toBe(1)
    }
  })

  test('gets no new version from a build without changes that adds the tools of MCP servers last', async () => {
    const { path, write, state, count, names, states } = await serveTree()
    for (const name of ['one', 'two']) rmSync(path(`bin/${name}`))
    rmSync(path('functions.json'))
    await vi.waitFor(() => expect(state().status).toBe('degraded'), soon)
    write('functions.json', JSON.stringify(root).slice(0, 30))
    write('functions.json', root)
    for (const name of ['one', 'two']) writeFileSync(path(`bin/${name}`), program, { mode: 0o755 })
    write('functions.json', merged)
    await vi.waitFor(() => expect(state().status).toBe('ready'), soon)
    expect(names()).toEqual(all)
    expect(await count()).toBe(1)
    expect(states).not.toContain('failed')
  })

  test('is read again before a tool counts as removed that a build adds last', async () => {
    const { path, write } = await serveTree()
    const read = () => readTree(path(''), process.env)
    const before = read()
    write('functions.json', root)
    const started = performance.now()
    let reads = 0
    const { tree } = await readSettled(
      path(''),
      () => {
        const found = read()
        reads += 1
        // The next step of the build follows.
        write('functions.json', merged)
        return found
      },
      before,
      new AbortController().signal,
    )
    expect(reads).toBe(2)
    expect([...tree.targets.keys()]).toEqual(all)
    expect(performance.now() - started).toBeGreaterThan(1_500)
  })

  test('gets one new version from a breaking change', async () => {
    const { path, write, names, count } = await serveTree()
    rmSync(path('functions.json'))
    write('functions.json', [entry('one', { must: { type: 'string' } })])
    await vi.waitFor(() => expect(names()).toEqual(['one', 'a do']), soon)
    await vi.waitFor(async () => expect(await count()).toBe(2), soon)
  })

  test('loses an agent whose folder is removed', async () => {
    const { path, names } = await serveTree()
    rmSync(path('agents/a'), { recursive: true })
    await vi.waitFor(() => expect(names()).toEqual(['one', 'two', 'web_find']), soon)
  })
})

test('functions tree: is read again when bin/ changes, even when bin/ is created later', async () => {
  const { path, state } = await serveTree()
  const missing = () => state().problems.filter(({ message }) => message.includes('bin/one'))
  rmSync(path('bin'), { recursive: true })
  await vi.waitFor(() => expect(missing()).toHaveLength(1), soon)
  mkdirSync(path('bin'))
  writeFileSync(path('bin/two'), program)
  await vi.waitFor(
    () => expect(state().problems.some(each => each.message.includes('bin/two'))).toBe(false),
    soon,
  )
  writeFileSync(path('bin/one'), program)
  await vi.waitFor(() => expect(missing()).toHaveLength(0), soon)
})

test.each([
  ['functions.json', '[{"name": "a", '],
  ['agents/a/functions.json', ''],
])(
  'functions tree: toolscope list exits 3 for a broken %s, says so once, and lists the other tools',
  async (file, text) => {
    const tree = makeTree({
      'functions.json': root,
      'agents/a/functions.json': [entry('do', {}, { agent: true })],
      'agents/a/index.yaml': 'name: a\n',
      'agents/b/functions.json': [entry('be', {}, { agent: true })],
      'agents/b/index.yaml': 'name: b\n',
      [file]: text,
    })
    const run = await runToolscope(['list', tree])
    expect(run.code).toBe(3)
    expect(run.stderr.match(new RegExp(`${file}(?:: | is empty)`, 'g'))).toHaveLength(1)
    expect(run.stdout).toContain('b be')
  },
)
