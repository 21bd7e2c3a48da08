/** The formats of the APIs of models and of MCP bundles; the samples follow the documentation of each. */
import { describe, expect, test } from 'vitest'
import type { Manifest } from '../tool/tool.ts'
import { readManifest } from './read-manifest.ts'
import { snapshotManifest } from './snapshot.ts'

const messages = ({ problems }: Manifest) => problems.map(({ message }) => message)

describe('readManifest: Gemini', () => {
  const turnOnLights = {
    name: 'set_light_color',
    description: 'Sets the color of a lamp.',
    parameters: {
      type: 'OBJECT',
      properties: {
        lamp: { type: 'STRING', description: 'Its number in the house', example: 'kitchen-2' },
        rgb: {
          type: 'ARRAY',
          items: { type: 'INTEGER', minimum: 0, maximum: 255 },
          minItems: '3',
          maxItems: '3',
        },
        effect: { type: 'STRING', format: 'enum', enum: ['blink', 'fade'], nullable: true },
      },
      required: ['lamp'],
      propertyOrdering: ['lamp', 'rgb', 'effect'],
    },
    response: { type: 'BOOLEAN' },
    behavior: 'NON_BLOCKING',
  }
  const lightsRead = {
    name: 'set_light_color',
    description: 'Sets the color of a lamp.',
    inputSchema: {
      type: 'object',
      properties: {
        lamp: { type: 'string', description: 'Its number in the house', examples: ['kitchen-2'] },
        rgb: {
          type: 'array',
          items: { type: 'integer', minimum: 0, maximum: 255 },
          minItems: 3,
          maxItems: 3,
        },
        effect: { type: ['string', 'null'], enum: ['blink', 'fade', null] },
      },
      required: ['lamp'],
      propertyOrdering: ['lamp', 'rgb', 'effect'],
    },
    outputSchema: { type: 'boolean' },
    extra: { behavior: 'NON_BLOCKING' },
    writtenSchemas: { inputSchema: turnOnLights.parameters, outputSchema: turnOnLights.response },
  }
  const jsonSchema = {
    type: 'object',
    properties: { type: { const: 'OBJECT' } },
    additionalProperties: false,
  }
  const plain = { name: 'plain', parametersJsonSchema: jsonSchema, responseJsonSchema: { type: 'null' } }
  const plainRead = { name: 'plain', inputSchema: jsonSchema, outputSchema: { type: 'null' } }
  const format = 'Gemini functionDeclarations'

  test('reads declarations in each envelope, also the keys of Python', () => {
    const tool = { functionDeclarations: [turnOnLights, plain] }
    const { parametersJsonSchema, responseJsonSchema, ...named } = plain
    const inPython = { ...named, parameters_json_schema: jsonSchema, response_json_schema: { type: 'null' } }
    for (const json of [
      tool,
      [tool],
      { tools: [tool] },
      { contents: [], tools: [{ functionDeclarations: [turnOnLights] }, { functionDeclarations: [plain] }] },
      { tools: [tool], toolConfig: { functionCallingConfig: { mode: 'AUTO' } } },
      { function_declarations: [turnOnLights, inPython] },
      [turnOnLights, plain],
    ])
      expect(readManifest(json)).toEqual({ tools: [lightsRead, plainRead], problems: [], format })
  })

  test('gives a snapshot without the schemas as they were written', () => {
    const { tools } = snapshotManifest(readManifest([turnOnLights, plain]))
    const { writtenSchemas, ...stored } = lightsRead
    expect(tools).toEqual([stored, plainRead])
  })

  test('reads a declaration without parameters as a tool without input', () => {
    const { tools, problems } = readManifest({ functionDeclarations: [{ name: 'now' }] })
    expect(tools).toEqual([{ name: 'now', inputSchema: { type: 'object', properties: {} } }])
    expect(problems).toEqual([])
  })

  test('reports each entry that is not a declaration, and reads the others', () => {
    const manifest = readManifest({
      tools: [
        { functionDeclarations: [7, { name: 'now' }, { parameters: { type: 'OBJECT' } }] },
        { googleSearch: {} },
        { functionDeclarations: 'all' },
        { name: 'bad', parameters: 'none' },
      ],
    })
    expect(manifest.tools.map(({ name }) => name)).toEqual(['now', 'bad'])
    expect(messages(manifest)).toEqual([
      'The entry is not a tool but the number 7.',
      'The entry has no name.',
      'The entry is "googleSearch", which Gemini itself provides; it is left out.',
      'The entry has no name.',
      'The input schema is not a JSON Schema but the text "none"; any object is taken as input.',
    ])
  })

  test('keeps a declaration of functions.json as it is', () => {
    const parameters = { type: 'object', properties: { a: { type: 'string', nullable: true } } }
    const { tools, format: read } = readManifest([{ name: 'a', parameters }])
    expect([tools[0]?.inputSchema, read]).toEqual([parameters, 'functions.json'])
  })
})

