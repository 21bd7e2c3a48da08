import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainLine } from '../text/plain-text.ts'
import { anySchema, entryOf, getUser, toolsOf } from './help.testkit.ts'
import { helpJson, helpList, toolHelp } from './help-formats.ts'
import { nameToolCommands } from './tool-commands.ts'
import { usageFlags } from './usage-line.ts'

describe('help in the formats of the seed system', () => {
  it('lists each tool: the name padded to 20 columns, a space, the whole description', () => {
    const tools = toolsOf('acme', [
      getUser,
      { name: 'api greet', description: '\nGreet someone\nand be kind' },
      { name: 'a_name_longer_than_twenty_columns', description: 'x' },
      { name: 'bare' },
    ])
    expect(helpList(nameToolCommands(tools).entries)).toBe(
      [
        'get_user             Fetch user by ID',
        'api_greet            ',
        'Greet someone',
        'and be kind',
        'a_name_longer_than_twenty_columns x',
        'bare                 ',
        '',
      ].join('\n'),
    )
    expect(helpList([])).toBe('')
  })

  it('shows one tool with its usage', () => {
    expect(toolHelp(entryOf(getUser))).toBe(
      'get_user - Fetch user by ID\nUsage: get_user --id <integer> --include_orders <boolean> --role <string>\n',
    )
  })

  it('has no usage line without properties', () => {
    const about = { name: 'status', description: 'How it does' }
    for (const inputSchema of [{ type: 'object', properties: {} }, { type: 'object' }, {}, true, false])
      expect(toolHelp(entryOf({ ...about, inputSchema }))).toBe('status - How it does\n')
    expect(toolHelp(entryOf({ name: 'status' }))).toBe('status - \n')
  })

  it('spells a hint for each kind of property', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        count: { type: 'integer' },
        rate: { type: 'number' },
        dry: { type: 'boolean' },
        name: { type: 'string' },
        anything: {},
        tags: { type: 'array', items: { type: 'string' } },
        loose: { type: 'array' },
        rows: { type: 'array', items: { type: 'object' } },
        labels: { type: 'object' },
        nullable: { type: ['integer', 'null'] },
        maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        either: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
        shared: { $ref: '#/$defs/shared' },
        lost: { $ref: '#/$defs/gone' },
        size: { enum: [1, 2, null] },
        kind: { const: 'k' },
      },
      $defs: { shared: { type: 'object', properties: { a: {} } } },
    }
    expect(toolHelp(entryOf({ name: 't', inputSchema }))).toBe(
      'Usage: '
        .replace('Usage: ', 't - \nUsage: t ')
        .concat(
          [
            '--anything <value>',
            '--count <integer>',
            '--dry <boolean>',
            '--either <json|a,b,c>',
            '--kind <value>',
            '--labels <json|key=value...>',
            '--loose <json|a,b,c>',
            '--lost <value>',
            '--maybe <number>',
            '--name <string>',
            '--nullable <integer>',
            '--rate <number>',
            '--rows <json|key=value...>',
            '--shared <json|key=value...>',
            '--size <value>',
            '--tags <json|a,b,c>',
          ].join(' '),
          '\n',
        ),
    )
  })

  it('names the fields of each variant, of conditions and of shared parts', () => {
    const inputSchema = {
      type: 'object',
      allOf: [{ $ref: '#/$defs/base' }],
      oneOf: [
        { properties: { file: { type: 'string' } }, required: ['file'] },
        { properties: { url: { type: 'string' } }, required: ['url'] },
      ],
      if: { required: ['deep'] },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { properties: { depth: { type: 'integer' } } },
      $defs: { base: { properties: { id: { type: 'integer' } }, required: ['id'] } },
    }
    const usage = toolHelp(entryOf({ name: 't', inputSchema }))
    for (const flag of ['--id <integer>', '--file <string>', '--url <string>', '--depth <integer>'])
      expect(usage).toContain(flag)
  })

  it('prints JSON with its keys in alphabetical order, also in the schema', () => {
    expect(helpJson(entryOf(getUser))).toBe(`{
  "description": "Fetch user by ID",
  "input_schema": {
    "properties": {
      "id": {
        "type": "integer"
      },
      "include_orders": {
        "type": "boolean"
      },
      "role": {
        "enum": [
          "admin",
          "member",
          "guest"
        ],
        "type": "string"
      }
    },
    "required": [
      "id"
    ],
    "type": "object"
  },
  "name": "get_user"
}
`)
  })
})

describe('help of a hostile tool', () => {
  const hostile = '\u001b[2Jgone\u009b31m \u202egnirts\u0007\u{e0041}\u{e0042}\u2028next'

  it('contains no control or bidirectional characters', () => {
    const entry = entryOf({
      name: `x${hostile}`,
      description: hostile,
      inputSchema: { type: 'object', properties: { [hostile]: { type: 'string' } } },
    })
    for (const text of [toolHelp(entry), helpList([entry]), helpJson(entry)]) {
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028\u{e0041}]/u)
      expect(text).toContain('gone')
    }
  })

  it('loses nothing in JSON', () => {
    const entry = entryOf({ name: 'x', description: hostile, inputSchema: { [hostile]: hostile } })
    expect(JSON.parse(helpJson(entry))).toEqual({
      description: hostile,
      input_schema: { [hostile]: hostile },
      name: 'x',
    })
  })

  it('keeps a key called __proto__', () => {
    const inputSchema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')
    expect(toolHelp(entryOf({ name: 'x', inputSchema }))).toContain('--__proto__ <string>')
  })
})

describe('usageFlags', () => {
  const inputSchema = {
    properties: {
      format: { enum: ['json', 'text'] },
      id: { type: 'integer' },
      mode: { type: 'string', enum: ['a', 'b'], default: 'a' },
      title: { type: 'string', enum: ['two words', 'x'] },
      country: { type: 'string', enum: Array.from({ length: 99 }, (_, index) => `c${index}`) },
      kind: { const: 'k' },
      limit: { enum: [10, null] },
    },
    required: ['id', 'mode', 'kind'],
  }

  it('puts optional flags in brackets, and a few fixed values in place of the type', () => {
    expect(usageFlags(inputSchema)).toEqual({
      flags: [
        '[--country <string>]',
        '[--format json|text]',
        '--id <integer>',
        '--kind k',
        '[--limit 10]',
        '[--mode a|b]',
        '[--title <string>]',
      ],
      more: 0,
    })
  })

  it('counts the flags that it leaves out', () => {
    expect(usageFlags(inputSchema, 2)).toEqual({
      flags: ['[--country <string>]', '[--format json|text]'],
      more: 5,
    })
  })
})

describe('help of any schema', () => {
  it('never throws, names each declared property, and is safe for a terminal', () => {
    fc.assert(
      fc.property(anySchema, inputSchema => {
        const entry = entryOf({ name: 't', inputSchema })
        const help = toolHelp(entry)
        const usage = usageFlags(inputSchema).flags.join(' ')
        helpJson(entry)
        expect(`${usage}${help}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
        const declared = typeof inputSchema === 'object' ? inputSchema.properties : undefined
        if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return
        for (const name of Object.keys(declared)) {
          expect(help).toContain(`--${plainLine(name)} <`)
          expect(usage).toContain(`--${plainLine(name)} `)
        }
      }),
      { numRuns: 100 },
    )
  })
})
