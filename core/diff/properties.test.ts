import fc from 'fast-check'
import { expect, test } from 'vitest'
import { schemas } from '../compat/testing/arbitrary-schemas.ts'
import { judge } from '../compat/testing/judge.ts'
import { mutations } from '../compat/testing/mutations.ts'
import { callerSchema } from '../json-schema/caller-schema.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { diffManifests } from './diff-manifests.ts'

/** More runs by hand: `DIFF_RUNS=5000 npx vitest run core/diff/properties`. */
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

test('nothing changes between a manifest and itself', async () => {
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

test('what breaks is shown by a value that the one original takes and the other refuses', async () => {
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
        expect(judge(view(takes), witness.value), JSON.stringify(witness)).toBe(true)
        expect(judge(view(refuses), witness.value), JSON.stringify(witness)).toBe(false)
      }
    }),
    { numRuns },
  )
  expect(broken).toBeGreaterThan(numRuns / 3)
})

test('what refuses an input that used to work never goes unmentioned', async () => {
  await fc.assert(
    fc.asyncProperty(wild, async ([before, after]) => {
      const report = await diffManifests({ tools: [tool('x', before)] }, { tools: [tool('x', after)] })
      const calm = report.changes.every(({ strict }) => strict === undefined || strict === 'proved')
      if (!calm) return
      for (const value of fc.sample(
        fc.dictionary(fc.string({ maxLength: 2 }), fc.jsonValue({ maxDepth: 1 })),
        30,
      ))
        if (judge(callerSchema(before as JsonSchema), value))
          expect(judge(callerSchema(after as JsonSchema), value), JSON.stringify(value)).toBe(true)
    }),
    { numRuns, examples: [[evaluatedByIf]] },
  )
})

test('fingerprints stay when something else changes', async () => {
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
