/** The examples of a tool: list, save, delete, run. */
import type { Context } from 'hono'
import { exampleEndpoints } from '../../../core/api/examples.ts'
import { type Example, readExample } from '../../../core/checks/example.ts'
import type { PreparedAnswers } from '../../../core/checks/prepared-answers.ts'
import { AppError } from '../../../core/errors.ts'
import type { Json } from '../../../core/json/json.ts'
import { findSecretFields, noFields } from '../../../core/tool/is-secret.ts'
import { leaveOutOfValue } from '../../../core/tool/left-out.ts'
import type { Caller } from '../../calls/call.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { type ExampleKeeper, type ToolKey, toExampleKey } from '../../checks/example-keeper.ts'
import type { SourceContext } from '../../sources/source.ts'
import type { Validator } from '../../workers/validator.ts'
import { serve } from '../serve-endpoints.ts'

interface ExampleRouteParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly context: SourceContext
  readonly examples: ExampleKeeper
  readonly callFor: (context: Context) => Caller
}

export function exampleRoutes({
  catalog,
  validator,
  context: sources,
  examples: keeper,
  callFor,
}: ExampleRouteParts) {
  const listExamples = async (key: ToolKey) => ({
    ...(await keeper.list(key)),
    place: keeper.place,
  })

  return serve(exampleEndpoints, {
    'GET /api/examples': ({ query }) => listExamples(toExampleKey(catalog.callTarget(query.ref).tool)),

    'PUT /api/examples': async ({ body, context }) => {
      const { tool } = catalog.callTarget(body.ref)
      const person = context.get('person')
      const example = parseExample(body.text)
      const { secretMarker, ...rest } = example
      const input = leaveOutOfValue(example.input, findSecretFields(tool.inputSchema), {
        marker: secretMarker,
      })
      // The page removes fields that a question's schema marks as secret; the server does not know those schemas.
      const marker = input.marker ?? secretMarker
      const answers =
        example.answers && leaveOutOfValue(example.answers as unknown as Json, noFields, { marker })
      const usedMarker = input.marker ?? answers?.marker
      refuseSecretResult(example)
      const saved = await keeper.save(toExampleKey(tool), {
        ...rest,
        ...(person === undefined ? {} : { savedBy: person.name }),
        input: input.kept,
        ...(answers === undefined ? {} : { answers: answers.kept as unknown as PreparedAnswers }),
        ...(usedMarker === undefined ? {} : { secretMarker: usedMarker }),
      })
      return { example: saved, leftOut: [...input.pointers, ...(answers?.pointers ?? [])] }
    },

    'DELETE /api/examples': async ({ query }) => {
      const key = toExampleKey(catalog.callTarget(query.ref).tool)
      await keeper.remove(key, query.name)
      return listExamples(key)
    },

    'POST /api/examples/run': async ({ body, signal, context }) => {
      await catalog.untilConnected(body.ref)
      const { tool } = catalog.callTarget(body.ref)
      const { examples } = await keeper.list(toExampleKey(tool))
      const saved = examples.find(({ name }) => name === body.name)
      if (saved === undefined)
        throw new AppError('request-invalid', `"${tool.ref}" has no example "${body.name}"`)
      const { environment } = sources
      const run = { tool, example: parseExample(saved.text), environment, signal }
      const { runExample } = await import('../../checks/run-example.ts')
      return runExample(run, { catalog, call: callFor(context), validator })
    },
  })
}

function parseExample(text: string): Example {
  const reading = readExample(text)
  if (reading.ok) return reading.example
  throw new AppError('request-invalid', `the example cannot be read: ${reading.message}`)
}

/** An expected result without its secret could never match, so the example is refused instead of cut. */
function refuseSecretResult({ expect }: Example): void {
  if (expect === undefined || !('exact' in expect)) return
  const { pointers } = leaveOutOfValue(expect.exact, noFields)
  if (pointers.length === 0) return
  throw new AppError(
    'request-invalid',
    `the expected result holds what looks like a secret at ${pointers.slice(0, 5).join(', ')}`,
    { hint: 'Expect the schema of the result instead.' },
  )
}
