import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import { parseManifestText, readManifest } from './read-manifest.ts'

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const greet = { name: 'greet', description: 'Greets', inputSchema: schema }
const documentation = {
  name: 'help',
  description: 'Documentation tool, not callable. Call a tool by …',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
}

describe('readManifest: shapes', () => {
  test('reads an --llms manifest: the first help is the calling convention, a second one is a tool', () => {
    const own = { name: 'help', inputSchema: schema, outputSchema: schema }
    expect(readManifest({ tools: [documentation, greet, own] })).toEqual({
      tools: [greet, own],
      problems: [],
      format: '--llms manifest',
      callingConvention: documentation.description,
    })
  })

  test('reads nullable as null in OpenAPI 3.0 only, and keeps it elsewhere', () => {
    const ofType = (type: unknown, more: object) => ({
      type: 'object',
      properties: { a: { type, maxLength: 3, ...more }, b: { nullable: true, enum: [1] } },
    })
    const openApi = { $schema: 'https://spec.openapis.org/oas/3.0/schema/2024-10-18' }
    const plain = ofType('string', { nullable: true })
    const inputSchemas = [{ ...openApi, ...plain }, plain]
    const { tools } = readManifest({
      tools: inputSchemas.map((inputSchema, index) => ({
        name: `t${index}`,
        inputSchema,
        outputSchema: inputSchema,
      })),
    })
    const read = { ...openApi, ...ofType(['string', 'null'], {}) }
    expect(tools.map(tool => tool.inputSchema)).toEqual([read, plain])
    expect(tools.map(tool => tool.outputSchema)).toEqual([read, plain])
    const validate = createSchemaValidator(read)
    expect([null, 'abc', 'abcd'].map(a => validate({ a }).verdict)).toEqual(['valid', 'valid', 'invalid'])
  })

  test('reserves a help entry only in first place and with the documented words', () => {
    const names = (tools: unknown[]) => readManifest({ tools }).tools.map(tool => tool.name)
    expect(names([greet, documentation])).toEqual(['greet', 'help'])
    expect(names([{ ...documentation, description: 'Shows help' }])).toEqual(['help'])
    expect(names([{ ...documentation, name: 'Help' }])).toEqual(['Help'])
  })

  test('reads MCP tools/list: bare, wrapped, as a JSON-RPC answer, and with serverInfo', () => {
    const tool = {
      ...greet,
      title: 'Greet',
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: 'no', title: 'G' },
      _meta: { a: 1 },
    }
    const expected = { ...tool, annotations: { title: 'G', readOnlyHint: true }, extra: { _meta: { a: 1 } } }
    const { _meta, ...read } = expected
    for (const json of [
      [tool],
      { tools: [tool] },
      { jsonrpc: '2.0', id: 1, result: { tools: [tool] } },
      { serverInfo: { name: 'x' }, tools: [tool] },
    ])
      expect(readManifest(json)).toEqual({ tools: [read], problems: [], format: 'MCP tools/list' })
    expect(readManifest({ tools: [], instructions: 'Be kind' }).instructions).toBe('Be kind')
    expect(readManifest({ tools: [greet], nextCursor: 'x' }).problems[0]?.message).toContain('one page')
  })

  test('reads functions.json and bridge /tools', () => {
    const declaration = { name: 'fs_cat', description: 'Shows', parameters: schema }
    expect(readManifest([{ ...declaration, agent: true }])).toEqual({
      tools: [{ name: 'fs_cat', description: 'Shows', inputSchema: schema, extra: { agent: true } }],
      problems: [],
      format: 'functions.json',
    })
    expect(readManifest([]).format).toBe('functions.json')
    const full = {
      ...declaration,
      mcp: 'files',
      title: 'Cat',
      outputSchema: true,
      annotations: { readOnlyHint: true },
    }
    expect(readManifest([full])).toMatchObject({
      tools: [
        { title: 'Cat', outputSchema: true, annotations: { readOnlyHint: true }, extra: { mcp: 'files' } },
      ],
      format: 'bridge /tools',
    })
  })

  test('reads OpenAI tools in both forms and both envelopes', () => {
    const tool = { name: 'greet', description: 'Greets', inputSchema: schema, extra: { strict: true } }
    const flat = { name: 'greet', description: 'Greets', parameters: schema, strict: true }
    for (const entry of [
      { type: 'function', function: flat },
      { type: 'function', ...flat },
    ])
      for (const json of [[entry], { tools: [entry] }, { functions: [entry] }])
        expect(readManifest(json)).toEqual({ tools: [tool], problems: [], format: 'OpenAI tools' })
    expect(readManifest({ functions: [flat] })).toMatchObject({ tools: [tool], format: 'functions.json' })
    expect(readManifest([{ type: 'function', function: { name: 'now' } }])).toEqual({
      tools: [{ name: 'now', inputSchema: { type: 'object', properties: {} } }],
      problems: [],
      format: 'OpenAI tools',
    })
  })

  test('reads Anthropic tools', () => {
    const entry = { type: 'custom', name: 'greet', description: 'Greets', input_schema: schema }
    for (const json of [[entry], { tools: [entry] }])
      expect(readManifest(json)).toEqual({
        tools: [{ name: 'greet', description: 'Greets', inputSchema: schema, extra: { type: 'custom' } }],
        problems: [],
        format: 'Anthropic tools',
      })
  })

  test('reads incur: joins arguments and options into one schema, and remembers which is which', () => {
    const args = { properties: { name: { type: 'string' }, b: {} }, required: ['name'], $defs: { A: {} } }
    const options = { properties: { inCaps: { type: 'boolean' }, name: {} }, required: ['name'] }
    const command = {
      name: 'api greet',
      description: 'Greets',
      schema: { args, options, output: { type: 'object' } },
      examples: [{ command: 'x' }],
    }
    expect(readManifest({ version: 'incur.v1', commands: [command, { name: 'bare' }] })).toEqual({
      tools: [
        {
          name: 'api greet',
          description: 'Greets',
          inputSchema: {
            type: 'object',
            properties: { name: { type: 'string' }, b: {}, inCaps: { type: 'boolean' }, '--name': {} },
            required: ['name', '--name'],
            $defs: { A: {} },
            additionalProperties: false,
          },
          outputSchema: { type: 'object' },
          extra: {
            examples: [{ command: 'x' }],
            incur: {
              positionals: ['name', 'b'],
              options: [
                { property: 'inCaps', flag: '--in-caps' },
                { property: '--name', flag: '--name' },
              ],
            },
          },
        },
        {
          name: 'bare',
          inputSchema: { type: 'object', properties: {}, additionalProperties: false },
          extra: { incur: { positionals: [], options: [] } },
        },
      ],
      problems: [],
      format: 'incur',
    })
  })
})

