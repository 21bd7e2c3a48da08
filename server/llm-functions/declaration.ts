/** What a tool's source code says of it, as llm-functions' build writes it to functions.json. */
import type { JsonSchema } from '../../core/tool/tool.ts'

/** One parameter: its property in functions.json, and whether its name stands in `required`. */
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
  /** The function's name in the source: `run` in a tool, the tool's own in an agent. */
  readonly name: string
  readonly description: string
  /** `parameters` of functions.json. */
  readonly inputSchema: JsonSchema
  readonly environment?: readonly DeclaredEnvironment[]
}

export interface DeclaredSource {
  /** What could be read, also of a source that the build refuses. */
  readonly declarations: readonly Declaration[]
  /** Why the build refuses the source, and what it leaves out: one sentence each. */
  readonly problems: readonly string[]
}

/** In a tool's file only `run` is a tool; in an agent's each function is one. */
export type SourceRole = 'tool' | 'agent'

/** @param emptyRequired whether `required` is written where no parameter is: the build does so for Bash. */
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

/** The type and choices of a property. A type that the build does not know gives no type: any value is taken. */
export function typeOrChoices(
  type: string,
  types: Readonly<Record<string, object>>,
): { readonly shape: object; readonly isKnown: boolean } {
  // The build looks for the bar only, and drops single quotes only: other quotes and spaces stay in the choices.
  if (type.includes('|'))
    return { shape: { type: 'string', enum: type.replaceAll("'", '').split('|') }, isKnown: true }
  return Object.hasOwn(types, type)
    ? { shape: types[type] ?? {}, isKnown: true }
    : { shape: {}, isKnown: false }
}

export const stringList = { type: 'array', items: { type: 'string' } }
