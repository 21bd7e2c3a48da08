import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemas } from '../compat/testing/arbitrary-schemas.ts'
import { decideByReference } from '../compat/testing/decide-by-reference.ts'
import { mutations } from '../compat/testing/mutations.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { diffManifests } from './diff-manifests.ts'
import { auditComparison } from './schema/audit-comparison.testkit.ts'

/** More runs by hand: `DIFF_RUNS=5000 npm run faults -- core/diff/properties`. */
const numRuns = Number(globalThis.process?.env.DIFF_RUNS ?? 120)

/** `unevaluatedProperties` of the whole concern no property that the `if` has evaluated. */
const evaluatedByIf = [
  true,
  { if: { unevaluatedProperties: { minLength: 0 } }, unevaluatedProperties: { type: ['null'] } },
] as const

const pairs = schemas.chain(before => mutations(before).map(({ schema }) => [before, schema] as const))
const wild = fc.oneof(pairs, fc.tuple(schemas, schemas))
const tool = (name: string, inputSchema: unknown, outputSchema?: unknown): ManifestTool => ({
  name,
  inputSchema: inputSchema as JsonSchema,
  ...(outputSchema === undefined ? {} : { outputSchema: outputSchema as JsonSchema }),
})

test('diffManifests: finds no change between a manifest and itself', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(schemas, { maxLength: 4 }), async list => {
      const side = () => ({
        tools: structuredClone(list).map((schema, at) => tool(`t${at}`, schema, schema)),
      })
      expect((await diffManifests(side(), side())).changes).toEqual([])
    }),
    { numRuns },
  )
})

test('diffManifests: shows each break by a value that one original accepts and the other refuses', async () => {
  let broken = 0
  await fc.assert(
    fc.asyncProperty(wild, async ([before, after]) => {
      const report = await diffManifests(
        { tools: [tool('x', before, before)] },
        { tools: [tool('x', after, after)] },
      )
      for (const { severity, direction, witness, strict } of report.changes) {
        if (severity === 'breaking' && strict !== undefined) expect(witness).toBeDefined()
        // Ajv does not look at a property of this name.
        if (!witness || JSON.stringify([before, after]).includes('__proto__')) continue
        broken += 1
        const view = (schema: unknown) =>
          direction === 'input' ? callerSchema(schema as JsonSchema) : (schema as JsonSchema)
        const [takes, refuses] = witness.acceptedBy === 'before' ? [before, after] : [after, before]
        expect(decideByReference(view(takes), witness.value), JSON.stringify(witness)).toBe(true)
        expect(decideByReference(view(refuses), witness.value), JSON.stringify(witness)).toBe(false)
      }
    }),
    { numRuns },
  )
  expect(broken).toBeGreaterThan(numRuns / 3)
})

test('diffManifests: never leaves out a change that refuses an input that worked before', async () => {
  let tried = 0
  await fc.assert(
    fc.asyncProperty(wild, async ([before, after]) => {
      const report = await diffManifests({ tools: [tool('x', before)] }, { tools: [tool('x', after)] })
      const calm = report.changes.every(({ strict }) => strict === undefined || strict === 'proved')
      if (!calm) return
      const values = fc.sample(fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 1 })), 30)
      const accepted = values.filter(value => decideByReference(callerSchema(before as JsonSchema), value))
      if (accepted.length > 0 && report.changes.some(({ strict }) => strict === 'proved')) tried += 1
      for (const value of accepted)
        expect(decideByReference(callerSchema(after as JsonSchema), value), JSON.stringify(value)).toBe(true)
    }),
    { numRuns, examples: [[evaluatedByIf]] },
  )
  expect(tried).toBeGreaterThan(numRuns / 60)
})

const field = fc.constantFrom('url', 'timeout', 'lang', 'tags', 'file_path', 'path')
const part = fc.constantFrom(
  { type: 'string' },
  { type: 'integer', minimum: 0 },
  { enum: ['a', 'b', 'c'] },
  { enum: ['a', 'c'] },
  { type: 'array', items: { type: 'string' } },
  { type: 'object', properties: { deep: { type: 'boolean' }, more: { type: 'string' } } },
  { type: 'object', properties: { deep: { type: 'boolean' } }, additionalProperties: false },
  { anyOf: [{ type: 'string' }, { type: 'null' }] },
)
/** Objects as tools have them, so that pairs of them differ in several ways that depend on each other. */
const releases = fc
  .record({
    properties: fc.dictionary(field, part, { maxKeys: 5 }),
    required: fc.uniqueArray(field, { maxLength: 2 }),
    closing: fc.constantFrom(
      {},
      { additionalProperties: false },
      { minProperties: 1 },
      { additionalProperties: { type: 'string' } },
    ),
  })
  .map(({ properties, required, closing }) => ({
    type: 'object',
    properties,
    required: required.filter(name => name in properties),
    ...closing,
  }))

test('diffManifests: hides only the ignored changes, and calls no part of a combination proved', async () => {
  let [breaks, combined, passes] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.tuple(releases, releases), wild),
      fc.constantFrom('input', 'output'),
      fc.integer(),
      async ([before, after], direction, seed) => {
        const values = fc.sample(fc.dictionary(field, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 }), {
          seed,
          numRuns: 20,
        })
        const audit = await auditComparison(before as JsonSchema, after as JsonSchema, direction, {
          values,
          judgeOf: schema => value => decideByReference(schema, value),
          random: pseudoRandom(seed),
        })
        expect(audit.faults).toEqual([])
        breaks += audit.breaks
        combined += audit.combined
        passes += audit.passes
      },
    ),
    { numRuns },
  )
  expect(Math.min(breaks, combined, passes)).toBeGreaterThan(0)
})

test('diffManifests: keeps fingerprints if something else changes', async () => {
  await fc.assert(
    fc.asyncProperty(wild, schemas, async ([before, after], other) => {
      const prints = async (extra: ManifestTool[]) => {
        const { changes } = await diffManifests(
          { tools: [tool('x', before), tool('other', {})] },
          { tools: [...extra, tool('other', { maxLength: 3 }), tool('x', after)] },
        )
        return changes
          .filter(change => change.tool === 'x')
          .map(change => change.fingerprint)
          .toSorted()
      }
      const alone = await prints([])
      expect(new Set(alone).size).toBe(alone.length)
      expect(await prints([tool('unrelated', other)])).toEqual(alone)
    }),
    { numRuns: Math.ceil(numRuns / 2) },
  )
})