test('readManifest: reads the examples of incur as examples of the input schema', () => {
  const args = { properties: { name: { type: 'string' }, times: { type: 'number' } }, required: ['name'] }
  const options = {
    properties: { dryRun: { type: 'boolean' }, tag: { type: 'array', items: { type: 'string' } }, at: {} },
  }
  const read = (examples: unknown, sections: object = { args, options }) =>
    readManifest({ version: 'incur.v1', commands: [{ name: 'api greet', schema: sections, examples }] })
      .tools[0]?.inputSchema
  const commands = [
    'api greet Ada 2 --dryRun true --tag a,b',
    'api greet Ada --dry-run --at=noon',
    'Ada',
    'api greet Ada Lovelace 2', // could be read in two ways
    'api greet Ada --other 1',
    'api greet --at noon',
    'api greet Ada two',
  ]
  expect(read([...commands.map(command => ({ command })), 7, { command: 7 }])).toMatchObject({
    examples: [
      { name: 'Ada', times: 2, dryRun: true, tag: ['a', 'b'] },
      { name: 'Ada', dryRun: true, at: 'noon' },
      { name: 'Ada' },
    ],
  })
  expect(read([{ command: 'api greet two words' }], { args: { properties: { name: {} } } })).toMatchObject({
    examples: [{ name: 'two words' }],
  })
  expect(read('none')).not.toHaveProperty('examples')
})

