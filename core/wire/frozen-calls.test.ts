import { describe, expect, test } from 'vitest'
import { diffManifests } from '../diff/diff-manifests.ts'
import type { Json } from '../json/json.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import { checkFrozenCalls, groupFrozenCalls } from './frozen-calls.ts'
import type { RecordedCall } from './recorded-calls.ts'

const search = (limit: object, more: object = {}): ManifestTool => ({
  name: 'search',
  description: 'Finds pages by their words.',
  inputSchema: {
    type: 'object',
    properties: { words: { type: 'string' }, limit: { type: 'integer', ...limit }, ...more },
    required: ['words'],
  },
  outputSchema: { type: 'object', properties: { hits: { type: 'integer' } }, required: ['hits'] },
})

const recorded = (seq: number, tool: string, inputText: string, answer?: string): RecordedCall => ({
  tool,
  inputText,
  seq,
  atMs: seq,
  ...(answer !== undefined && { answer: { seq: seq + 1, durationMs: 1, text: answer } }),
})

async function check(
  calls: readonly RecordedCall[],
  before: readonly ManifestTool[],
  after: readonly ManifestTool[],
) {
  const [a, b] = [{ tools: before }, { tools: after }]
  const validate = async (schema: JsonSchema, value: unknown) => createSchemaValidator(schema)(value as Json)
  return checkFrozenCalls({ calls, before: a, after: b, report: await diffManifests(a, b), validate })
}

