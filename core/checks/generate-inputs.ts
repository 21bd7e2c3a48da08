/**
 * Generates inputs of a tool from its input schema: valid ones at each boundary, and for each constraint an invalid one
 * that breaks only this constraint. The same schema, seed and maximum give the same inputs.
 */
import type { Json } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** One rule of a schema that an input can break. */
export interface Constraint {
  /** JSON Pointer (RFC 6901) into the input schema, to the schema that has the keyword. */
  readonly pointer: string
  readonly keyword: string
  /** The keyword's value; for `required` and `dependentRequired` the name of one property. */
  readonly value: unknown
}

export interface GeneratedInput {
  readonly input: Json
  readonly kind: 'valid' | 'invalid'
  /** The constraint at whose boundary a valid input is, or that an invalid one breaks. */
  readonly constraint: Constraint
  /** One sentence. */
  readonly why: string
  /** JSON Pointer into the input: the field that a good error names. `''` is the whole input. */
  readonly field: string
  /**
   * Other constraints that an invalid input breaks, as `pointer keyword`, because no value was found that keeps them.
   * Empty in most cases. They are about the same field.
   */
  readonly alsoBreaks: readonly string[]
  /** The input has a number that a double changes, so a validator that computes with doubles cannot confirm it. */
  readonly isBeyondDoubles: boolean
}

/** How many parts of the schema there are, and how many of them the inputs exercise. */
export interface CoverageCount {
  readonly total: number
  readonly exercised: number
}

export interface SchemaCoverage {
  /** A constraint is exercised if an invalid input breaks it. */
  readonly constraints: CoverageCount
  /** Branches of unions and conditions: exercised if a valid input takes them. */
  readonly branches: CoverageCount
  readonly enumValues: CoverageCount
}

/** A constraint without an invalid input. */
export interface UnknownConstraint {
  readonly constraint: Constraint
  readonly reason: string
}

export interface GeneratedInputs {
  /** The smallest valid input first, then those of each constraint, in the order of the schema. */
  readonly inputs: readonly GeneratedInput[]
  readonly coverage: SchemaCoverage
  readonly unknowns: readonly UnknownConstraint[]
  /** Why there is no valid input, if there is none: the schema is broken or allows nothing. */
  readonly problem?: string
}

export interface GenerateOptions {
  /** 1 by default. */
  readonly seed?: number
  /** Maximum inputs; 400 by default. Invalid inputs come before the boundaries of valid ones if not all fit. */
  readonly maxInputs?: number
}

/**
 * Generates inputs for the schema as a caller sees it: a required property with a default may be absent. Never throws.
 * Patterns with look-arounds need `loadMatchersFor(jsonText(schema))` (core/validation/safe-pattern.ts) first.
 */
export function generateInputs(_schema: JsonSchema, _options: GenerateOptions = {}): GeneratedInputs {
  throw new Error('not written yet')
}
