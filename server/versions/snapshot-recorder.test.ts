import { describe, expect, test } from 'vitest'
import type { Manifest } from '../../core/tool/tool.ts'
import { readStoredVersions } from './source-timeline.ts'
import { follow, manifest } from './testkit.ts'

describe('snapshot recorder', () => {
  test('keeps one version per change, and announces each change with its severities', async () => {
    const same = manifest(['x', 100], ['y', 1])
    const { versions, changes } = await follow(same, same, manifest(['x', 50], ['y', 1]), manifest(['x', 50]))
    const list = await versions.store.list('acme')
    expect(list.map(each => [each.number, each.toolCount, each.cause])).toEqual([
      [3, 1, 'refreshed'],
      [2, 2, 'refreshed'],
      [1, 2, 'opened'],
    ])
    expect(changes).toMatchObject([
      { source: 'acme', from: 'acme@1', to: 'acme@2', counts: { breaking: 1 } },
      { source: 'acme', from: 'acme@2', to: 'acme@3', counts: { breaking: 1 } },
    ])
    expect(versions.currentOf('acme')?.number).toBe(3)
  })

  test('says which person read a list again, for versions that this reading found', async () => {
    const { catalog, versions } = await follow(manifest(['x', 1]))
    let minimum = 0
    await catalog.sources.open({
      settings: { name: 'shop' },
      kind: 'test',
      label: 'shop',
      definition: '',
      open: async () => ({
        label: 'shop',
        manifest: async () => manifest(['x', ++minimum]),
        close: async () => {},
      }),
    })
    await versions.readBy('ada', 'shop', () => catalog.sources.refresh('shop'))
    await catalog.sources.refresh('shop')
    await versions.idle()
    expect((await versions.store.list('shop')).map(({ by }) => by)).toEqual([undefined, 'ada', undefined])
    const [, second] = await readStoredVersions('shop', versions.sourcesOf('shop'))
    expect(second?.version.by).toBe('ada')
  })

  test('keeps the versions of a source that is renamed, open or closed', async () => {
    const { catalog, versions } = await follow(manifest(['x', 1]), manifest(['x', 2]))
    catalog.sources.rename('acme', 'shop')
    await versions.idle()
    const numbers = async (source: string) => (await versions.store.list(source)).map(each => each.number)
    expect([await numbers('acme'), await numbers('shop')]).toEqual([[], [2, 1]])
    expect(versions.currentOf('shop')).toMatchObject({ source: 'shop', number: 2 })
    await catalog.sources.stop('shop')
    catalog.sources.rename('shop', 'acme')
    await versions.idle()
    expect(await numbers('acme')).toEqual([2, 1])
  })

  test('marks no version of a closed source as current, but still finds the versions', async () => {
    const { catalog, versions, find } = await follow(manifest(['x', 1]))
    const isCurrent = async () =>
      (await readStoredVersions('acme', versions.sourcesOf('acme'))).map(
        ({ version }) => version.current ?? false,
      )
    expect(await isCurrent()).toEqual([true])
    await catalog.sources.stop('acme')
    expect(versions.currentOf('acme')).toBeUndefined()
    expect(await isCurrent()).toEqual([false])
    expect((await find('latest')).snapshot.number).toBe(1)
    await catalog.sources.restart('acme')
    await versions.idle()
    expect(await isCurrent()).toEqual([true])
  })

  test('finds versions by number, word, label and time, or says which exist', async () => {
    const { versions, find } = await follow(manifest(['x', 1]), manifest(['x', 2]), manifest(['x', 3]))
    await versions.store.setLabel('acme', 1, 'v1')
    expect((await find('2')).snapshot.number).toBe(2)
    expect((await find('latest')).snapshot.number).toBe(3)
    expect((await find('previous')).snapshot.number).toBe(2)
    expect((await find('v1')).manifest.tools).toEqual(manifest(['x', 1]).tools)
    const today = new Date(Date.now()).toLocaleDateString('sv')
    expect((await find(today)).snapshot.number).toBe(3)
    await expect(find('1999-12-31')).rejects.toThrow(/acme@1 to 3 .* labels v1/)
    await expect(find('9')).rejects.toMatchObject({ code: 'snapshot-not-found' })
  })

  test('tells which versions changed a tool', async () => {
    const { versions } = await follow(
      manifest(['x', 1]),
      manifest(['x', 1], ['y', 1]),
      manifest(['x', 1], ['y', 2]),
      manifest(['y', 2]),
    )
    const touched = async (tool: string) =>
      (await versions.store.touches('acme', tool)).map(each => [each.number, each.hash !== undefined])
    expect(await touched('x')).toEqual([
      [1, true],
      [4, false],
    ])
    expect(await touched('y')).toEqual([
      [2, true],
      [3, true],
    ])
  })

  test('does not keep a version that is nested too deep, and continues with the next', async () => {
    let schema: object = {}
    for (let depth = 0; depth < 50_000; depth++) schema = { not: schema }
    const deep: Manifest = {
      tools: [{ name: 'deep', inputSchema: { ...schema } }],
      problems: [],
      format: 'test',
    }
    const { catalog, versions, said } = await follow(deep, manifest(['x', 1]))
    expect(said).toEqual([expect.stringContaining('acme: this version is not kept')])
    expect(catalog.sources.list()[0]).toMatchObject({ status: 'ready' })
    expect(await versions.store.list('acme')).toHaveLength(1)
  })
})
