import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJson } from '../../core/json/json-text.ts'
import type { Store, StoreChange } from '../store/store.ts'
import { databases, type TestDatabase } from '../store/testkit.ts'
import { keepInStore } from './keep-in-store.ts'

const key = { source: 'acme', tool: 'api greet' }

describe.each(databases)('examples in the store on $dialect', ({ create }) => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await create()
    store = await database.open()
  })
  afterEach(() => database.remove())

  test('keep numbers to the digit, and are listed by name, replaced and removed', async () => {
    const keeper = keepInStore(store)
    const reading = readJson('{"id":12345678901234567890,"none":null}')
    const input = (reading.ok ? reading.value : null) ?? null
    await keeper.save(key, { name: 'b', input: 1 })
    await keeper.save(key, { name: 'b', input })
    await keeper.save(key, { name: 'a', input: {} })
    await keeper.save({ ...key, tool: 'other' }, { name: 'a', input: {} })
    const { examples } = await keeper.list(key)
    expect(examples.map(({ name }) => name)).toEqual(['a', 'b'])
    expect(examples[1]?.text).toContain('12345678901234567890')
    await keeper.remove(key, 'b')
    expect((await keeper.list(key)).examples).toHaveLength(1)
  })

  test('accept names of any kind', async () => {
    const keeper = keepInStore(store)
    for (const name of ['a\u0000b', '../x', 'é'.repeat(2_000), "'; drop table examples; --"])
      for (const at of [0, 1])
        await keeper.save({ source: name, tool: name }, { name: `${name.slice(0, 99)}${at}`, input: name })
    const { examples } = await keeper.list({ source: 'a\u0000b', tool: 'a\u0000b' })
    expect(examples.map(({ name }) => name)).toEqual(['a\u0000b0', 'a\u0000b1'])
  })

  test('move with a renamed source, but not into those of another source', async () => {
    const keeper = keepInStore(store)
    const named = (source: string) => keeper.list({ source, tool: 'say "hi"' })
    for (const source of ['a/b', 'taken'])
      await keeper.save({ source, tool: 'say "hi"' }, { name: 'one', input: source })
    await keeper.renameSource('a/b', 'next')
    expect((await named('a/b')).examples).toEqual([])
    const { examples } = await named('next')
    expect(examples).toEqual([{ name: 'one', text: expect.stringContaining('a/b') }])
    await keeper.save({ source: 'next', tool: 'say "hi"' }, { name: 'one', input: 'again' })
    expect((await named('next')).examples).toHaveLength(1)
    await keeper.renameSource('next', 'taken')
    expect((await named('next')).examples).toHaveLength(1)
    expect((await named('taken')).examples).toHaveLength(1)
  })

  test('emit a change when saved, and report tools that no longer exist', async () => {
    const keeper = keepInStore(store)
    const heard: StoreChange[] = []
    store.onChange(change => heard.push(change))
    await keeper.save(key, { name: 'a', input: {} })
    expect(heard).toEqual([
      { kind: 'example', id: expect.any(String), source: key.source, ref: `${key.source}/${key.tool}` },
    ])
    expect(await keeper.strays(['acme'], [key])).toEqual([])
    expect(await keeper.strays(['acme'], [])).toEqual([
      { file: 'acme/api greet', message: 'there is no such tool' },
    ])
    expect(await keeper.strays(['other'], [])).toEqual([])
  })
})
