import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AppError } from '../errors.ts'
import { readManifest } from './read-manifest.ts'

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }

test('readManifest: reads 50,000 entries in less than 2 seconds', () => {
  const tools = Array.from({ length: 50_000 }, (_, at) => ({
    name: `tool ${at}`,
    description: 'Greets',
    inputSchema: schema,
  }))
  const started = process.cpuUsage()
  expect(readManifest({ tools }).tools).toHaveLength(50_000)
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(2000)
})

test.each([
  [
    'Gemini',
    (name: string) => ({ name, parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } } }),
  ],
  ['Gemini, a tool for each', (name: string) => ({ functionDeclarations: [{ name }] })],
  ['Bedrock', (name: string) => ({ toolSpec: { name, inputSchema: { json: schema } } })],
  ['built in', (name: string) => ({ [`google${name.replace(/\W|\d/g, '')}`]: {}, functionDeclarations: [] })],
])('readManifest: reads 100,000 entries in less than 4 seconds: %s', (_, toEntry) => {
  const tools = Array.from({ length: 100_000 }, (_each, at) => toEntry(`tool ${at}`))
  const started = process.cpuUsage()
  readManifest({ tools })
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(4000)
})

test('readManifest: takes any object for a Gemini schema that is nested 100,000 levels deep', () => {
  const parameters = { type: 'OBJECT', properties: {} as object }
  for (let depth = 0, at = parameters; depth < 100_000; depth++) {
    const inner = { type: 'OBJECT', properties: {} }
    at.properties = { a: inner }
    at = inner
  }
  const { tools, problems } = readManifest({ functionDeclarations: [{ name: 'deep', parameters }] })
  expect(tools).toEqual([{ name: 'deep', inputSchema: { type: 'object' } }])
  expect(problems[0]?.message).toContain('nested more than 400 levels deep')
})

const key = fc.constantFrom(
  ...['tools', 'functions', 'commands', 'version', 'result', 'name', 'type', 'function', 'parameters', 'mcp'],
  ...[
    'inputSchema',
    'input_schema',
    'outputSchema',
    'schema',
    'args',
    'options',
    'properties',
    'required',
    'description',
  ],
  ...[
    'functionDeclarations',
    'parametersJsonSchema',
    'response',
    'toolConfig',
    'toolSpec',
    'json',
    'systemTool',
  ],
  ...['manifest_version', 'server', 'mcp_config', 'nullable', 'enum', 'anyOf', 'items', 'cachePoint'],
  ...['annotations', '__proto__', 'constructor', 'toString', 'nextCursor', 'error', '$defs'],
)
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom('incur.v1', 'function', 'help', '', true, null, 3, 'OBJECT', 'STRING'),
    fc.jsonValue(),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('json')), { maxLength: 6 }).map(entries => Object.fromEntries(entries)),
  ),
}))

test('readManifest: gives a manifest or an AppError for any JSON', () => {
  const recognised = { count: 0 }
  fc.assert(
    fc.property(
      fc.oneof(
        json,
        fc.array(json).map(tools => ({ tools })),
      ),
      value => {
        try {
          const { tools, problems } = readManifest(value)
          recognised.count += 1
          for (const tool of tools) expect(typeof tool.name).toBe('string')
          for (const problem of problems) expect(problem.message).not.toBe('')
        } catch (thrown) {
          expect(thrown).toBeInstanceOf(AppError)
        }
      },
    ),
    { numRuns: 2000 },
  )
  expect(recognised.count).toBeGreaterThan(100)
})
