import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLabel, parseSnapshotReference, selectSnapshot } from './reference.ts'
import type { Snapshot } from './snapshot.ts'

const at = (number: number, time: string, ...labels: string[]): Snapshot => ({
  source: 'acme',
  number,
  time,
  hash: `${number}`,
  toolCount: 1,
  cause: 'opened',
  labels,
})

describe('version reference', () => {
  test('is read from the text after the last @', () => {
    expect(parseSnapshotReference('acme@3')).toEqual({
      source: 'acme',
      selector: { kind: 'number', number: 3 },
    })
    expect(parseSnapshotReference('a@b@latest')).toEqual({ source: 'a@b', selector: { kind: 'latest' } })
    expect(parseSnapshotReference('acme@v1.2.0')).toMatchObject({
      selector: { kind: 'label', label: 'v1.2.0' },
    })
    expect(parseSnapshotReference('acme@1.2')).toMatchObject({ selector: { kind: 'label' } })
  })

  test('is null for any other text', () => {
    for (const text of ['acme', '@3', 'acme@', 'https://me@host/x', 'dir/acme@3', 'acme@a b', '', '@'])
      expect(parseSnapshotReference(text)).toBeNull()
  })

  test('never throws, and takes no number, keyword or time for a label', () => {
    fc.assert(fc.property(fc.string(), text => void parseSnapshotReference(text)))
    for (const text of ['3', 'latest', 'previous', '2026-11-21', '2026-11-21T10:00Z', '-x', 'a'.repeat(65)])
      expect(isLabel(text)).toBe(false)
  })

  test('selects the last version up to the end of the given day, minute or second', () => {
    const local = (text: string) => new Date(text).toISOString()
    const list = [
      at(4, local('2026-11-22T00:00:00')),
      at(3, local('2026-11-21T23:59:59')),
      at(2, local('2026-11-21T10:00:30')),
      at(1, local('2026-11-20T08:00:00')),
    ]
    const chosen = (word: string) => {
      const reference = parseSnapshotReference(`acme@${word}`)
      return reference && selectSnapshot(list, reference.selector)?.number
    }
    expect(chosen('2026-11-21')).toBe(3)
    expect(chosen('2026-11-20')).toBe(1)
    expect(chosen('2026-11-21T10:00')).toBe(2)
    expect(chosen('2026-11-21T10:00:29')).toBe(1)
    expect(chosen('2026-11-19')).toBeUndefined()
    expect(chosen('2026-13-45')).toBeNull()
  })
})
