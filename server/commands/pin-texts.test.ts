import { expect, test } from 'vitest'
import { diffWords } from '../../core/text/word-diff.ts'
import { demandReadable, describeDifference } from './pin-texts.ts'

test('pin texts: changed words keep the blanks around them', () => {
  const change = (before: string, after: string) => {
    const words = diffWords(before, after)
    const lines = describeDifference('notes', {
      kind: 'tool',
      name: 'purge',
      classes: ['changed-text'],
      action: 'ask',
      changes: [{ message: 'description changed', path: 'description', words }],
    } as never)
    return lines[2]
  }
  expect(change('Erases all notes.', 'Purges all notes.')).toBe('    [-Erases-]{+Purges+} all notes.')
  expect(change('Sends a note.', 'Sends a note to everybody.')).toBe('    Sends a note{+ to everybody+}.')
})

test('pin texts: characters without a glyph are named, and an emoji stays', () => {
  const hidden = [...'erase'].map(letter => String.fromCodePoint(0xe0100 + letter.charCodeAt(0))).join('')
  const words = [
    { kind: 'same', text: 'Greets. ⚠️' },
    { kind: 'added', text: `\ufe01${hidden}\u00ad\u034f` },
  ]
  const change = { message: 'description changed', path: 'description', words }
  const [line] = describeDifference('notes', item(change)).slice(2)
  expect(line).toBe('    Greets. ⚠️{+<U+FE01 U+E0165 U+E0172 U+E0161 and 4 more>+}')
})

const item = (change: object) =>
  ({ kind: 'tool', name: 'purge', classes: ['changed-text'], action: 'ask', changes: [change] }) as never

test('pin texts: a value that a change names only in part is printed', () => {
  const change = { message: '_meta {"a":… → {"a":…', path: 'extra._meta', before: { z: 1 }, after: { z: 2 } }
  expect(describeDifference('notes', item(change))[2]).toBe('    {"z":[-1-]{+2+}}')
})

test('pin texts: a change says its location', () => {
  const change = { message: 'default changed: true → false', path: '/dry_run' }
  expect(describeDifference('notes', item(change))[1]).toBe('  default changed: true → false (/dry_run)')
})

test('pin texts: what is cut is not asked about', () => {
  const change = (text: string) => ({
    message: 'description changed',
    path: 'description',
    words: [{ kind: 'added', text }],
  })
  expect(() => demandReadable('notes', [item(change('short'))])).not.toThrow()
  expect(() => demandReadable('notes', [item(change('long '.repeat(1_000)))])).toThrow(
    'too long for a question',
  )
  const words = [{ kind: 'added', text: 'long '.repeat(300) }]
  const changes = Array.from({ length: 12 }, () => ({ message: 'description changed', path: '/a', words }))
  const many = { ...(item({}) as object), changes } as never
  expect(() => demandReadable('notes', [many])).toThrow('too long for a question')
})

test('pin texts: what could not be compared part by part is printed as a whole', () => {
  const change = { message: 'the input schema changed', path: '', rule: 'schema-changed' }
  const [before, after] = [{ inputSchema: { const: 1 } }, { inputSchema: { const: 2 } }]
  const undecided = { ...(item(change) as object), classes: ['undecided'], before, after } as never
  expect(describeDifference('notes', undecided)[2]).toBe('  {"inputSchema":{"const":[-1-]{+2+}}}')
})
