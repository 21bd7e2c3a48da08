/** The data with which a form draws a control for one location in a schema. */

import type { Json } from '../json/json.ts'
import type { SchemaObject } from '../schema/schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { Conditional } from './flatten-schema.ts'

/** The control for a string. `text` is one line, `long` several. */
export type StringControl =
  | 'text'
  | 'long'
  | 'secret'
  | 'date'
  | 'time'
  | 'date-time'
  | 'email'
  | 'uri'
  | 'uuid'
  | 'color'
  | 'binary'

export interface EnumOption {
  readonly value: Json
  readonly label: string
  readonly description?: string
}

export interface FormProperty {
  readonly name: string
  readonly schema: JsonSchema
  readonly required: boolean
}

export interface UnionBranch {
  /** Unique among its siblings. */
  readonly label: string
  /** The branch together with the keywords next to the union. */
  readonly schema: JsonSchema
  /** Keys with only one possible value in this branch, and that value. */
  readonly constants: readonly (readonly [string, Json])[]
}

/** A choice of keys that a schema requires without describing them. */
export interface KeyDemand {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly alternatives: readonly (readonly string[])[]
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly properties: readonly FormProperty[]
  readonly patterns: readonly { readonly pattern: string; readonly schema: JsonSchema }[]
  /** For keys that match neither a property nor a pattern. */
  readonly additional: JsonSchema
  /** Whether the schema describes other keys. If it does not, they are allowed too. */
  readonly additionalStated: boolean
  readonly propertyNames?: JsonSchema
  readonly conditionals: readonly Conditional[]
  readonly dependentSchemas: readonly (readonly [string, JsonSchema])[]
  readonly dependentRequired: readonly (readonly [string, readonly string[]])[]
  readonly demands: readonly KeyDemand[]
}

export interface ArrayNode {
  readonly kind: 'array'
  /** Schemas of the first items, by position. */
  readonly prefix: readonly JsonSchema[]
  /** For the later items; `false` means that there are none. */
  readonly items: JsonSchema
  readonly unique: boolean
  readonly minItems: number
  readonly maxItems: number
}

export type NodeShape =
  | { readonly kind: 'string'; readonly control: StringControl; readonly suggestions: readonly string[] }
  | { readonly kind: 'number'; readonly integer: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'null' }
  | { readonly kind: 'const'; readonly value: Json }
  | { readonly kind: 'enum'; readonly options: readonly EnumOption[] }
  | { readonly kind: 'union'; readonly keyword: 'anyOf' | 'oneOf'; readonly branches: readonly UnionBranch[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'never' }
  | ObjectNode
  | ArrayNode

export type FormNode = NodeShape & {
  /** The flattened level: limits, titles, examples. */
  readonly schema: SchemaObject
  /** Whether `null` is allowed in addition to `kind`. */
  readonly nullable: boolean
  /** For the user: why something could not be rendered as in the schema. */
  readonly notices: readonly string[]
}
