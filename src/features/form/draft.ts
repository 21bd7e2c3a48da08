/** Validates a draft, and fills it with an example or with defaults. */
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { fillDefaults } from '../../../core/form/defaults.ts'
import type { OptionalFields } from '../../../core/form/sample.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createWorkerClient } from '../../api/worker-requests.ts'
import type { FormValidation, SampleRequest } from './validator.worker.ts'
import ValidatorWorker from './validator.worker.ts?worker'

/** A tool, or a server's question during a call: both have an input to fill in. */
export type FormSubject = Pick<ToolDetail, 'ref' | 'name' | 'inputSchema' | 'uiSchema'>

const schemaTexts = new WeakMap<object, string>()

/** Returns no issues after 2 s: the server also validates the call. */
const validateDraft = createWorkerClient<FormValidation, readonly ValidationIssue[]>(
  async () => new ValidatorWorker(),
  2_000,
  [],
)

/**
 * Returns the issues of a draft, each with its location, by the rules for the tool's caller: a required field with a
 * default is optional. Empty text counts as `{}`; other text must be JSON. A worker validates it within 2 s.
 */
export async function findDraftIssues(tool: FormSubject, text: string): Promise<ValidationIssue[]> {
  return [...(await validateDraft({ schemaText: toSchemaText(tool), text }))]
}

const sample = createWorkerClient<SampleRequest, string | undefined>(
  async () => new ValidatorWorker(),
  10_000,
  undefined,
)

/**
 * Returns a schema-correct input as JSON text, preferably from saved inputs and from the author's examples and defaults.
 * A worker searches for it; undefined after 10 s.
 */
export function exampleText(
  tool: ToolDetail,
  optional: OptionalFields,
  saved: readonly Json[],
): Promise<string | undefined> {
  return sample({ sampleOf: toSchemaText(tool), optional, savedText: writeJson(saved) })
}

/** Like `exampleText`, for a part of a tool's input. The schema must contain all definitions that it references. */
export async function makeExample(schema: JsonSchema): Promise<Json | undefined> {
  const text = await sample({ sampleOf: JSON.stringify(schema) })
  const reading = text === undefined ? undefined : readJson(text)
  return reading?.ok ? reading.value : undefined
}

/** Returns the draft with the schema's defaults for all absent values. Empty text if the schema has no defaults. */
export function defaultsText(tool: ToolDetail, text = ''): string {
  const reading = readJson(text)
  if (!reading.ok) return text
  return writeJson(fillDefaults(tool.inputSchema, reading.value))
}

function toSchemaText(tool: FormSubject): string {
  const known = schemaTexts.get(tool)
  if (known !== undefined) return known
  const schemaText = JSON.stringify(callerSchema(tool.inputSchema))
  schemaTexts.set(tool, schemaText)
  return schemaText
}
