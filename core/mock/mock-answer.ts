/** Makes the answer of a tool that does not run: a value of its output schema, or a text. */
import { isSubschema } from '../compat/is-subschema.ts'
import { sampleValue } from '../form/sample.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, type Json, own } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'

export interface MockOptions {
  /** Equal seeds give equal answers to equal inputs. Without it, each answer is the most usual value. */
  readonly seed?: number | undefined
  /** Expected results of saved examples. They come first, if they are valid. */
  readonly saved?: readonly Json[]
}

export interface MockAnswer {
  /** Absent if the tool has no output schema. */
  readonly value?: Json
  readonly text: string
  /** Why no valid value was found; `value` is absent then. */
  readonly problem?: string
}

/** Call `loadCompatFor` and `loadMatchersFor` with the schema first. Never throws. */
export function mockAnswer(
  tool: Pick<ManifestTool, 'name' | 'outputSchema'>,
  input: Json,
  { seed, saved = [] }: MockOptions = {},
): MockAnswer {
  const { name, outputSchema } = tool
  const random =
    seed === undefined ? undefined : pseudoRandom(hash(`${seed} ${name} ${canonicalJson(input)}`))
  if (outputSchema === undefined) {
    const [value] = pick(saved, random)
    if (value === undefined) return { text: `${name} was called with ${writeJson(input, 0)}` }
    return { text: typeof value === 'string' ? value : writeJson(value) }
  }
  const value = findValue(outputSchema, pick(saved, random), random)
  if (value === undefined) {
    const problem = `The mock found no value that the output schema of ${name} allows.`
    return { text: problem, problem }
  }
  return { value, text: writeJson(value) }
}

/** Each candidate is checked, because a client refuses an answer that its schema does not allow. */
function findValue(
  schema: JsonSchema,
  saved: readonly Json[],
  random: (() => number) | undefined,
): Json | undefined {
  const validate = createSchemaValidator(schema)
  const isValid = (value: Json) => validate(value).verdict === 'valid'
  const stated = isObject(schema) ? own(schema, 'examples') : undefined
  // A schema is JSON, so its members are.
  const examples = Array.isArray(stated) ? pick(stated as readonly Json[], random) : []
  const known = [...saved, ...examples].find(isValid)
  if (known !== undefined) return known
  const sampled = sampleValue(schema, random === undefined ? {} : { random })
  if (isValid(sampled)) return sampled
  const usual = random === undefined ? sampled : sampleValue(schema)
  if (isValid(usual)) return usual
  // A value that proves that the schema allows something.
  const verdict = isSubschema(schema, false)
  const witness = verdict.verdict === 'refuted' ? (verdict.witness as Json) : undefined
  return witness !== undefined && isValid(witness) ? witness : undefined
}

/** Returns the values in an order that the seed decides. */
function pick<Value>(values: readonly Value[], random: (() => number) | undefined): readonly Value[] {
  if (random === undefined || values.length < 2) return values
  const start = Math.floor(random() * values.length)
  return [...values.slice(start), ...values.slice(0, start)]
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193)
  return state >>> 0
}
