import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { hashManifest } from '../versions/describe-snapshot.ts'
import { memorySnapshots } from '../versions/memory-snapshots.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import { storedSnapshots } from './snapshots.ts'
import { databases, type TestDatabase } from './testkit.ts'

type Listed = readonly (readonly [name: string, body: number])[]

const manifest = (tools: Listed): Manifest => ({
  tools: tools.map(([name, body]) => ({
    name,
    description: `Does ${body}`,
    // In an order that is not the alphabet's.
    inputSchema: { type: 'object', properties: { z: { const: body }, a: { type: 'string' } } },
  })),
  problems: [],
  format: 'test',
})

const pairwise = <Value>(values: readonly Value[]) =>
  values.slice(1).map((value, at) => [values[at] as Value, value] as const)

async function add(snapshots: SnapshotStore, list: Manifest, source: string) {
  return snapshots.add({
    source,
    manifest: await hashManifest(list),
    time: new Date().toISOString(),
    cause: 'refreshed',
  })
}

describe.each(databases)('stored versions in $dialect', kind => {
  let database: TestDatabase
  let snapshots: SnapshotStore
  beforeEach(async () => {
    database = await kind.create()
    snapshots = storedSnapshots(await database.open())
  })
  afterEach(() => database.remove())

  test('equal those in memory after any changes and pruning', async () => {
    const tools = fc.array(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.integer({ min: 0, max: 2 })),
      {
        maxLength: 6,
      },
    )
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(tools, { minLength: 1, maxLength: 8 }), async lists => {
        round += 1
        const source = `source ${round}`
        const plain = memorySnapshots()
        for (const list of lists) {
          const stored = await add(snapshots, manifest(list), source)
          const expected = await add(plain, manifest(list), source)
          expect({ ...stored, snapshot: { ...stored.snapshot, time: '' } }).toEqual({
            ...expected,
            snapshot: { ...expected.snapshot, time: '' },
          })
        }
        for (const snapshot of await plain.list(source))
          expect(await snapshots.manifestOf(snapshot)).toEqual(await plain.manifestOf(snapshot))
        for (const tool of ['a', 'b', 'c'])
          expect(await snapshots.touches(source, tool)).toEqual(await plain.touches(source, tool))
        for (const [after, before] of pairwise(await plain.list(source))) {
          const whole = [await plain.manifestOf(before), await plain.manifestOf(after)] as const
          const some = await snapshots.differing(source, before.number, after.number)
          expect((await diffManifests(...some)).counts).toEqual((await diffManifests(...whole)).counts)
        }
        // Half of them go: the others are untouched by that.
        const maxCount = Math.ceil(lists.length / 2)
        await plain.prune(source, { maxCount })
        await snapshots.prune(source, { maxCount })
        expect((await snapshots.list(source)).map(each => each.number)).toEqual(
          (await plain.list(source)).map(each => each.number),
        )
        for (const snapshot of await plain.list(source))
          expect(await snapshots.manifestOf(snapshot)).toEqual(await plain.manifestOf(snapshot))
        for (const tool of ['a', 'b', 'c'])
          expect(await snapshots.touches(source, tool)).toEqual(await plain.touches(source, tool))
      }),
      { numRuns: kind.dialect === 'sqlite' ? 25 : 10 },
    )
  })
})
