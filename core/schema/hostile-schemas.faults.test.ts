import { describe, expect, test } from 'vitest'
import { diffManifests } from '../diff/diff-manifests.ts'
import { getFormPlanner } from '../form/form-schema.ts'
import { objectFields } from '../form/object-fields.ts'
import { sampleValue } from '../form/sample.ts'
import { toolHelp } from '../prompt/help-formats.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { hostileSchemas } from './hostile-schemas.testkit.ts'

/** Of processor time: the limit of the threads that do this. Before, the slowest took 10 to 30 s, or never came back. */
const maxMs = 2_000

const schemas = hostileSchemas()
const toolOf = (inputSchema: JsonSchema) => ({
  ref: 'a/b',
  source: 'a',
  name: 'b',
  index: 0,
  tags: [],
  callable: true,
  inputSchema,
})

async function expectQuick(work: () => unknown): Promise<void> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1_000).toBeLessThan(maxMs)
}

describe('time limit for hostile schemas', () => {
  const quick = Object.keys(schemas).filter(name =>
    /^an enum|^two enums|doubling|pattern|itself|circle|deep/.test(name),
  )

  test.each(quick)('toolHelp takes less than 2 seconds for %s', async name => {
    const tool = toolOf(schemas[name] ?? true)
    await expectQuick(() => toolHelp({ command: 'b', tool }))
  })

  test.each(quick)('sampleValue takes less than 2 seconds for %s', async name => {
    await expectQuick(() => sampleValue(schemas[name] ?? true))
  })

  test('objectFields takes less than 2 seconds for 30,000 conditions', async () => {
    const schema = schemas['30,000 conditions'] ?? true
    const planner = getFormPlanner(schema)
    await expectQuick(() => {
      const node = planner.plan(schema)
      if (node.kind !== 'object') throw new Error(`planned as ${node.kind}`)
      expect(objectFields(planner, node, { field0: 1 }).properties[0]).toMatchObject({ name: 'field0x' })
    })
  })

  test('diffManifests takes less than 2 seconds for enums of 30,000', async () => {
    const before = { tools: [toolOf(schemas['an enum of 30,000'] ?? true)] }
    for (const name of [
      'an enum of 30,000 other values',
      'an enum of 30,000, one of them new',
      'an enum of 30,000 in reverse',
    ])
      await expectQuick(() => diffManifests(before, { tools: [toolOf(schemas[name] ?? true)] }))
  })
})