describe('readManifest: Bedrock', () => {
  const json = {
    type: 'object',
    properties: { sign: { type: 'string', description: 'The call sign of a radio station' } },
    required: ['sign'],
  }
  const topSong = {
    toolSpec: {
      name: 'top_song',
      description: 'Gets the most popular song.',
      inputSchema: { json },
      strict: true,
    },
  }
  const tool = {
    name: 'top_song',
    description: 'Gets the most popular song.',
    inputSchema: json,
    extra: { strict: true },
  }

  test('reads toolSpec in each envelope, without the points of the cache', () => {
    const toolConfig = { tools: [topSong, { cachePoint: { type: 'default' } }], toolChoice: { auto: {} } }
    for (const given of [
      { modelId: 'm', messages: [], toolConfig },
      { toolConfig },
      toolConfig,
      toolConfig.tools,
    ])
      expect(readManifest(given)).toEqual({ tools: [tool], problems: [], format: 'Bedrock toolConfig' })
  })

  test('reports each entry that is not a toolSpec, and reads the others', () => {
    const manifest = readManifest({
      toolConfig: {
        tools: [
          { toolSpec: 'x' },
          { systemTool: { name: 'nova_grounding' } },
          { toolSpec: { name: 'a', inputSchema: json } },
          topSong,
        ],
      },
    })
    expect(manifest.tools.map(({ name }) => name)).toEqual(['a', 'top_song'])
    expect(messages(manifest)).toEqual([
      'The entry has no name.',
      'The entry is a tool that Bedrock itself provides; it is left out.',
      'There is no input schema; any object is taken as input.',
    ])
  })
})

describe('readManifest: MCPB', () => {
  const bundle = {
    manifest_version: '0.3',
    name: 'file-search',
    version: '1.0.0',
    description: 'Searches files',
    author: { name: 'Ada' },
    server: {
      type: 'node',
      entry_point: 'server/index.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/index.js'],
        env: { KEY: '${user_config.key}' },
      },
    },
    tools: [{ name: 'search', description: 'Finds files by their names' }, { name: 'read' }],
  }

  test('reads names and descriptions, and says once that the inputs are unknown and what starts the server', () => {
    expect(readManifest(bundle)).toEqual({
      tools: [
        { name: 'search', description: 'Finds files by their names', inputSchema: { type: 'object' } },
        { name: 'read', inputSchema: { type: 'object' } },
      ],
      problems: [
        {
          message:
            'The manifest of the bundle names its tools without their inputs; any object is taken as input.',
          hint: 'To see all of its tools and to call them, add its server (node ${__dirname}/server/index.js) as a source.',
          unreadInput: 'it is missing',
        },
      ],
      format: 'MCPB manifest',
    })
  })

  test('reads a bundle of the older name, and one that leaves its tools to the server', () => {
    const { manifest_version, tools, ...rest } = bundle
    const older = readManifest({ ...rest, dxt_version: '0.1', tools: [...tools, 'x'], tools_generated: true })
    expect(older.tools).toHaveLength(2)
    expect(messages(older)).toEqual([
      'The entry is not a tool but the text "x".',
      'The manifest of the bundle names some of its tools without their inputs; any object is taken as input.',
    ])
    expect(messages(readManifest({ ...rest, manifest_version, tools_generated: true }))).toEqual([
      'The manifest of the bundle names no tools.',
    ])
  })
})

test('readManifest: says which programs read an OpenAPI document, and what a server.json is', () => {
  const refuse = (json: unknown) => {
    try {
      readManifest(json)
    } catch (thrown) {
      return thrown
    }
    return undefined
  }
  for (const json of [
    { openapi: '3.1.0', paths: {} },
    { swagger: '2.0', paths: {} },
  ])
    expect(refuse(json)).toMatchObject({
      code: 'manifest-unrecognised',
      detail: expect.stringMatching(/^Found an OpenAPI document \([\d.]+\), which describes HTTP requests/),
      ownHint: expect.stringContaining('Swagger UI, Redoc and Scalar'),
    })
  expect(refuse({ name: 'io.github.ada/files', packages: [] })).toMatchObject({
    detail: expect.stringContaining(
      'the entry of the MCP registry (server.json) for the server "io.github.ada/files"',
    ),
  })
  expect(refuse({ name: 'x', tools: 5 })).toMatchObject({
    detail: 'Found an object with the keys "name", "tools".',
    ownHint: expect.stringContaining('Gemini functionDeclarations, Bedrock toolConfig or MCPB manifest.'),
  })
})
