/** The declarations of a tool's source code, in the form that llm-functions' build writes to functions.json. */
import type { JsonSchema } from '../../core/tool/tool.ts'

/** One parameter: its property in functions.json, and whether `required` contains its name. */
export interface DeclaredParameter {
  readonly name: string
  readonly property: Readonly<Record<string, unknown>>
  readonly required: boolean
}

/** An environment variable that the tool reads (argc's `@env`). */
export interface DeclaredEnvironment {
  readonly name: string
  readonly required: boolean
  readonly description?: string
}

export interface Declaration {
  /** The function's name in the source: `run` in a tool's file, the tool's own name in an agent's. */
  readonly name: string
  readonly description: string
  /** `parameters` of functions.json. */
  readonly inputSchema: JsonSchema
  readonly environment?: readonly DeclaredEnvironment[]
}

export interface DeclaredSource {
  /** The readable declarations, also of a source that the build refuses. */
  readonly declarations: readonly Declaration[]
  /** Why the build refuses the source, and what it leaves out: one sentence each. */
  readonly problems: readonly string[]
}

/** In a tool's file only `run` is a tool; in an agent's file each function is one. */
export type SourceRole = 'tool' | 'agent'

/** @param emptyRequired whether to write an empty `required`, as the build does for Bash */
export function parametersSchema(
  parameters: readonly DeclaredParameter[],
  emptyRequired = false,
): JsonSchema {
  const required = parameters.filter(parameter => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, property }) => [name, property])),
    ...(required.length > 0 || emptyRequired ? { required } : {}),
  }
}

/** Returns the type and choices of a property. A type that the build does not know allows any value. */
export function typeOrChoices(
  type: string,
  types: Readonly<Record<string, object>>,
): { readonly shape: object; readonly isKnown: boolean } {
  // The build looks only for `|` and removes only single quotes: other quotes and spaces stay in the choices.
  if (type.includes('|'))
    return { shape: { type: 'string', enum: type.replaceAll("'", '').split('|') }, isKnown: true }
  return Object.hasOwn(types, type)
    ? { shape: types[type] ?? {}, isKnown: true }
    : { shape: {}, isKnown: false }
}

export const stringList = { type: 'array', items: { type: 'string' } }
