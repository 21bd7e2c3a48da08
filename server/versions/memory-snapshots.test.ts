import { expect, test } from 'vitest'
import { storedSnapshots } from '../store/snapshots.ts'
import { databases } from '../store/testkit.ts'
import { hashManifest } from './describe-snapshot.ts'
import { fallbackSnapshots } from './memory-snapshots.ts'

const sqlite = databases[0]

test('fallbackSnapshots: continues the numbers of versions in memory when the store is lost', async () => {
  const database = await sqlite?.create()
  if (database === undefined) throw new Error('there is no SQLite')
  const store = await database.open()
  const snapshots = fallbackSnapshots(store)
  const add = async (name: string) => {
    const manifest = await hashManifest({
      tools: [{ name, inputSchema: {} }],
      problems: [],
      format: 'test',
    })
    return snapshots.add({ source: 'acme', manifest, time: new Date().toISOString(), cause: 'refreshed' })
  }
  await add('one')
  await add('two')
  expect(snapshots.durable).toBe(true)
  expect(await storedSnapshots(store).list('acme')).toHaveLength(2)
  await store.close()
  expect((await add('three')).snapshot.number).toBe(3)
  expect((await snapshots.list('acme')).map(each => each.number)).toEqual([3, 2, 1])
  expect((await snapshots.manifestOf({ source: 'acme', number: 1 })).tools[0]?.name).toBe('one')
  await database.remove()
})
