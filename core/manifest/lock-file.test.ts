import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import type { SnapshotManifest } from './snapshot.ts'
import { lockText, parseLock } from './version-files.ts'

const manifest = (...tools: SnapshotManifest['tools']): SnapshotManifest => ({ format: 'test', tools })

describe('lock file', () => {
  test('is the same text for any order of tools, keys and sources', () => {
    const a = { name: 'a', inputSchema: { type: 'object', properties: { y: true, x: false } } }
    const b = { name: 'b', inputSchema: true, description: 'B' }
    const one = lockText(
      new Map([
        ['s', manifest(a, b)],
        ['r', manifest()],
      ]),
    )
    const other = lockText(
      new Map([
        ['r', manifest()],
        [
          's',
          manifest(
            { description: 'B', inputSchema: true, name: 'b' },
            { inputSchema: { properties: { x: false, y: true }, type: 'object' }, name: 'a' },
          ),
        ],
      ]),
    )
    expect(other).toBe(one)
    expect(one).toMatch(/^\{\n {2}"lockVersion": 1,\n {2}"sources"/)
    expect(one.endsWith('}\n')).toBe(true)
  })

  test('reads back every tool that was written', () => {
    const tools = fc.array(
      fc.record({ name: fc.string(), inputSchema: fc.dictionary(fc.string(), fc.jsonValue()) }),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), tools), sources => {
        const given = new Map(
          Object.entries(sources).map(([name, list]) => [name, manifest(...list)] as const),
        )
        const read = parseLock(lockText(given), 'lock')
        expect([...read.keys()].sort()).toEqual([...given.keys()].sort())
        for (const [name, { tools: list }] of given) {
          const texts = (all: SnapshotManifest['tools'] = []) =>
            all.map(tool => lockText(new Map([['x', manifest(tool)]]))).sort()
          expect(texts(read.get(name)?.tools)).toEqual(texts(list))
        }
      }),
      { numRuns: 50 },
    )
  })

  test('keeps a source called __proto__', () => {
    expect([...parseLock(lockText(new Map([['__proto__', manifest()]])), 'lock').keys()]).toEqual([
      '__proto__',
    ])
  })

  test('is named in the error if its text is not a lock file', () => {
    for (const text of ['', '[]', '{"lockVersion":2,"sources":{}}', '{"lockVersion":1,"sources":{"a":{}}}']) {
      const read = () => parseLock(text, 'my.lock.json')
      expect(read).toThrow(AppError)
      expect(read).toThrow('my.lock.json')
    }
  })
})
