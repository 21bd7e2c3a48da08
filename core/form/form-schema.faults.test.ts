import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject, type Json } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { bestBranch } from './branch-match.ts'
import { fitsNode, getFormPlanner } from './form-schema.ts'
import { objectFields } from './object-fields.ts'

/** Any schema at all, and any value at all: planning ends, and the value can be shown by the plan or by itself. */
const schemaText = fc.letrec<{ schema: unknown }>(tie => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.record(
      {
        type: fc.oneof(
          fc.constantFrom('object', 'array', 'string', 'integer', 'number', 'boolean', 'null', 'wrong'),
          fc.subarray(['object', 'array', 'string', 'null', 'number']),
        ),
        properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }),
        required: fc.array(fc.string()),
        items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 3 })),
        prefixItems: fc.array(tie('schema'), { maxLength: 3 }),
        enum: fc.array(fc.jsonValue()),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
        additionalProperties: tie('schema'),
        patternProperties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        if: tie('schema'),
        $ref: fc.constantFrom('#', '#/properties/a', '#/anyOf/0', '#/nowhere', 'x'),
        const: fc.jsonValue(),
        title: fc.jsonValue(),
        pattern: fc.string(),
        minimum: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
  ),
}))

test('form planner: plans a control for each part of any value under any schema', () => {
  fc.assert(
    fc.property(schemaText.schema, fc.jsonValue(), (schema, value) => {
      const planner = getFormPlanner(schema as JsonSchema)
      showable(planner, schema as JsonSchema, value as Json, 0)
    }),
    { numRuns: 300, examples: [[{ type: ['object', 'null'] }, null]] },
  )
})

/** Walks the value as the form does; every part must end up in some control. */
function showable(
  planner: ReturnType<typeof getFormPlanner>,
  schema: JsonSchema,
  value: Json,
  depth: number,
): void {
  const node = planner.plan(schema)
  if (depth > 30 || !fitsNode(node, value)) return
  if (node.kind === 'union') {
    const branch = node.branches[bestBranch(planner, node.branches, value)]
    expect(branch).toBeDefined()
    if (branch) showable(planner, branch.schema, value, depth + 1)
  }
  if (node.kind === 'array' && Array.isArray(value))
    for (const [index, item] of value.entries())
      showable(planner, node.prefix[index] ?? node.items, item as Json, depth + 1)
  // A control of its own shows null.
  if (node.kind === 'object' && isObject(value)) {
    const object: { readonly [key: string]: Json } = value
    const fields = objectFields(planner, node, object)
    const shown = [...fields.properties.map(({ name }) => name), ...fields.extras.map(({ name }) => name)]
    expect(new Set(shown).size).toBe(shown.length)
    for (const [key, item] of Object.entries(object)) {
      expect(shown).toContain(key)
      const inner = [...fields.properties, ...fields.extras].find(({ name }) => name === key)
      showable(planner, inner?.schema ?? true, item, depth + 1)
    }
  }
}
