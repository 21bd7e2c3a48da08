/** The keywords about plain values, on one value. */

import { jsonEquals } from '../../json/equality.ts'
import { jsonType, own } from '../../json/json.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { compare, isMultiple, type Rational } from '../rational.ts'
import { codePoints, numberOf } from '../values.ts'
import { type Check, checkCount, type Failure, failure } from './failure.ts'

export function checkValue(check: Check): Failure | undefined {
  const { value, context, schema } = check
  const type = jsonType(value)
  const wanted = own(schema, 'type')
  const names: unknown[] = Array.isArray(wanted) ? wanted : [wanted]
  const number = numberOf(value)
  const fits = (name: unknown) =>
    name === type || (name === 'integer' && number !== undefined && number.denominator === 1n)
  if (wanted !== undefined && !names.some(fits))
    return failure(context, 'type', `must be ${names.join(' or ')}, not ${type}`)
  const list = own(schema, 'enum')
  if (Array.isArray(list) && !list.some(one => jsonEquals(one, value)))
    return failure(context, 'enum', 'must be one of the listed values')
  if (Object.hasOwn(schema, 'const') && isSince(context.node.resource.dialect, 'draft-06'))
    if (!jsonEquals(schema.const, value))
      return failure(context, 'const', 'must be the one value that is allowed')
  if (number) return checkNumber(number, check)
  return typeof value === 'string' ? checkText(value, check) : undefined
}

function checkNumber(value: Rational, { context, schema }: Check): Failure | undefined {
  const order = (keyword: string) => {
    const limit = numberOf(own(schema, keyword))
    return limit && compare(value, limit)
  }
  const minimum = order('minimum')
  if (minimum !== undefined && (minimum < 0 || (minimum === 0 && schema.exclusiveMinimum === true)))
    return failure(context, 'minimum', `must not be below ${String(schema.minimum)}`)
  const maximum = order('maximum')
  if (maximum !== undefined && (maximum > 0 || (maximum === 0 && schema.exclusiveMaximum === true)))
    return failure(context, 'maximum', `must not be above ${String(schema.maximum)}`)
  if ((order('exclusiveMinimum') ?? 1) <= 0)
    return failure(context, 'exclusiveMinimum', `must be above ${String(schema.exclusiveMinimum)}`)
  if ((order('exclusiveMaximum') ?? -1) >= 0)
    return failure(context, 'exclusiveMaximum', `must be below ${String(schema.exclusiveMaximum)}`)
  const step = numberOf(own(schema, 'multipleOf'))
  if (step && !isMultiple(value, step))
    return failure(context, 'multipleOf', `must be a multiple of ${String(schema.multipleOf)}`)
  return undefined
}

function checkText(value: string, check: Check): Failure | undefined {
  const { evaluator, context, schema } = check
  const wrongLength = checkCount(check, codePoints(value), 'Length')
  if (wrongLength) return wrongLength
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string' && !evaluator.matches(pattern, value))
    return failure(context, 'pattern', `must match the pattern ${pattern}`)
  return undefined
}
