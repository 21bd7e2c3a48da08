import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Manifest } from '../../core/tool/tool.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { storedSnapshots } from './snapshots.ts'
import type { Store } from './store.ts'
import { databases, type TestDatabase } from './testkit.ts'

type Listed = readonly (readonly [name: string, body: number])[]

const manifest = (tools: Listed, more: Partial<Manifest> = {}): Manifest => ({
  tools: tools.map(([name, body]) => ({
    name,
    description: `Does ${body}`,
    // In an order that is not the alphabet's.
    inputSchema: { type: 'object', properties: { z: { const: body }, a: { type: 'string' } } },
  })),
  problems: [],
  format: 'test',
  ...more,
})

async function add(snapshots: SnapshotStore, list: Manifest, source = 'acme') {
  return snapshots.add({
    source,
    manifest: await hashManifest(list),
    time: new Date().toISOString(),
    cause: 'refreshed',
  })
}

describe.each(databases)('snapshot store in $dialect', kind => {
  let database: TestDatabase
  let store: Store
  let snapshots: SnapshotStore
  beforeEach(async () => {
    database = await kind.create()
    store = await database.open()
    snapshots = storedSnapshots(store)
  })
  afterEach(() => database.remove())

  const countOf = async (table: 'snapshot_bodies' | 'snapshot_tools') => {
    const row = await store
      .database()
      .selectFrom(table)
      .select(query => query.fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(row.count)
  }

  test('returns versions unchanged: every field, the order of tools and of properties', async () => {
    const list: Manifest = {
      tools: [
        {
          name: '__proto__',
          title: 'T',
          description: '\u0000 \ud83d\ude00',
          inputSchema: { properties: { zeta: true, alpha: false } },
          outputSchema: false,
          annotations: { readOnlyHint: true },
          extra: { _meta: { __proto__: 1 } },
        },
        { name: 'twice', inputSchema: true },
        { name: 'twice', inputSchema: {} },
      ],
      problems: [{ message: 'not kept' }],
      format: 'MCP tools/list',
      instructions: 'Be kind.',
      callingConvention: 'As you like.',
    }
    const { snapshot } = await add(snapshots, list)
    const { problems: _, ...kept } = list
    expect(await snapshots.manifestOf(snapshot)).toEqual(kept)
    expect(JSON.stringify((await snapshots.manifestOf(snapshot)).tools)).toBe(JSON.stringify(list.tools))
  })

  test('stores equal parts of versions once, and removes what pruned versions leave', async () => {
    const five = (changed: number): Listed => [1, 2, 3, 4, 5].map(at => [`t${at}`, at === 1 ? changed : at])
    for (let version = 100; version < 110; version++) await add(snapshots, manifest(five(version)))
    // Four that stayed, ten of the first one, and what is not a tool.
    expect(await countOf('snapshot_bodies')).toBe(15)
    expect(await countOf('snapshot_tools')).toBe(14)
    await snapshots.setLabel('acme', 3, 'v1')
    expect(await snapshots.prune('acme', { maxCount: 2 })).toBe(7)
    expect((await snapshots.list('acme')).map(each => each.number)).toEqual([10, 9, 3])
    expect(await countOf('snapshot_bodies')).toBe(8)
    expect((await snapshots.manifestOf({ source: 'acme', number: 3 })).tools[0]?.description).toBe('Does 102')
    expect(await snapshots.prune('acme', { maxCount: 99, maxDays: 1 })).toBe(0)
    expect((await add(snapshots, manifest(five(1)))).snapshot.number).toBe(11)
  })

  test('sets, moves and removes labels, and rejects unknown versions', async () => {
    await add(snapshots, manifest([['a', 1]]))
    await add(snapshots, manifest([['a', 2]]))
    await snapshots.setLabel('acme', 1, 'stable')
    await snapshots.setLabel('acme', 1, 'old')
    await snapshots.setLabel('acme', 2, 'stable')
    expect((await snapshots.list('acme')).map(each => each.labels)).toEqual([['stable'], ['old']])
    expect(await snapshots.removeLabel('acme', 'old')).toBe(true)
    expect(await snapshots.removeLabel('acme', 'old')).toBe(false)
    await expect(snapshots.setLabel('acme', 9, 'x')).rejects.toMatchObject({ code: 'snapshot-not-found' })
    await expect(snapshots.manifestOf({ source: 'acme', number: 9 })).rejects.toMatchObject({
      code: 'snapshot-not-found',
    })
  })

  test('numbers versions of two programs at once in sequence, and stores equal ones once', async () => {
    const other = storedSnapshots(await database.open())
    const same = manifest([['same', 1]])
    const answers = await Promise.all([add(snapshots, same), add(other, same)])
    expect(answers.map(answer => answer.snapshot.number)).toEqual([1, 1])
    expect(answers.filter(answer => answer.added)).toHaveLength(1)
    await Promise.all(
      [1, 2, 3, 4].map(body => add(body % 2 === 0 ? snapshots : other, manifest([['x', body]]))),
    )
    const list = await snapshots.list('acme')
    expect(list.map(each => each.number)).toEqual([5, 4, 3, 2, 1])
    for (const snapshot of list)
      expect((await hashManifest({ ...(await other.manifestOf(snapshot)), problems: [] })).hash).toBe(
        snapshot.hash,
      )
  })

  test('writes the first versions of many sources in few transactions', async () => {
    const transactions = vi.spyOn(store.database(), 'transaction')
    const sources = Array.from({ length: 200 }, (_, at) => `source${at}`)
    // Every second one has the same tool, and one is larger than a statement.
    const listed = sources.map(
      (_, at): Listed =>
        at === 7
          ? Array.from({ length: 900 }, (_, body) => [`large${body}`, body] as const)
          : [[`look${at % 2 === 0 ? 0 : at}`, at % 2 === 0 ? 0 : at]],
    )
    const answers = await Promise.all(
      sources.map((source, at) => add(snapshots, manifest(listed[at] ?? []), source)),
    )
    expect(transactions.mock.calls.length).toBeLessThan(20)
    expect(answers.map(({ added, snapshot }) => [added, snapshot.source, snapshot.number])).toEqual(
      sources.map(source => [true, source, 1]),
    )
    for (const { snapshot } of answers)
      expect((await hashManifest({ ...(await snapshots.manifestOf(snapshot)), problems: [] })).hash).toBe(
        snapshot.hash,
      )
  })

  test('stores all others if versions of one source take the same number', async () => {
    const lists = [1, 2, 3].map(body => manifest([['a', body]]))
    const answers = await Promise.all([
      ...lists.map(list => add(snapshots, list)),
      ...['b', 'c', 'd'].map(source => add(snapshots, manifest([[source, 1]]), source)),
    ])
    expect(answers.map(({ snapshot }) => snapshot.number).toSorted()).toEqual([1, 1, 1, 1, 2, 3])
    expect(await snapshots.sources()).toEqual(['acme', 'b', 'c', 'd'])
    const stored = await Promise.all((await snapshots.list('acme')).map(each => snapshots.manifestOf(each)))
    expect(stored.map(({ tools }) => tools[0]?.description).toSorted()).toEqual([
      'Does 1',
      'Does 2',
      'Does 3',
    ])
  })

  test('renames a source with its versions, labels and tools, but not to a name that has versions', async () => {
    await add(snapshots, manifest([['a', 1]]))
    await add(snapshots, manifest([['a', 2]]))
    await snapshots.setLabel('acme', 1, 'stable')
    await add(snapshots, manifest([['other', 1]]), 'taken')
    expect(await snapshots.renameSource('acme', 'taken')).toBe(false)
    expect((await snapshots.list('acme')).map(each => each.number)).toEqual([2, 1])
    expect(await snapshots.renameSource('acme', 'next')).toBe(true)
    expect(await snapshots.sources()).toEqual(['next', 'taken'])
    const list = await snapshots.list('next')
    expect(list.map(({ number, labels }) => [number, labels])).toEqual([
      [2, []],
      [1, ['stable']],
    ])
    expect((await snapshots.manifestOf({ source: 'next', number: 1 })).tools[0]?.description).toBe('Does 1')
    expect(await add(snapshots, manifest([['a', 2]]), 'next')).toMatchObject({ added: false })
    expect((await add(snapshots, manifest([['a', 3]]), 'next')).snapshot.number).toBe(3)
    expect(await snapshots.touches('next', 'a')).toHaveLength(3)
  })

  test('emits a change for a new version only', async () => {
    const heard: string[] = []
    store.onChange(change => heard.push(`${change.kind} ${change.id}`))
    await add(snapshots, manifest([['a', 1]]))
    await add(snapshots, manifest([['a', 1]]))
    expect(heard.filter(line => line.startsWith('snapshot'))).toEqual(['snapshot acme@1'])
  })
})
