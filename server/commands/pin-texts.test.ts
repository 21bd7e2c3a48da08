import { expect, test } from 'vitest'
import { diffWords } from '../../core/text/word-diff.ts'
import { describeDifference } from './pin-texts.ts'

test('pin texts: changed words keep the blanks around them', () => {
  const change = (before: string, after: string) => {
    const words = diffWords(before, after)
    const lines = describeDifference('notes', {
      kind: 'tool',
      name: 'purge',
      classes: ['changed-text'],
      action: 'ask',
      changes: [{ message: 'description changed', words }],
    } as never)
    return lines[2]
  }
  expect(change('Erases all notes.', 'Purges all notes.')).toBe('    [-Erases-]{+Purges+} all notes.')
  expect(change('Sends a note.', 'Sends a note to everybody.')).toBe('    Sends a note{+ to everybody+}.')
})
