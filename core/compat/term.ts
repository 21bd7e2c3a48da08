/**
 * What schemas become before they are compared: conditions on one value, built from conditions on one type each.
 * A condition on a type says nothing about values of other types ("if it is a number, then at least 5"), exactly
 * as JSON Schema's keywords do. Equal terms are one object, so that sets of terms can be compared by their ids.
 */

import type { JsonType } from '../json/json.ts'
import type { Rational } from './rational.ts'

/** One bit a type; a set of types is a sum of bits. */
export const typeBits = {
  null: 1,
  boolean: 2,
  number: 4,
  string: 8,
  array: 16,
  object: 32,
} as const satisfies Record<JsonType, number>

export const everyType = 63

export interface KeySet {
  readonly id: string
  /** All names except those described. */
  readonly complement: boolean
  readonly names: ReadonlySet<string>
  /** ECMA-262 patterns, searched anywhere. */
  readonly patterns: readonly string[]
  /** Names that do not satisfy this condition (from `propertyNames`) belong to the described ones. */
  readonly failing: Term | undefined
  /** The one name that the set consists of. */
  readonly sole: string | undefined
}

interface Base {
  readonly id: number
  /** Types that a value which satisfies the term can have; a superset. */
  readonly mask: number
}

export type Shape =
  | { readonly kind: 'type' }
  | { readonly kind: 'and'; readonly parts: readonly Term[] }
  | { readonly kind: 'or'; readonly parts: readonly Term[] }
  /** A schema that is still being read: the only way terms can be cyclic. */
  | { readonly kind: 'ref'; readonly name: string; readonly negated: boolean; readonly resolve: () => Term }
  /** A schema that cannot be read (it stands elsewhere, or refers to itself without end): all that is known is its name. */
  | { readonly kind: 'opaque'; readonly name: string; readonly reason: string; readonly negated: boolean }
  /** One of (or none of) these null, booleans, numbers, texts, by their canonical text. */
  | { readonly kind: 'values'; readonly negated: boolean; readonly values: ReadonlyMap<string, unknown> }
  | {
      readonly kind: 'bound'
      readonly side: 'min' | 'max'
      readonly limit: Rational
      readonly strict: boolean
    }
  | { readonly kind: 'multiple'; readonly of: Rational; readonly negated: boolean }
  /** Code points of a text. */
  | { readonly kind: 'length'; readonly min: number; readonly max: number }
  | { readonly kind: 'pattern'; readonly source: string; readonly negated: boolean }
  /** Items of an array. */
  | { readonly kind: 'size'; readonly min: number; readonly max: number }
  /** How many items at the indexes `from` up to but without `to` satisfy the term. */
  | {
      readonly kind: 'count'
      readonly from: number
      readonly to: number
      readonly term: Term
      readonly min: number
      readonly max: number
    }
  | { readonly kind: 'unique'; readonly negated: boolean }
  /** Each property (or at least one) with a name in `keys` has a value that satisfies the term. */
  | { readonly kind: 'every'; readonly keys: KeySet; readonly term: Term }
  | { readonly kind: 'some'; readonly keys: KeySet; readonly term: Term }
  /** Properties of an object. */
  | { readonly kind: 'fields'; readonly min: number; readonly max: number }

export type Term = Base & Shape

export type TermOf<Kind extends Term['kind']> = Extract<Term, { kind: Kind }>

/** The one type that a condition speaks of; undefined for the others. */
export function typeOfCondition(kind: Term['kind']): JsonType | undefined {
  switch (kind) {
    case 'bound':
    case 'multiple':
      return 'number'
    case 'length':
    case 'pattern':
      return 'string'
    case 'size':
    case 'count':
    case 'unique':
      return 'array'
    case 'every':
    case 'some':
    case 'fields':
      return 'object'
    case 'type':
    case 'and':
    case 'or':
    case 'ref':
    case 'opaque':
    case 'values':
      return undefined
  }
}