describe('frozen calls', () => {
  test('an input that the newer schema refuses names the change that refuses it', async () => {
    const before = [search({ maximum: 100 }, { sort: { enum: ['date', 'rank'] } })]
    const after = [search({ maximum: 50 }, { sort: { enum: ['rank'] } })]
    const checked = await check(
      [
        recorded(1, 'search', '{"words":"a","limit":80}'),
        recorded(3, 'search', '{"words":"a","limit":50,"sort":"rank"}'),
        recorded(5, 'search', '{"words":"a","sort":"date"}'),
      ],
      before,
      after,
    )
    expect(checked.map(({ status, changes }) => [status, changes.map(({ rule }) => rule)])).toEqual([
      ['fails', ['maximum-lowered']],
      ['works', []],
      ['fails', ['enum-values-removed']],
    ])
    expect(checked[0]?.message).toMatch(/^the input is refused: \/limit must be/)
  })

  test('a new required property is the cause, wherever the validator reports it', async () => {
    const after = search({}, { lang: { type: 'string' } })
    const [call] = await check(
      [recorded(1, 'search', '{"words":"a"}')],
      [search({})],
      [{ ...after, inputSchema: { ...(after.inputSchema as object), required: ['words', 'lang'] } }],
    )
    expect(call?.status).toBe('fails')
    expect(call?.changes.map(({ path }) => path)).toEqual(['/lang'])
  })

  test('a removed and a renamed tool fail with their change', async () => {
    const other: ManifestTool = {
      name: 'purge',
      description: 'Removes all.',
      inputSchema: { type: 'object' },
    }
    const checked = await check(
      [recorded(1, 'search', '{"words":"a"}'), recorded(2, 'purge', '{}')],
      [search({ maximum: 9 }), other],
      [{ ...search({ maximum: 9 }), name: 'find' }],
    )
    expect(checked.map(({ status, message, changes }) => [status, message, changes[0]?.rule])).toEqual([
      ['fails', 'the tool has another name: find', 'tool-renamed'],
      ['fails', 'the newer list has no such tool', 'tool-removed'],
    ])
  })

  test('an answer that breaks the newer output schema is not a failing input', async () => {
    const before = search({})
    const after = {
      ...before,
      outputSchema: { type: 'object', properties: { hits: { type: 'string' } }, required: ['hits'] },
    }
    const calls = [
      recorded(1, 'search', '{"words":"a"}', '{"content":[],"structuredContent":{"hits":3}}'),
      recorded(3, 'search', '{"words":"a"}', '{"content":[],"isError":true,"structuredContent":{"hits":3}}'),
      recorded(5, 'search', '{"words":"a"}'),
    ]
    const checked = await check(calls, [before], [after])
    expect(checked.map(({ status }) => status)).toEqual(['answer', 'works', 'works'])
    expect(checked[0]?.changes.length).toBeGreaterThan(0)
  })

  test('an input that breaks the recorded schema too is skipped', async () => {
    const calls = [recorded(1, 'search', '{"words":7}'), recorded(3, 'search', '{')]
    const checked = await check(calls, [search({})], [search({})])
    expect(checked.map(({ status }) => status)).toEqual(['skipped', 'skipped'])
  })

  test('a tool that the recorded list lacks is checked with the newer list only', async () => {
    const fresh: ManifestTool = { ...search({ maximum: 5 }), name: 'fresh' }
    const calls = [
      recorded(1, 'fresh', '{"words":"a","limit":9}', '{}'),
      recorded(3, 'fresh', '{"words":"a"}', '{}'),
      recorded(5, 'lost', '{}', '{}'),
    ]
    const failed = { seq: 8, durationMs: 1, text: '{}', isProtocolError: true }
    const checked = await check([...calls, { ...recorded(7, 'lost', '{}'), answer: failed }], [], [fresh])
    expect(checked.map(({ status, message }) => [status, message])).toEqual([
      ['fails', expect.stringMatching(/^the input is refused: \/limit must be/)],
      ['skipped', 'the recorded list does not contain this tool'],
      ['fails', 'the newer list has no such tool'],
      ['skipped', 'it failed when it was recorded'],
    ])
  })

  test('a masked secret decides nothing', async () => {
    const login = (rule: object, output: object = {}): ManifestTool => ({
      name: 'login',
      inputSchema: {
        type: 'object',
        properties: { user: { type: 'string' }, password: { type: 'string', ...rule } },
      },
      outputSchema: { type: 'object', properties: { token: { type: 'string', ...output } } },
    })
    const call = recorded(1, 'login', '{"user":"ada","password":"•••"}')
    const after = login({ minLength: 8 })
    const [first] = await check([call], [login({})], [after])
    expect(first?.status).toBe('skipped')
    expect(first?.message).toContain('a secret was left out')
    const stricter = { ...after, inputSchema: { ...(after.inputSchema as object), required: ['org'] } }
    expect((await check([call], [login({})], [stricter]))[0]?.status).toBe('fails')
    const answered = recorded(1, 'login', '{"user":"a"}', '{"structuredContent":{"token":"•••"}}')
    expect((await check([answered], [login({})], [login({}, { minLength: 8 })]))[0]?.status).toBe('skipped')
    const [works] = await check([call], [login({})], [login({})])
    expect(works?.message).toBe('accepted, apart from the secrets that were left out')
  })

  test('a required property with a default may be missing, and large numbers are exact', async () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', maximum: 9007199254740992 }, d: { default: 1 } },
      required: ['n', 'd'],
    }
    const tool = (inputSchema: JsonSchema): ManifestTool => ({ name: 'count', inputSchema })
    const open = { ...schema, properties: { ...schema.properties, n: { type: 'integer' } } }
    const calls = [
      recorded(1, 'count', '{"n":9007199254740992}'),
      recorded(2, 'count', '{"n":9007199254740993}'),
    ]
    const checked = await check(calls, [tool(open)], [tool(schema)])
    expect(checked.map(({ status }) => status)).toEqual(['works', 'fails'])
  })

  test('groups have one line for each tool that works, and for each cause', async () => {
    const calls = [1, 2, 3, 4, 5, 6, 7].map(seq =>
      recorded(seq, 'search', `{"words":"a","limit":${seq * 10}}`),
    )
    const checked = await check(calls, [search({ maximum: 100 })], [search({ maximum: 40 })])
    expect(groupFrozenCalls(checked).map(({ status, name }) => [status, name])).toEqual([
      ['passed', '4 calls, at messages 1, 2, 3 and 4'],
      ['failed', '3 calls, at messages 5, 6 and 7'],
    ])
  })
})
