import { isSameJson } from '../json/equality.ts'
import { isDeeperThan, isObject, own, type UnknownObject, withoutUndefined } from '../json/json.ts'
import {
  type JsonSchema,
  type ManifestProblem,
  type ManifestTool,
  missingInput,
  type ToolAnnotations,
} from '../tool/tool.ts'
import { fromGeminiSchema, withNullTypes } from './openapi-schema.ts'

/** The fields of an entry under our names, before any check. Absent fields are undefined. */
export interface EntryFields {
  readonly name: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly inputSchema: unknown
  readonly outputSchema?: unknown
  readonly annotations?: unknown
  readonly extra?: UnknownObject
  /** True if an entry of this format without an input schema has no input. */
  readonly inputOptional?: boolean
  /** The schemas that are written in Gemini's subset of OpenAPI. They are read as JSON Schema. */
  readonly geminiSchemas?: readonly ('inputSchema' | 'outputSchema')[]
  /** Why the entry is not a tool that could be listed, after `The entry is `. */
  readonly notATool?: string
}

/** One documented format of a tool. */
export interface EntryShape {
  readonly matches: (entry: UnknownObject) => boolean
  readonly read: (entry: UnknownObject) => EntryFields
}

/** Replaces an input schema that is missing or unusable. It accepts every object. */
export const anyObject: JsonSchema = { type: 'object' }
const noInput: JsonSchema = { type: 'object', properties: {} }

/**
 * Levels of a schema or of another member of an entry. Real ones have less than 40; deeper ones exhaust the stack of
 * some reader.
 */
const maxLevels = 400
/** A tool's reference contains its name and is part of URLs. */
const maxNameCharacters = 1_000

type ReportProblem = (problem: Omit<ManifestProblem, 'index' | 'name'>) => void

/** Returns a tool for an entry; null if it has no usable name. Problems go to `reportProblem`. */
export function toTool(fields: EntryFields, reportProblem: ReportProblem): ManifestTool | null {
  const { name, extra, notATool } = fields
  if (notATool !== undefined) {
    reportProblem({ message: `The entry is ${notATool}; it is left out.` })
    return null
  }
  if (typeof name !== 'string' || name.trim() === '') {
    const found =
      name === undefined ? 'no name' : `a name that is ${name === '' ? 'empty' : describeValue(name)}`
    reportProblem({
      message: `The entry has ${found}.`,
      hint: 'A tool needs a name: a string that is not blank.',
    })
    return null
  }
  if (name.length > maxNameCharacters) {
    reportProblem({
      message: `The name is ${name.length} characters long; the entry is left out.`,
      hint: `A name may have ${maxNameCharacters} characters; clients take 64 to 128.`,
    })
    return null
  }
  if (/[\p{Cc}\u2028\u2029]/u.test(name))
    reportProblem({
      message: 'The name holds line breaks or control characters.',
      hint: 'Most clients refuse it.',
    })
  const text = (key: 'title' | 'description') => {
    const value = fields[key]
    if (typeof value === 'string') return value
    if (value !== undefined && value !== null)
      reportProblem({ message: `The ${key} is not a text but ${describeValue(value)}.` })
    return undefined
  }
  const title = text('title')
  const description = text('description')
  const outputSchema = readOutputSchema(fields, reportProblem)
  const inputSchema = readInputSchema(fields, reportProblem)
  const annotations = isObject(fields.annotations) ? readAnnotations(fields.annotations) : undefined
  return {
    name,
    ...withoutUndefined({ title, description }),
    inputSchema,
    ...withoutUndefined({ outputSchema, annotations }),
    ...readExtra(extra, reportProblem),
    ...keepWritten(fields, { inputSchema, outputSchema }),
  }
}

/** Returns the schemas that were converted, as the manifest has them. */
function keepWritten(
  fields: EntryFields,
  read: Pick<ManifestTool, 'inputSchema'> & { readonly outputSchema: JsonSchema | undefined },
): Pick<ManifestTool, 'writtenSchemas'> {
  const converted = (key: 'inputSchema' | 'outputSchema') => {
    const [written, schema] = [fields[key], read[key]]
    const isConverted = isObject(schema) && schema !== anyObject && schema !== written
    return isConverted && isObject(written) && !isSameJson(written, schema) ? written : undefined
  }
  const writtenSchemas = withoutUndefined({
    inputSchema: converted('inputSchema'),
    outputSchema: converted('outputSchema'),
  })
  return Object.keys(writtenSchemas).length === 0 ? {} : { writtenSchemas }
}

