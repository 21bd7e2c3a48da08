/** What a form needs to know of one place in a schema in order to draw a control for it. */

import type { Json } from '../json/json.ts'
import type { SchemaObject } from '../schema/schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { Conditional } from './flatten-schema.ts'

/** The control a string gets. `text` is one line, `long` several. */
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

export interface Branch {
  /** Unique among its siblings. */
  readonly label: string
  /** The branch together with what stands beside the union. */
  readonly schema: JsonSchema
  /** Keys that can have only one value in this branch, with that value. */
  readonly constants: readonly (readonly [string, Json])[]
}

/** A choice of keys that a schema demands without saying anything else about them. */
export interface KeyDemand {
  readonly keyword: 'anyOf' | 'oneOf'
  readonly alternatives: readonly (readonly string[])[]
}

export interface ObjectNode {
  readonly kind: 'object'
  readonly properties: readonly FormProperty[]
  readonly patterns: readonly { readonly pattern: string; readonly schema: JsonSchema }[]
  /** For keys that no property and no pattern names. */
  readonly additional: JsonSchema
  /** The schema says what other keys hold. Where it is silent, they are allowed all the same. */
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
  /** For the items after those; `false`: there are none. */
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
  | { readonly kind: 'union'; readonly keyword: 'anyOf' | 'oneOf'; readonly branches: readonly Branch[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'never' }
  | ObjectNode
  | ArrayNode

export type FormNode = NodeShape & {
  /** The level as flattened: limits, titles, examples. */
  readonly schema: SchemaObject
  /** `null` is allowed besides what `kind` says. */
  readonly nullable: boolean
  /** Why something could not be rendered as the schema has it, in words for people. */
  readonly notices: readonly string[]
}
