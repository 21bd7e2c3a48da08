import fc from 'fast-check'
import { parse } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { toPointer, valueAt } from '../../../../core/json/pointer.ts'
import { treeRows } from './tree-rows.ts'
import { maxMatches, searchTree } from './tree-search.ts'

const never = new AbortController().signal
const idsOf = async (value: unknown, text: string) => [
  ...((await searchTree(value, text, never))?.matches ?? []),
]

describe('searchTree', () => {
  const value = {
    machines: [
      { name: 'Atlas', cores: 16, 'rack/row': null },
      { name: 'Hermes', cores: 8, healthy: true },
    ],
    title: 'atlas of machines',
  }

  it.each([
    ['atlas', ['/machines/0/name', '/title']],
    ['MACHINES', ['/machines', '/title']],
    ['8', ['/machines/1/cores']],
    ['null', ['/machines/0/rack~1row']],
    ['tru', ['/machines/1/healthy']],
    ['rack/row', ['/machines/0/rack~1row']],
    ['/machines/1/Cores', ['/machines/1/cores']],
    ['0', []],
    ['nothing like it', []],
  ])('finds %j in keys, values and places, in their order', async (text, ids) => {
    expect(await idsOf(value, text)).toEqual(ids)
  })

  it('finds a number by digits that a double would lose', async () => {
    expect(await idsOf(parse('{"id":12345678901234567890}'), '4567890')).toEqual(['/id'])
  })

  it('keeps only what matches and its parents in the tree', async () => {
    const filter = await searchTree(value, 'hermes', never)
    const opened = new Set(filter?.members.keys())
    expect(treeRows(value, opened, new Map(), filter).map(row => row.id)).toEqual([
      '',
      '/machines',
      '/machines/1',
      '/machines/1/name',
    ])
  })

  it('keeps all members of what matches in the tree', async () => {
    const filter = await searchTree(value, '/machines/1', never)
    const rows = treeRows(value, new Set(['', '/machines', '/machines/1']), new Map(), filter)
    expect(rows.map(row => row.id)).toEqual([
      '',
      '/machines',
      '/machines/1',
      '/machines/1/name',
      '/machines/1/cores',
      '/machines/1/healthy',
    ])
  })

  it('stops at the maximum number of matches and says that there are more', async () => {
    const list = Array.from({ length: maxMatches + 50 }, () => 'same')
    const filter = await searchTree(list, 'same', never)
    expect(filter?.matches.size).toBe(maxMatches)
    expect(filter?.more).toBe(true)
    expect((await searchTree(list.slice(50), 'same', never))?.more).toBe(false)
  })

  it('lets other work run, and returns nothing once it is aborted', async () => {
    const list = Array.from({ length: 300_000 }, (_, index) => index)
    const abort = new AbortController()
    const search = searchTree(list, 'x', abort.signal)
    setTimeout(() => abort.abort())
    expect(await search).toBeUndefined()
  })

  it('finds a value 5,000 levels deep', async () => {
    let deep: unknown = 'needle'
    for (let depth = 0; depth < 5_000; depth += 1) deep = [deep]
    expect(await idsOf(deep, 'needle')).toEqual(['/0'.repeat(5_000)])
  })

  it('finds every match in any value, and nothing else', async () => {
    const word = fc.constantFrom('needle', 'Needle 7', 'hay', '~/', '')
    const anything = fc.letrec(tie => ({
      node: fc.oneof(
        { depthSize: 'small' },
        word,
        fc.array(tie('node')),
        fc.dictionary(word, tie('node')),
        fc.integer(),
        fc.constant(null),
      ),
    })).node
    await fc.assert(
      fc.asyncProperty(anything, async value => {
        const found = await idsOf(value, 'needle')
        expect(found).toEqual(expectedIds(value, []))
      }),
    )
    function expectedIds(node: unknown, path: readonly (string | number)[]): string[] {
      const last = path.at(-1)
      const own =
        (typeof last === 'string' && /needle/i.test(last)) ||
        (typeof node === 'string' && /needle/i.test(node))
      const keys = typeof node === 'object' && node !== null ? Object.keys(node) : []
      const below = keys.flatMap(key => {
        const step = Array.isArray(node) ? Number(key) : key
        return expectedIds(valueAt(node, [key]), [...path, step])
      })
      return own ? [toPointer(path), ...below] : below
    }
  })
})