function readInputSchema(
  { inputSchema, inputOptional, geminiSchemas }: EntryFields,
  reportProblem: ReportProblem,
): JsonSchema {
  if (isDeeperThan(inputSchema, maxLevels)) {
    reportProblem({
      message: `The input schema is nested more than ${maxLevels} levels deep; any object is taken as input.`,
      unreadInput: `it is nested more than ${maxLevels} levels deep`,
    })
    return anyObject
  }
  if (typeof inputSchema === 'boolean') return inputSchema
  if (isObject(inputSchema))
    return geminiSchemas?.includes('inputSchema') ? fromGeminiSchema(inputSchema) : withNullTypes(inputSchema)
  if (inputSchema === undefined && inputOptional) return noInput
  const isMissing = inputSchema === undefined
  reportProblem({
    message: isMissing
      ? 'There is no input schema; any object is taken as input.'
      : `The input schema is not a JSON Schema but ${describeValue(inputSchema)}; any object is taken as input.`,
    unreadInput: isMissing ? missingInput : `it is not a JSON Schema but ${describeValue(inputSchema)}`,
    hint: 'A JSON Schema is an object, true or false. A tool without input has {"type":"object","properties":{}}.',
  })
  return anyObject
}

function readOutputSchema(
  { outputSchema: value, geminiSchemas }: EntryFields,
  reportProblem: ReportProblem,
): JsonSchema | undefined {
  if (isDeeperThan(value, maxLevels)) {
    reportProblem({
      message: `The output schema is nested more than ${maxLevels} levels deep; it is left out.`,
    })
    return undefined
  }
  if (typeof value === 'boolean') return value
  if (isObject(value))
    return geminiSchemas?.includes('outputSchema') ? fromGeminiSchema(value) : withNullTypes(value)
  if (value !== undefined && value !== null)
    reportProblem({
      message: `The output schema is not a JSON Schema but ${describeValue(value)}; it is left out.`,
    })
  return undefined
}

function readExtra(
  extra: UnknownObject = {},
  reportProblem: ReportProblem,
): { readonly extra?: UnknownObject } {
  const accepted = Object.entries(extra).filter(([key, value]) => {
    const isDeep = isDeeperThan(value, maxLevels)
    if (isDeep)
      reportProblem({
        message: `"${key.slice(0, 40)}" is nested more than ${maxLevels} levels deep; it is left out.`,
      })
    return !isDeep
  })
  return accepted.length === 0 ? {} : { extra: Object.fromEntries(accepted) }
}

/** Returns the hints that MCP knows, if they have the right type. */
function readAnnotations(fields: UnknownObject): ToolAnnotations | undefined {
  const title = own(fields, 'title')
  const hints = (['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const).filter(
    hint => typeof own(fields, hint) === 'boolean',
  )
  if (typeof title !== 'string' && hints.length === 0) return undefined
  return {
    ...(typeof title === 'string' && { title }),
    ...Object.fromEntries(hints.map(hint => [hint, fields[hint]])),
  }
}

/** Returns all members except the named ones, for `extra`. */
export function without(fields: UnknownObject, known: readonly string[]): UnknownObject {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => !known.includes(key)))
}

/** Returns a short description of any value: `the text "abc"`, `a list of 3`, `null`. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.length > 60 ? `${value.slice(0, 60)}…` : value
    return `the text ${JSON.stringify(text)}`
  }
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : `a list of ${value.length}`
  if (isObject(value)) {
    const keys = Object.keys(value)
    if (keys.length === 0) return 'an empty object'
    const some = keys.slice(0, 8).map(key => JSON.stringify(key.slice(0, 40)))
    return `an object with the ${keys.length === 1 ? 'key' : 'keys'} ${some.join(', ')}${keys.length > 8 ? ' …' : ''}`
  }
  if (typeof value === 'number') return `the number ${value}`
  return typeof value === 'boolean' || value === null ? String(value) : `a ${typeof value}`
}
