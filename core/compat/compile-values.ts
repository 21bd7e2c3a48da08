/** Compiles the keywords about plain values: type, enum, const, and those about numbers and texts. */

import { isObject, own, type UnknownObject } from '../json/json.ts'
import { type Dialect, isSince } from '../schema/keywords.ts'
import { keySet } from './key-set.ts'
import { isMultiple, rational } from './rational.ts'
import { readCount, readRational } from './read-values.ts'
import { type Term, typeBits } from './term.ts'
import type { Terms } from './terms.ts'

const one = rational(1n)

export function valueTerms(terms: Terms, schema: UnknownObject, dialect: Dialect): Term[] {
  return [
    ...typeTerms(terms, schema),
    ...constantTerms(terms, schema, dialect),
    ...numberTerms(terms, schema),
    ...textTerms(terms, schema),
  ]
}

function typeTerms(terms: Terms, schema: UnknownObject): Term[] {
  const type = own(schema, 'type')
  if (type === undefined) return []
  const names: unknown[] = Array.isArray(type) ? type : [type]
  return [
    terms.or(
      names.map(name => {
        if (name === 'integer') return terms.and([terms.type(typeBits.number), terms.multiple(one)])
        return terms.type(typeBits[name as keyof typeof typeBits] ?? 0)
      }),
    ),
  ]
}

function constantTerms(terms: Terms, schema: UnknownObject, dialect: Dialect): Term[] {
  const result: Term[] = []
  const list = own(schema, 'enum')
  if (Array.isArray(list)) result.push(constants(terms, list))
  if (Object.hasOwn(schema, 'const') && isSince(dialect, 'draft-06'))
    result.push(constant(terms, schema.const))
  return result
}

function constants(terms: Terms, values: readonly unknown[]): Term {
  const scalars = values.filter(value => !Array.isArray(value) && !isObject(value))
  const others = values.filter(value => Array.isArray(value) || isObject(value))
  return terms.or([terms.values(scalars), ...others.map(value => constant(terms, value))])
}

/** Returns the term for exactly this value. Arrays and objects are split into parts, so that they can be negated. */
export function constant(terms: Terms, value: unknown): Term {
  if (Array.isArray(value))
    return terms.and([
      terms.type(typeBits.array),
      terms.size(value.length, value.length),
      ...value.map((item, index) => terms.items(index, index + 1, constant(terms, item))),
    ])
  if (isObject(value)) {
    const keys = Object.keys(value)
    return terms.and([
      terms.type(typeBits.object),
      terms.fields(0, keys.length),
      ...keys.map(key => terms.some(keySet({ names: [key] }), constant(terms, value[key]))),
    ])
  }
  return terms.values([value])
}

function numberTerms(terms: Terms, schema: UnknownObject): Term[] {
  const result: Term[] = []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = {
    minimum: readRational(own(schema, 'minimum')),
    maximum: readRational(own(schema, 'maximum')),
    exclusiveMinimum: own(schema, 'exclusiveMinimum'),
    exclusiveMaximum: own(schema, 'exclusiveMaximum'),
    multipleOf: readRational(own(schema, 'multipleOf')),
  }
  if (minimum) result.push(terms.bound('min', minimum, exclusiveMinimum === true))
  if (maximum) result.push(terms.bound('max', maximum, exclusiveMaximum === true))
  const above = readRational(exclusiveMinimum)
  const below = readRational(exclusiveMaximum)
  if (above) result.push(terms.bound('min', above, true))
  if (below) result.push(terms.bound('max', below, true))
  if (multipleOf) {
    const isWhole = isMultiple(multipleOf, one)
    if (isWhole) result.push(terms.multiple(one))
    result.push(terms.multiple(multipleOf))
  }
  return result
}

function textTerms(terms: Terms, schema: UnknownObject): Term[] {
  const min = readCount(own(schema, 'minLength')) ?? 0
  const max = readCount(own(schema, 'maxLength')) ?? Number.POSITIVE_INFINITY
  const pattern = own(schema, 'pattern')
  return [
    terms.length(min, Number.POSITIVE_INFINITY),
    terms.length(0, max),
    ...(typeof pattern === 'string' ? [terms.pattern(pattern)] : []),
  ]
}
