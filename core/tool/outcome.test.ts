import { expect, test } from 'vitest'
import { outputWords } from './outcome.ts'

test.each([
  [outputWords('valid'), 'output valid'],
  [outputWords('unchecked'), 'output unchecked'],
  [outputWords('no schema'), 'no output schema'],
  [outputWords('invalid'), 'output invalid'],
  [outputWords('invalid', { issueCount: 3 }), 'output invalid (3)'],
  [outputWords('invalid', { issueCount: 3, exitCode: 0 }), 'exit 0 · output invalid (3)'],
])('outputWords: gives “%s”', (words, expected) => {
  expect(words).toBe(expected)
})
