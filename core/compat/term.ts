/**
 * The form in which schemas are compared: conditions on one value, built from conditions on one type each. A condition
 * on a type says nothing about values of other types ("if it is a number, then at least 5"), exactly like a keyword of
 * JSON Schema. Equal terms are one object, so that sets of terms can be compared by their ids.
 */

import type { JsonType } from '../json/json.ts'
import type { Rational } from './numbers.ts'

/** One bit for each type; a set of types is a sum of bits. */
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
  /** Whether the set is all names except the described ones. */
  readonly complement: boolean
  readonly names: ReadonlySet<string>
  /** ECMA-262 patterns, matched anywhere in the name. */
  readonly patterns: readonly string[]
  /** The described names include those that do not satisfy this condition (from `propertyNames`). */
  readonly failing: Term | undefined
  /** The only name of the set. */
  readonly sole: string | undefined
}

interface TermBase {
  readonly id: number
  /** Types that a value of the term can have; a superset. */
  readonly mask: number
}

export type TermShape =
  | { readonly kind: 'type' }
  | { readonly kind: 'and'; readonly parts: readonly Term[] }
  | { readonly kind: 'or'; readonly parts: readonly Term[] }
  /** A schema that is still being read: only these terms can be cyclic. */
  | { readonly kind: 'ref'; readonly name: string; readonly negated: boolean; readonly resolve: () => Term }
  /** A schema that cannot be read (it is external, or refers to itself without end): only its name is known. */
  | { readonly kind: 'opaque'; readonly name: string; readonly reason: string; readonly negated: boolean }
  /** One of (or none of) these null, booleans, numbers and texts, by canonical text. */
  | { readonly kind: 'values'; readonly negated: boolean; readonly values: ReadonlyMap<string, unknown> }
  | {
      readonly kind: 'bound'
      readonly side: 'min' | 'max'
      readonly limit: Rational
      readonly strict: boolean
    }
  | { readonly kind: 'multiple'; readonly of: Rational; readonly negated: boolean }
  /** The number of code points of a text. */
  | { readonly kind: 'length'; readonly min: number; readonly max: number }
  | { readonly kind: 'pattern'; readonly source: string; readonly negated: boolean }
  /** The number of items of an array. */
  | { readonly kind: 'size'; readonly min: number; readonly max: number }
  /** The number of items at the indexes from `from` up to but excluding `to` that satisfy the term. */
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
  /** The number of properties of an object. */
  | { readonly kind: 'fields'; readonly min: number; readonly max: number }

export type Term = TermBase & TermShape

export type TermOf<Kind extends Term['kind']> = Extract<Term, { kind: Kind }>

/** Returns the only type that a condition is about; undefined for other conditions. */
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

/** Sets of property names: some names, patterns and names that fail a condition, or all names except these. */
export function keySet(parts: {
  complement?: boolean
  names?: Iterable<string>
  patterns?: Iterable<string>
  failing?: Term
}): KeySet {
  const names = [...new Set(parts.names ?? [])].sort()
  const patterns = [...new Set(parts.patterns ?? [])].sort()
  const complement = parts.complement ?? false
  const id = JSON.stringify([complement, names, patterns, parts.failing?.id ?? -1])
  const isSole = !complement && !parts.failing && patterns.length === 0 && names.length === 1
  const sole = isSole ? names[0] : undefined
  return { id, complement, names: new Set(names), patterns, failing: parts.failing, sole }
}

export function isNoKey(keys: KeySet): boolean {
  return !keys.complement && !keys.failing && keys.patterns.length === 0 && keys.names.size === 0
}
