import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../tool/tool.ts'
import { getFormPlanner } from './form-schema.ts'
import {
  areFlat,
  areRows,
  type ListColumn,
  mergeRows,
  otherKeys,
  pastedIntoCell,
  pastedItems,
  pastedRows,
  planListTable,
  readDelimited,
} from './pasted.ts'

const planner = getFormPlanner({})
const columnsOf = (properties: Record<string, JsonSchema>): ListColumn[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: false,
    node: planner.plan(schema),
  }))
const columns = columnsOf({
  name: { type: 'string', title: 'Full name' },
  price: { type: ['number', 'null'] },
  level: { enum: ['low', 'high', 3] },
  on: { type: 'boolean' },
})

const rowsOf = (text: string, from = 0) => {
  const pasted = pastedRows(text, columns, from)
  return pasted.ok ? pasted.rows : pasted.message
}

test('pasted text: gives items by lines, by JSON, and by commas if no item can contain one', () => {
  const text = planner.plan({ type: 'string' })
  const number = planner.plan({ type: 'number' })
  expect(pastedItems('a, b\n\n c \n', text)).toEqual(['a, b', 'c'])
  expect(pastedItems('1, 2\t3', number)).toEqual([1, 2, 3])
  expect(pastedItems('["a", 1]', text)).toEqual(['a', 1])
  expect(pastedItems('high, 3', planner.plan({ enum: ['high', 3] }))).toEqual(['high', 3])
})

test('pasted text: puts cells into the columns in order, each as a value of its column', () => {
  expect(rowsOf('Pen\t1.5\thigh\tTRUE\nInk\tnull\t3\tfalse')).toEqual([
    { name: 'Pen', price: 1.5, level: 'high', on: true },
    { name: 'Ink', price: null, level: 3, on: false },
  ])
  expect(rowsOf('7,low', 1)).toEqual([{ price: 7, level: 'low' }])
})

test('pasted text: reads an empty cell as absent, and two quotes as empty text in a text column only', () => {
  expect(rowsOf(',1,\n"","","",""')).toEqual([{ price: 1 }, { name: '' }])
})

test('pasted text: keeps a cell as text if it cannot be read as the kind of its column', () => {
  expect(rowsOf('null,cheap,medium,maybe')).toEqual([
    { name: 'null', price: 'cheap', level: 'medium', on: 'maybe' },
  ])
})

test('pasted text: knows a header by names or titles of properties, in any order and case', () => {
  expect(rowsOf('Price,FULL NAME\n2,Pen')).toEqual([{ price: 2, name: 'Pen' }])
  expect(rowsOf('name\nPen\nInk')).toEqual([{ name: 'Pen' }, { name: 'Ink' }])
  expect(rowsOf('name,price,Notes,\nPen,2,new,x')).toEqual([{ name: 'Pen', price: 2, Notes: 'new' }])
})

test('pasted text: does not take a row for a header if it contains a name by chance', () => {
  expect(rowsOf('name,1,low')).toEqual([{ name: 'name', price: 1, level: 'low' }])
})

test('pasted text: refuses more cells than columns, and names the columns', () => {
  expect(rowsOf('a,1,low,true,x')).toBe(
    'A row has 5 cells; there are 4 columns: name, price, level, on. Take cells away, or put a row with the names of the columns on top.',
  )
})

test('pasted text: takes a JSON array as it is', () => {
  expect(rowsOf(' [{"name": "Pen", "tags": ["a"]}]')).toEqual([{ name: 'Pen', tags: ['a'] }])
})

test.each([
  ['a spreadsheet', 'Pen\t1', 0, [{ name: 'Pen', price: 1 }]],
  [
    'CSV of several lines',
    'Pen,1\nInk,2',
    0,
    [
      { name: 'Pen', price: 1 },
      { name: 'Ink', price: 2 },
    ],
  ],
  ['a header with one column', 'name\nPen', 0, [{ name: 'Pen' }]],
  ['numbers below one another', '1\n2', 1, [{ price: 1 }, { price: 2 }]],
  ['one line with a comma', 'Dear Kim, hello', 0, null],
  ['a text of two lines', 'Dear Kim,\nhello', 0, null],
  ['more cells than columns from there on', 'a\tb', 3, null],
])('pasted text: decides whether %s fills rows or only one cell', (_, text, from, rows) => {
  expect(pastedIntoCell(text, columns, from)).toEqual(rows)
})

