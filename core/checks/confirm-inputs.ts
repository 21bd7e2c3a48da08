/** Confirms generated inputs with a second validator before they are sent. */
import type { SchemaFailure } from '../compat/schema-failure.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, type Json } from '../json/json.ts'
import { toPlain } from '../json/json-text.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import { detectDialect, secondDrafts } from '../schema/dialect.ts'
import type { Slices } from '../slices.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import type { GeneratedInput } from './generate-inputs.ts'
import { createInputChecks } from './input-checks.ts'

/**
 * Makes a validator that is independent of ours: `new Validator(schema, draft)` of @cfworker/json-schema. A parameter, so
 * that the package is loaded only when inputs are generated.
 */
export type SecondValidator = (
  schema: object,
  draft: '4' | '7' | '2019-09' | '2020-12',
) => (value: unknown) => boolean

export interface Confirmation {
  /** Whether both validators decide as the input's kind says. */
  readonly isConfirmed: boolean
  /** Why only our validator decides, if the second one cannot. Without it, an unconfirmed input must not be sent. */
  readonly reason?: string
}

type ConfirmedInput = Pick<GeneratedInput, 'input' | 'kind' | 'constraint' | 'isBeyondDoubles'>

/** Returns a confirmation for each input, in slices. Never throws. */
export function* confirmInputs(
  inputSchema: JsonSchema,
  inputs: readonly ConfirmedInput[],
  createSecond: SecondValidator,
): Slices<Confirmation[]> {
  const confirm = createConfirmer(callerSchema(inputSchema), createSecond)
  const confirmations: Confirmation[] = []
  for (const input of inputs) yield confirmations.push(confirm(input))
  return confirmations
}

function createConfirmer(schema: JsonSchema, createSecond: SecondValidator) {
  const validate = createSchemaValidator(schema)
  const second = prepareSecond(schema, createSecond)
  return ({ input, kind, constraint, isBeyondDoubles }: ConfirmedInput): Confirmation => {
    if (validate(input).verdict !== kind) return { isConfirmed: false }
    if (isBeyondDoubles) return { isConfirmed: false, reason: 'it has a number that a double changes' }
    const decided = second(input)
    if (typeof decided === 'string') return { isConfirmed: false, reason: decided }
    if (decided === (kind === 'valid')) return { isConfirmed: true }
    if (constraint.keyword === 'format')
      return { isConfirmed: false, reason: `the validators differ in the format ${String(constraint.value)}` }
    return { isConfirmed: false }
  }
}

/**
 * Returns a function that decides whether another input says the same about a tool: it is an object that breaks exactly
 * the constraints that the generated input breaks, and is confirmed as that one was.
 */
export function createLikenessTest(
  inputSchema: JsonSchema,
  generated: ConfirmedInput,
  createSecond: SecondValidator,
): (input: Json) => boolean {
  const schema = callerSchema(inputSchema)
  const checks = createInputChecks(schema)
  const confirm = createConfirmer(schema, createSecond)
  const describe = (input: Json) => {
    const failures = checks.check(input)
    return failures === undefined ? undefined : canonicalJson(describeFailures(failures))
  }
  const wanted = describe(generated.input)
  return input => {
    if (!isObject(input) || wanted === undefined || describe(input) !== wanted) return false
    const { isConfirmed, reason } = confirm({ ...generated, input })
    return isConfirmed || reason !== undefined
  }
}

function describeFailures(failures: readonly SchemaFailure[]): Json[] {
  const texts = failures.map(({ schemaPath, keyword, property = '', branches = [] }) =>
    canonicalJson([schemaPath, keyword, property, branches.map(describeFailures)]),
  )
  return [...new Set(texts)].toSorted()
}

function prepareSecond(schema: JsonSchema, create: SecondValidator): (input: Json) => boolean | string {
  if (!isObject(schema)) return () => schema
  try {
    // It ignores `__proto__` and reads numbers as doubles.
    const validate = create(toPlain(schema as Json) as object, secondDrafts[detectDialect(schema)])
    return input => {
      try {
        return validate(toPlain(input))
      } catch (thrown) {
        return describe(thrown)
      }
    }
  } catch (thrown) {
    return () => describe(thrown)
  }
}

const describe = (thrown: unknown) =>
  `the second validator cannot read the schema: ${String(thrown).slice(0, 200)}`
