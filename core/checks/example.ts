/**
 * An example: a saved input of a tool, and the expected result of its call. The file is fit for committing;
 * docs/example.schema.json is made from `exampleSchema`.
 */
import { z } from 'zod'
import type { Json } from '../json/json.ts'
import { readJson, writeJson } from '../json/json-text.ts'
import { failureReasons } from '../tool/invocation.ts'
import { type PreparedAnswers, preparedAnswers } from './prepared-answers.ts'

const expectation = z
  .union([
    z.strictObject({
      exact: z.unknown().describe('The result. Key order does not count; numbers count by value.'),
    }),
    z.strictObject({
      schema: z
        .union([z.boolean(), z.record(z.string(), z.unknown())])
        .describe('A JSON Schema that the result fits.'),
    }),
    z.strictObject({
      outputSchemaValid: z
        .literal(true)
        .describe('The result fits the output schema that the tool declares.'),
    }),
    z.strictObject({
      fails: z
        .union([z.literal(true), z.enum(failureReasons)])
        .describe('The call fails: in any way (true), or for this reason.'),
    }),
    z.strictObject({
      refuses: z
        .string()
        .describe(
          'The tool refuses the input with an error that names the field at this JSON Pointer, "" for the whole input. It does not crash.',
        ),
    }),
    z.strictObject({
      accepts: z
        .literal(true)
        .describe(
          'The tool accepts the input as valid: its result fits the output schema, or it fails for another reason.',
        ),
    }),
  ])
  .describe('The expected result. Without it: a result that is not an error and matches the output schema.')

/** Why a file cannot be read as an example. */
export interface ExampleProblem {
  /** Relative to the configuration's folder. */
  readonly file: string
  readonly message: string
}

/** The shape of an example's file. */
export const exampleSchema = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().min(1).max(200),
  note: z.string().max(10_000).optional(),
  savedBy: z.string().max(200).optional().describe('The person of a team that saved it last.'),
  input: z
    .unknown()
    .describe(
      `What is sent. A string "\${env:NAME}" becomes the environment variable when the call is made.`,
    ),
  answers: preparedAnswers.optional(),
  secretMarker: z
    .string()
    .min(3)
    .max(1000)
    .optional()
    .describe(
      `What is in "input" and "answers" in the place of each secret that was left out: write "\${env:NAME}" there instead.`,
    ),
  expect: expectation.optional(),
})

export type Expectation =
  | { readonly exact: Json }
  | { readonly schema: Json }
  | { readonly outputSchemaValid: true }
  | { readonly fails: true | (typeof failureReasons)[number] }
  | { readonly refuses: string }
  | { readonly accepts: true }

export interface Example {
  readonly $schema?: string
  /** Unique within its tool. */
  readonly name: string
  readonly note?: string
  /** The name of the person that saved it last. */
  readonly savedBy?: string
  readonly input: Json
  /** Answers to the server's questions. */
  readonly answers?: PreparedAnswers
  /** The text that replaces each omitted secret of the input. */
  readonly secretMarker?: string
  readonly expect?: Expectation
}

export type ExampleReading =
  | { readonly ok: true; readonly example: Example }
  | { readonly ok: false; readonly message: string }

/** Maximum characters of an example's text. */
export const maxExampleLength = 2_000_000

/** Reads an example's text. Numbers keep their digits. Never throws; the error is one line. */
export function readExample(text: string): ExampleReading {
  if (text.length > maxExampleLength) return { ok: false, message: 'it is longer than 2 million characters' }
  const reading = readJson(text.replace(/^\ufeff/, ''))
  if (!reading.ok) return { ok: false, message: `it is not valid JSON: ${reading.message}` }
  if (reading.value === undefined) return { ok: false, message: 'it is empty' }
  const parsed = exampleSchema.safeParse(reading.value)
  if (!parsed.success) return { ok: false, message: parsed.error.issues.map(describeIssue).join('; ') }
  const { $schema, name, note, savedBy, input, answers, secretMarker, expect } = parsed.data
  return {
    ok: true,
    example: {
      ...($schema === undefined ? {} : { $schema }),
      name,
      ...(note === undefined ? {} : { note }),
      ...(savedBy === undefined ? {} : { savedBy }),
      // The schema above checked this value, and readJson made its parts.
      input: input as Json,
      ...(answers === undefined ? {} : { answers }),
      ...(secretMarker === undefined ? {} : { secretMarker }),
      ...(expect === undefined ? {} : { expect: expect as Expectation }),
    },
  }
}

/** Returns the text of an example's file: keys in a fixed order, two spaces for each level, every number as written. */
export function writeExample(example: Example): string {
  const { $schema, name, note, savedBy, input, answers, secretMarker, expect } = example
  const fields: Record<string, Json> = {
    ...($schema === undefined ? {} : { $schema }),
    name,
    ...(note === undefined || note === '' ? {} : { note }),
    ...(savedBy === undefined ? {} : { savedBy }),
    input,
    // Answers hold only JSON, like the expected value.
    ...(answers === undefined ? {} : { answers: answers as unknown as Json }),
    ...(secretMarker === undefined ? {} : { secretMarker }),
    // The interface of the value lacks an index signature.
    ...(expect === undefined ? {} : { expect: expect as unknown as Json }),
  }
  return `${writeJson(fields)}\n`
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.')
  if (issue.code === 'invalid_union')
    return `${path}: must be one of {"exact": …}, {"schema": …}, {"outputSchemaValid": true}, {"fails": true or a reason}, {"refuses": "/field"}, {"accepts": true}`
  return `${path === '' ? '' : `${path}: `}${issue.message}`
}
