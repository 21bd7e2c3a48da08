import { descriptionId, errorId, helpId, optionId, titleId } from '@rjsf/utils'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fieldId } from './form-scope.ts'

const key = fc.oneof(
  fc.constantFrom(
    'title',
    'description',
    'help',
    'error',
    'kind',
    '0',
    '_',
    '__title',
    '-kind',
    '~1',
    '/',
    '',
  ),
  fc.string({ unit: 'grapheme' }),
  fc.nat(3),
)

test('fieldId: gives each location ids that belong to no other location', () => {
  const own = [
    titleId,
    descriptionId,
    errorId,
    helpId,
    (id: string) => optionId(id, 0),
    (id: string) => `${id}-kind`,
  ]
  fc.assert(
    fc.property(fc.array(key, { maxLength: 3 }), fc.array(key, { maxLength: 3 }), (path, other) => {
      const ids = own.map(idOf => idOf(fieldId('f1', path)))
      expect(ids).not.toContain(fieldId('f1', other))
      const isSame = JSON.stringify(path.map(String)) === JSON.stringify(other.map(String))
      expect(fieldId('f1', path) === fieldId('f1', other)).toBe(isSame)
    }),
    { numRuns: 2000, examples: [[['_a'], ['\u05fa']]] },
  )
})
