import { expect, it } from 'vitest'
import type { Change } from '../../../core/diff/change.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { buildChangeTitle, sideNames } from './change-texts.ts'
import { changedLines } from './changed-lines.ts'

const change = (more: Partial<Change>): Change => ({
  fingerprint: '00000000',
  rule: 'type-changed',
  severity: 'breaking',
  direction: 'input',
  tool: 'deploy',
  path: '/batch',
  message: 'type changed',
  ...more,
})
const tool = (batch: object): ManifestTool => ({
  name: 'deploy',
  inputSchema: { type: 'object', properties: { batch } },
})
const signs = { same: ' ', removed: '-', added: '+', gap: '~' }
const drawn = (...given: Parameters<typeof changedLines>) =>
  changedLines(...given).map(
    ({ kind, parts }) =>
      `${signs[kind]} ${parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')}`,
  )

it('changedLines: shows a changed keyword in the schema around it, and marks its words', () => {
  const limit = change({ path: '/batch', message: 'maximum lowered: 100 → 50', before: 100, after: 50 })
  expect(
    drawn(
      limit,
      tool({ type: 'integer', maximum: 100, title: 'A' }),
      tool({ type: 'integer', maximum: 50, title: 'B' }),
    ),
  ).toEqual([
    '- "batch": { "type": "integer", "maximum": [100] }',
    '+ "batch": { "type": "integer", "maximum": [50] }',
  ])
})

it('changedLines: keeps two lines around a change, and ignores another order of keys', () => {
  const fields = (last: string) =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [
        `f${at}`,
        { type: 'string', description: at === 6 ? last : 'x' },
      ]),
    )
  const before = { properties: fields('old words'), type: 'object' }
  const after = { type: 'object', properties: fields('new words') }
  expect(drawn(change({ before, after }), undefined, undefined)).toEqual([
    '~ …',
    '      "f4": { "type": "string", "description": "x" }',
    '      "f5": { "type": "string", "description": "x" }',
    '-     "f6": { "type": "string", "description": "[old] words" }',
    '+     "f6": { "type": "string", "description": "[new] words" }',
    '      "f7": { "type": "string", "description": "x" }',
    '      "f8": { "type": "string", "description": "x" }',
    '~ …',
  ])
})

it('changedLines: pairs replaced lines by their keys, and keeps the beginning of a long run', () => {
  const words = 'Command to execute in the pod, as words or as a list of words'
  const variants = Array.from({ length: 30 }, (_, at) => ({ const: `${at} ${words}` }))
  const before = { description: `${words} (old)`, anyOf: variants }
  const after = { type: 'array', items: { type: 'string' }, description: `${words} (new)` }
  const lines = drawn(change({ path: '/batch/*', before, after }), undefined, undefined)
  expect(lines.filter(line => !/const/.test(line))).toEqual([
    '  "items": {',
    `-   "description": "${words} ([old])"`,
    '-   "anyOf": [',
    '~ … 23 more lines',
    '+   "type": "array"',
    '+   "items": { "type": "string" }',
    `+   "description": "${words} ([new])"`,
    '  }',
  ])
})

it('changedLines: shows an added value as a whole, and nothing where the message says it all', () => {
  expect(drawn(change({ after: { type: 'string', enum: ['{a}', 'b,"c'] } }), undefined, undefined)).toEqual([
    String.raw`+ "batch": { "type": "string", "enum": ["{a}", "b,\"c"] }`,
  ])
  expect(drawn(change({ before: 'required', after: 'optional' }), tool({}), tool({}))).toEqual([])
  expect(drawn(change({ direction: 'text', before: 'a', after: 'b' }), undefined, undefined)).toEqual([])
})

it('changedLines: returns few lines for schemas of any size and depth', () => {
  let deep: unknown = {}
  for (let level = 0; level < 20_000; level += 1) deep = { items: deep }
  expect(changedLines(change({ before: { items: {} }, after: deep }), undefined, undefined)).toEqual([])
  const wide = (word: string) => ({ enum: Array.from({ length: 5_000 }, (_, at) => `${word} ${at}`) })
  expect(
    changedLines(change({ before: wide('a'), after: wide('b') }), undefined, undefined).length,
  ).toBeLessThan(70)
  const some = changedLines(change({ before: {}, after: wide('b') }), undefined, undefined)
  expect(some.length).toBeLessThan(70)
  expect(some.at(-1)?.parts[0]?.text).toMatch(/more lines/)
})

it('buildChangeTitle: names the location and the change in words', () => {
  const title = (more: Partial<Change>) =>
    Object.values(buildChangeTitle(change(more)))
      .filter(Boolean)
      .join(' | ')
  expect(title({ path: '/formats/*/type', message: 'maximum lowered: 100 → 50' })).toBe(
    'Input | formats[].type | maximum lowered: 100 → 50',
  )
  expect(title({ path: '/a~1b', message: 'required property added: a/b' })).toBe(
    'Input | a/b | required property added',
  )
  expect(title({ direction: 'text', path: '/x', message: 'output description changed' })).toBe(
    'Output | x | description changed',
  )
  expect(title({ direction: 'text', path: 'description', message: 'description changed' })).toBe(
    'Description changed',
  )
})

it('sideNames: takes the ends of the paths, or before and after', () => {
  expect(sideNames('/long/way/to/0.0.70.json', 'C:\\files\\0.0.83.json')).toEqual({
    before: '0.0.70',
    after: '0.0.83',
  })
  expect(sideNames('old/tools.json', 'new/tools.json')).toEqual({ before: 'before', after: 'after' })
  expect(sideNames('acme@1', 'acme')).toEqual({ before: 'acme@1', after: 'acme' })
})
