/** What a tool's source code says of it, in one shape for all three languages. */
import type { JsonSchema } from '../../../../core/tool/tool.ts'

export type DeclaredType = 'string' | 'boolean' | 'integer' | 'number' | 'string[]'

export interface DeclaredParameter {
  readonly name: string
  /** Absent where the source gives a type that functions.json has no word for: any value is taken. */
  readonly type?: DeclaredType
  readonly choices?: readonly string[]
  readonly description?: string
  readonly required: boolean
  readonly default?: string | number | boolean
  /** There is a default in the source, whether `default` can say it or not. */
  readonly hasDefault?: boolean
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
  readonly parameters: readonly DeclaredParameter[]
  readonly environment?: readonly DeclaredEnvironment[]
}

export interface DeclaredSource {
  readonly declarations: readonly Declaration[]
  /** What could not be read, one sentence each. */
  readonly problems: readonly string[]
}

/** The longest source that is read, in characters. */
export const MAX_SOURCE_LENGTH = 1_000_000

/** The declaration's parameters as functions.json would write them. */
export function declaredSchema({ parameters }: Declaration): JsonSchema {
  const required = parameters.filter(parameter => parameter.required).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(each => [each.name, propertySchema(each)])),
    ...(required.length > 0 ? { required } : {}),
  }
}

function propertySchema({ type, choices, description, default: fallback }: DeclaredParameter): JsonSchema {
  const values = choices === undefined ? {} : { enum: choices }
  const shape =
    type === 'string[]'
      ? { type: 'array', items: { type: 'string', ...values } }
      : { ...(type === undefined ? {} : { type }), ...values }
  return {
    ...shape,
    ...(description ? { description } : {}),
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}
