/** What the page asks of a draft besides editing it. */
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { defaultsOf } from '../../../core/form/defaults.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createWorkerClient } from '../../api/worker-requests.ts'
import type { SampleRequest, ValidationRequest } from './validator.worker.ts'
import ValidatorWorker from './validator.worker.ts?worker'

/** What has an input to fill in: a tool, or what a server asks during a call. */
export type FormSubject = Pick<ToolDetail, 'ref' | 'name' | 'inputSchema' | 'uiSchema'>

const schemaTexts = new WeakMap<object, string>()

/** No issues after 2 s: the server validates with the call. */
const validateDraft = createWorkerClient<ValidationRequest, readonly ValidationIssue[]>(
  async () => new ValidatorWorker(),
  2_000,
  [],
)

/**
 * The issues of a draft, each at its place, as the tool's caller has to meet it: "required with a default" is optional.
 * Empty text counts as `{}`; the text has to be JSON. Validated in a worker within 2 s.
 */
export async function problemsOf(tool: FormSubject, text: string): Promise<ValidationIssue[]> {
  return [...(await validateDraft({ schemaText: schemaTextOf(tool), text }))]
}

const sample = createWorkerClient<SampleRequest, string | undefined>(
  async () => new ValidatorWorker(),
  10_000,
  undefined,
)

/**
 * A schema-correct input as JSON text: authors' examples and defaults first, then made to fit. Undefined where the search
 * takes more than 10 s; the page does not wait for it.
 */
export function exampleText(tool: ToolDetail): Promise<string | undefined> {
  return sample({ sampleOf: schemaTextOf(tool) })
}

/** As `exampleText`, for a part of a tool's input that holds all its references. */
export async function exampleOf(schema: JsonSchema): Promise<Json | undefined> {
  const text = await sample({ sampleOf: JSON.stringify(schema) })
  const reading = text === undefined ? undefined : readJson(text)
  return reading?.ok ? reading.value : undefined
}

/**
 * The draft with the schema's defaults in every place that is still absent; what is entered stays.
 * Empty text when the schema has no defaults.
 */
export function defaultsText(tool: ToolDetail, text = ''): string {
  const reading = readJson(text)
  if (!reading.ok) return text
  return writeJson(defaultsOf(tool.inputSchema, reading.value))
}

function schemaTextOf(tool: FormSubject): string {
  const known = schemaTexts.get(tool)
  if (known !== undefined) return known
  const schemaText = JSON.stringify(callerSchema(tool.inputSchema))
  schemaTexts.set(tool, schemaText)
  return schemaText
}