describe('readManifest: bad entries', () => {
  test.each([
    [null, 'not a tool but null'],
    ['greet', 'not a tool but the text "greet"'],
    [[], 'an empty list'],
    [{ inputSchema: schema }, 'no name'],
    [{ ...greet, name: 7 }, 'the number 7'],
    [{ ...greet, name: '' }, 'empty'],
    [{ ...greet, name: '  ' }, 'the text "  "'],
  ])('leaves out %j, and reports it', (entry, words) => {
    const { tools, problems } = readManifest({ tools: [greet, entry, { ...greet, name: 'other' }] })
    expect(tools.map(tool => tool.name)).toEqual(['greet', 'other'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatchObject({ index: 1, message: expect.stringContaining(words) })
  })

  test.each([
    [{ name: 'x' }, 'no input schema'],
    [{ name: 'x', inputSchema: 'string' }, 'not a JSON Schema but the text "string"'],
    [{ name: 'x', inputSchema: null }, 'not a JSON Schema but null'],
  ])('keeps %j as a tool that takes any object', (entry, words) => {
    const { tools, problems } = readManifest({ tools: [entry] })
    expect(tools).toEqual([{ name: 'x', inputSchema: { type: 'object' } }])
    expect(problems).toEqual([
      {
        index: 0,
        name: 'x',
        message: expect.stringContaining(words),
        hint: expect.any(String),
        unreadInput: expect.any(String),
      },
    ])
  })

  test('leaves out other broken members, and reports those that matter', () => {
    const { tools, problems } = readManifest({
      tools: [{ ...greet, description: 5, outputSchema: 'any', annotations: [], title: null }],
    })
    expect(tools).toEqual([{ name: 'greet', inputSchema: schema }])
    expect(problems.map(problem => problem.message)).toEqual([
      'The description is not a text but the number 5.',
      'The output schema is not a JSON Schema but the text "any"; it is left out.',
    ])
  })

  test('keeps a name that occurs twice, and reports it', () => {
    const { tools, problems } = readManifest({ tools: [greet, greet] })
    expect(tools).toEqual([greet, greet])
    expect(problems).toEqual([{ index: 1, name: 'greet', message: 'Entry 0 has the same name.' }])
  })
})

test.each([
  [null, 'null'],
  [{}, 'an empty object'],
  [{ tools: { a: 1 } }, 'the key "tools"'],
  [[1, 2, 3], 'a list of 3'],
  [{ version: 'other', commands: [] }, '"version", "commands"'],
  [{ jsonrpc: '2.0', error: { code: -32601, message: 'no such method' } }, 'no such method'],
])('readManifest: does not recognise %j', (json, words) => {
  expect(() => readManifest(json)).toThrow(
    expect.objectContaining({ code: 'manifest-unrecognised', detail: expect.stringContaining(words) }),
  )
})

test('readManifest: reads members called __proto__ without changing a prototype', () => {
  const json = JSON.parse(
    `{"__proto__":{"instructions":"evil"},"tools":[
      {"name":"__proto__","inputSchema":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1},"annotations":{"__proto__":{"readOnlyHint":true}}},
      {"name":"constructor","inputSchema":{}},
      {"__proto__":{"name":"inherited","inputSchema":{}}}]}`,
  )
  const manifest = readManifest(json)
  expect(manifest.instructions).toBeUndefined()
  expect(manifest.tools.map(tool => tool.name)).toEqual(['__proto__', 'constructor'])
  expect(manifest.tools[0]?.annotations).toBeUndefined()
  expect(Object.keys(manifest.tools[0]?.extra ?? {})).toEqual(['__proto__'])
  expect(({} as { polluted?: number }).polluted).toBeUndefined()
})

const mistake = (text: string) => {
  try {
    parseManifestText(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
  throw new Error('it was read')
}

test('parseManifestText: reads text, also after a byte order mark', () => {
  expect(parseManifestText('\ufeff{"tools":[{"name":"a","inputSchema":true}]}').tools).toEqual([
    { name: 'a', inputSchema: true },
  ])
})

test('parseManifestText: says where the mistake is and how the text starts', () => {
  expect(mistake('{\n  "tools": [,]\n}')).toMatchObject({
    code: 'manifest-not-json',
    detail: 'Invalid JSON at line 2, column 13 (character 14). It starts with { "tools": [,] }',
  })
  expect(mistake('{\n  "tools": [\n').detail).toMatch(
    /^The JSON breaks off at line 3, column 1 \(character 15\)\. It starts with \{/u,
  )
  expect(mistake('hello').detail).toBe('Not JSON: starts with "hello"')
  const page = `<!DOCTYPE html><title>Not found</title>${'x'.repeat(10_000)}`
  expect(mistake(page).detail).toBe('The text is a web page ("Not found"), not JSON')
  expect(mistake(page).detail.length).toBeLessThan(300)
  expect(mistake('{"tools":[]} // comment').detail).toContain('character 13')
  expect(mistake('<p>\n\n\u001b[2J</p>\n').detail).toMatch(/starts with "<p> \[2J<\/p>"$/u)
  expect(mistake(' \n').detail).toBe('The text is empty')
  expect(() => parseManifestText('', 'zero.json')).toThrow('Couldn’t read the manifest: zero.json is empty')
})

test('parseManifestText: refuses a document nested without end instead of crashing', () => {
  expect(mistake('['.repeat(200_000)).code).toBe('manifest-not-json')
  expect(mistake('['.repeat(200_000) + ']'.repeat(200_000)).code).toBe('manifest-unrecognised')
})

test('parseManifestText: gives a manifest or an AppError for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), text => {
      try {
        parseManifestText(text)
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(AppError)
      }
    }),
  )
})
