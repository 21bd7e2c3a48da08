import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pointerStep, pointersAbove } from '../../../../core/json/pointer.ts'
import { firstOpened, maxRows, placeIssues, sliceSize, treeRows } from './tree-rows.ts'

const none = new Map()
const issue = (path: string) => ({ path, keyword: 'type', message: 'must be boolean' })

describe('treeRows', () => {
  it('draws what is open, in order', () => {
    const rows = treeRows({ a: 1, b: [true, null] }, new Set(['', '/b']), none)
    expect(rows.map(row => [row.id, row.depth, row.kind])).toEqual([
      ['', 0, 'object'],
      ['/a', 1, 'number'],
      ['/b', 1, 'array'],
      ['/b/0', 2, 'boolean'],
      ['/b/1', 2, 'null'],
    ])
  })

  it('gives every row an id of its own', () => {
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

  it('does not mind depth', () => {
    let deep: unknown = 1
    const opened = new Set<string>()
    for (let i = 0; i < 5000; i += 1) {
      deep = [deep]
      opened.add('/0'.repeat(i))
    }
    expect(treeRows(deep, opened, none)).toHaveLength(5001)
  })

  it('is bounded', () => {
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

describe('placeIssues', () => {
  it('finds the very node and opens the way to it', () => {
    const value = { regions: [{ name: 'eu', healthy: 'yes' }] }
    const { byId, opened } = placeIssues(value, [issue('/regions/0/healthy')])
    expect([...byId.keys()]).toEqual(['/regions/0/healthy'])
    const marked = treeRows(value, opened, byId).find(row => row.issues.length > 0)
    expect(marked?.label).toBe('healthy')
  })

  it('takes the nearest node above where there is none', () => {
    const { byId } = placeIssues({ a: {} }, [issue('/a/missing/deep'), issue('')])
    expect([...byId.keys()]).toEqual(['/a', ''])
  })

  it('opens the right slice, and reads escaped names', () => {
    const list = Array.from({ length: 300 }, () => ({ 'a/b~c': 1 }))
    const path = `/250${pointerStep('a/b~c')}`
    const { byId, opened } = placeIssues(list, [issue(path)])
    expect(treeRows(list, opened, byId).find(row => row.issues.length > 0)?.label).toBe('a/b~c')
  })

  it('is not led astray by inherited names', () => {
    expect([...placeIssues({}, [issue('/__proto__/x'), issue('/constructor')]).byId.keys()]).toEqual([''])
  })
})

describe('pointersAbove', () => {
  it('lists the way down', () => {
    expect(pointersAbove('/a/0/b')).toEqual(['', '/a', '/a/0'])
    expect(pointersAbove('')).toEqual([])
  })
})
