import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isLabel, parseReference, parseSnapshotReference, selectSnapshot } from './reference.ts'
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

describe('parseReference', () => {
  const known = {
    isSource: (name: string) => name === 'acme' || name === 'odd@1' || name === 'git:HEAD:list',
    isFile: (path: string) => path === 'tools.json' || path === 'file@2',
  }
  const parse = (text: string) => parseReference(text, known)

  test('parseReference: returns the kind of each form, and a name before a form', () => {
    expect(parse('acme')).toEqual({ text: 'acme', kind: 'source' })
    expect(parse('odd@1').kind).toBe('source')
    // A toolscope.json of a pull request must not replace the list that its changes are compared with.
    expect(parse('git:HEAD:list').kind).toBe('git')
    expect(parse('file@2').kind).toBe('file')
    expect(parse('acme@3')).toMatchObject({
      kind: 'version',
      version: { source: 'acme', selector: { kind: 'number', number: 3 } },
    })
    expect(parse('git:HEAD~1:a:b.json')).toEqual({
      text: 'git:HEAD~1:a:b.json',
      kind: 'git',
      revision: 'HEAD~1',
      path: 'a:b.json',
    })
    expect(parse('git::0:./tools.json')).toMatchObject({ revision: ':0', path: './tools.json' })
    for (const text of ['http://x', 'HTTPS://x/y', 'mcp:http://x', 'bridge:https://x'])
      expect(parse(text).kind).toBe('address')
    for (const text of ['node server.js', 'none.json', 'mcp:npx x', ''])
      expect(parse(text).kind).toBe('command')
  })

  test('parseReference: a revision never begins with "-", is never empty and has no control character', () => {
    const forms = fc.tuple(fc.string(), fc.string()).map(([revision, path]) => `git:${revision}:${path}`)
    const near = fc.constantFrom('git::x', 'git:-h:x', 'git:\n:x', 'git:a\r\nb:x', 'git:a', 'git:', 'git:a:')
    fc.assert(
      fc.property(fc.oneof(forms, near), text => {
        try {
          const parsed = parse(text)
          if (parsed.kind !== 'git') throw new Error(`${text} is of git`)
          expect(parsed.revision).not.toMatch(/^-|^$|\p{Cc}/u)
          expect(parsed.path).not.toBe('')
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: 'source-not-found' })
        }
      }),
    )
    for (const text of [
      'git::x',
      'git:-h:x',
      'git:\n:x',
      'git:a\r\nb:x',
      'git:a',
      'git:',
      'git:a:',
      'git::0',
      'git::0:',
    ])
      expect(() => parse(text)).toThrow('No such file or program')
  })
})
