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
  ...['annotations', '__proto__', 'constructor', 'toString', 'nextCursor', 'error', '$defs'],
)
const { json } = fc.letrec(tie => ({
  json: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.constantFrom('incur.v1', 'function', 'help', '', true, null, 3),
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
