import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDelimited } from './delimited.ts'

test.each([
  [
    'a spreadsheet',
    'name\tprice\nPen\t1.50\n',
    [
      ['name', 'price'],
      ['Pen', '1.50'],
    ],
  ],
  [
    'CSV',
    'name,price\r\nPen,1.50\r\n',
    [
      ['name', 'price'],
      ['Pen', '1.50'],
    ],
  ],
  [
    'CSV with semicolons',
    'name;price\nPen;1,50',
    [
      ['name', 'price'],
      ['Pen', '1,50'],
    ],
  ],
  ['a comma next to tabs', 'a, b\tc', [['a, b', 'c']]],
  [
    'old line ends',
    'a,b\rc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['quotes', '"a,b","say ""hi""","two\nlines"', [['a,b', 'say "hi"', 'two\nlines']]],
  ['a tab in quotes', '"a\tb",c', [['a\tb', 'c']]],
  ['nothing, and two quotes', 'a,,""', [['a', undefined, '']]],
  [
    'a quote that is never closed',
    '"a,b\nc,d',
    [
      ['"a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['text behind a quote', '"a" b,c', [['"a" b', 'c']]],
  ['an inch', '5" disk,1', [['5" disk', '1']]],
  [
    'empty lines',
    '\n\na,b\n\n\nc,d\n\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a byte order mark', '\uFEFFa,b', [['a', 'b']]],
  ['nothing', '', []],
] as const)('readDelimited: reads %s', (_, text, rows) => {
  expect(readDelimited(text)).toEqual(rows)
})

test.each([',', ';', '\t'])('readDelimited: gives quoted rows back as they were (%j)', delimiter => {
  const cell = fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\n', '\r', 'a', ' ') })
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1 }), rows => {
      const text = rows.map(row => row.map(each => `"${each.replaceAll('"', '""')}"`).join(delimiter))
      expect(readDelimited(text.join('\r\n'))).toEqual(rows)
    }),
  )
})