test('pasted rows: fill absent cells first, and then go below', () => {
  expect(mergeRows([{ a: 1 }, {}, { a: 3 }], 1, [{ b: 1 }, { b: 2 }, { b: 3 }])).toEqual([
    0,
    { added: { b: 1 }, at: 1 },
    { added: { a: 3, b: 2 }, at: 2 },
    { added: { b: 3 } },
  ])
})

test('pasted rows: never overwrite a value, and go below the row or into an empty one', () => {
  const rows = [{ a: 7 }, { a: 8 }]
  expect(mergeRows([{ a: 1 }, { a: 2 }], 0, rows)).toEqual([0, { added: { a: 7 } }, { added: { a: 8 } }, 1])
  expect(mergeRows([{}, { a: 2 }], 0, rows)).toEqual([{ added: { a: 7 }, at: 0 }, { added: { a: 8 } }, 1])
})

function table(items: JsonSchema) {
  const planner = getFormPlanner({ type: 'array', items })
  const list = planner.plan(planner.root)
  return list.kind === 'array' ? planListTable(planner, list) : null
}

const text = { type: 'string' }

test('list table: takes flat objects, also with optional properties', () => {
  const found = table({
    type: 'object',
    properties: {
      name: text,
      size: { type: 'integer' },
      on: { type: 'boolean' },
      level: { enum: ['low', 'high'] },
      day: { type: 'string', format: 'date' },
      note: { type: ['string', 'null'] },
    },
    required: ['name'],
  })
  expect(found?.columns.map(({ name, required }) => [name, required])).toEqual([
    ['name', true],
    ['size', false],
    ['on', false],
    ['level', false],
    ['day', false],
    ['note', false],
  ])
  expect(found?.isUsual).toBe(true)
})

test('list table: is not the usual view for many columns, or for rows that are maps too', () => {
  const properties = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`column${index}`, text]))
  expect(table({ type: 'object', properties })?.isUsual).toBe(false)
  expect(table({ type: 'object', properties: { name: text }, additionalProperties: text })?.isUsual).toBe(
    false,
  )
})

test.each([
  [
    'nested objects',
    { type: 'object', properties: { owner: { type: 'object', properties: { name: text } } } },
  ],
  ['lists', { type: 'object', properties: { tags: { type: 'array', items: text } } }],
  ['any JSON', { type: 'object', properties: { value: {} } }],
  [
    'unions',
    {
      anyOf: [
        { properties: { a: text }, required: ['a'] },
        { properties: { b: text }, required: ['b'] },
      ],
    },
  ],
  ['long texts', { type: 'object', properties: { body: { type: 'string', maxLength: 4000 } } }],
  ['files', { type: 'object', properties: { image: { type: 'string', contentEncoding: 'base64' } } }],
  ['maps', { type: 'object', additionalProperties: text }],
  [
    'a property that depends on another',
    { type: 'object', properties: { a: text, b: text }, dependentRequired: { a: ['b'] } },
  ],
  [
    'conditions',
    { type: 'object', properties: { a: text }, if: { required: ['a'] }, else: { required: ['b'] } },
  ],
  ['values', text],
])('list table: does not take %s', (_, items) => {
  expect(table(items as JsonSchema)).toBeNull()
})

test('list table: takes only objects as rows, and only objects without objects and lists as flat', () => {
  expect(areRows([{}, { a: 1 }])).toBe(true)
  expect(areRows([{}, null])).toBe(false)
  expect(areRows([[]])).toBe(false)
  expect(areFlat([{ a: null, b: 'x' }])).toBe(true)
  expect(areFlat([{ a: [] }])).toBe(false)
  expect(areFlat([{ a: {} }])).toBe(false)
})

test('list table: lists keys without a column once each, in their order', () => {
  expect(
    otherKeys(
      [{ name: 'a' }],
      [
        { z: 1, a: 2 },
        { b: 1, z: 2 },
      ],
    ),
  ).toEqual(['z', 'b'])
})

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
