import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerStep, pointersAbove } from '../../../../core/json/pointer.ts'
import { firstOpened, locateIssues, maxRows, sliceSize, treeRows } from './tree-rows.ts'

const none = new Map()
const issue = (path: string) => ({ path, keyword: 'type', message: 'must be boolean' })

describe('treeRows', () => {
  it('lists the open nodes in order', () => {
    const rows = treeRows({ a: 1, b: [true, null] }, new Set(['', '/b']), none)
    expect(rows.map(row => [row.id, row.depth, row.kind])).toEqual([
      ['', 0, 'object'],
      ['/a', 1, 'number'],
      ['/b', 1, 'array'],
      ['/b/0', 2, 'boolean'],
      ['/b/1', 2, 'null'],
    ])
  })

  it('gives each row a different id', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
        const rows = treeRows(value, firstOpened(value, 1000), none)
        expect(new Set(rows.map(row => row.id)).size).toBe(rows.length)
      }),
    )
  })

  it('opens long lists in slices', () => {
    const list = Array.from({ length: 250 }, (_, index) => index)
    const rows = treeRows(list, new Set(['', `#${sliceSize}`]), none)
    expect(rows).toHaveLength(1 + 3 + sliceSize)
    expect(rows[2]?.label).toBe('100 … 199')
    expect(rows[3]?.id).toBe('/100')
  })

  it('handles 5,000 levels of depth', () => {
    let deep: unknown = 1
    const opened = new Set<string>()
    for (let i = 0; i < 5000; i += 1) {
      deep = [deep]
      opened.add('/0'.repeat(i))
    }
    expect(treeRows(deep, opened, none)).toHaveLength(5001)
  })

  it('stops at the maximum number of rows', () => {
    const wide = Array.from({ length: 60 }, () =>
      Array.from({ length: 90 }, () => Array.from({ length: 90 }, () => 0)),
    )
    const opened = new Set([''])
    wide.forEach((list, i) => {
      opened.add(`/${i}`)
      list.forEach((_, j) => {
        opened.add(`/${i}/${j}`)
      })
    })
    expect(treeRows(wide, opened, none)).toHaveLength(maxRows)
  })
})

describe('locateIssues', () => {
  it('finds the exact node and opens its parents', () => {
    const value = { regions: [{ name: 'eu', healthy: 'yes' }] }
    const { byId, opened } = locateIssues(value, [issue('/regions/0/healthy')])
    expect([...byId.keys()]).toEqual(['/regions/0/healthy'])
    const marked = treeRows(value, opened, byId).find(row => row.issues.length > 0)
    expect(marked?.label).toBe('healthy')
  })

  it('takes the nearest parent of a node that does not exist', () => {
    const { byId } = locateIssues({ a: {} }, [issue('/a/missing/deep'), issue('')])
    expect([...byId.keys()]).toEqual(['/a', ''])
  })

  it('opens the slice of the node, and reads escaped names', () => {
    const list = Array.from({ length: 300 }, () => ({ 'a/b~c': 1 }))
    const path = `/250${pointerStep('a/b~c')}`
    const { byId, opened } = locateIssues(list, [issue(path)])
    expect(treeRows(list, opened, byId).find(row => row.issues.length > 0)?.label).toBe('a/b~c')
  })

  it('ignores inherited names such as __proto__', () => {
    expect([...locateIssues({}, [issue('/__proto__/x'), issue('/constructor')]).byId.keys()]).toEqual([''])
  })
})

describe('pointersAbove', () => {
  it('lists the pointers from the root to the parent', () => {
    expect(pointersAbove('/a/0/b')).toEqual(['', '/a', '/a/0'])
    expect(pointersAbove('')).toEqual([])
  })
})
