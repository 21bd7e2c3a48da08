import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toExampleFileName } from './file-name.ts'

describe('toFileName', () => {
  it.each(['get_user', 'api greet', 'v1.list', 'a', 'x'.repeat(80)])('keeps %s', name =>
    expect(toExampleFileName(name)).toBe(name),
  )

  it.each([
    '..',
    '.',
    '../../etc/passwd',
    'a/b',
    'a\\b',
    'CON',
    'nul.txt',
    'com1',
    'getUser',
    'ends.',
    'ends ',
    ' begins',
    '.git',
    'a:b',
    'a\u0000b',
    'é',
    '',
    '~',
    'toString',
    '__proto__ ',
    'x'.repeat(5_000),
    '\ud800',
  ])('marks %j with a hash', name => expect(toExampleFileName(name)).toMatch(/^[A-Za-z0-9_-]*~[0-9a-f]{10}$/))

  it('gives every name a different file name, even on systems that ignore case', () => {
    const names = ['getuser', 'getUser', 'GETUSER', 'GetUser', 'api/greet', 'api greet', 'api-greet']
    expect(new Set(names.map(name => toExampleFileName(name).toLowerCase())).size).toBe(names.length)
  })

  it('gives names that stay in their folder and are never reserved', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), name => {
        const file = toExampleFileName(name)
        expect(file).toMatch(/^[A-Za-z0-9_~][A-Za-z0-9_~. -]{0,98}$/)
        expect(file).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ]$/i)
      }),
    )
  })
})
