/** Values that may break one constraint of a schema. The generator validates each of them before it is used. */
import {
  add,
  divide,
  fromRational,
  type Rational,
  rational,
  readCount,
  readRational,
} from '../compat/numbers.ts'
import { isJsonNumber, isObject, type Json, jsonType, own } from '../json/json.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { findText } from '../validation/safe-pattern.ts'
import { formatSamples, sampleFormat } from '../validation/sample-format.ts'
import type { SiteConstraint } from './constraints.ts'
import type { InputChecks } from './input-checks.ts'
import { withoutMember } from './shrink-input.ts'

/** Maximum characters, items or members of a generated part. */
export const maxSize = 100_000
const maxItems = 2_000

/** A value for the location of the schema. */
export interface BreakingValue {
  readonly value: Json
  /** The member of the value that a good error names; without it, the value itself. */
  readonly member?: string | number
  /** It breaks the constraint in a second way, which does not replace the first one. */
  readonly isSecond?: true
}

/**
 * Yields values that may break the constraint, the best first.
 *
 * @param base the valid value at this location
 */
export function* breakingValues(
  constraint: SiteConstraint,
  base: Json,
  checks: InputChecks,
): Generator<BreakingValue> {
  const { schema, keyword, value } = constraint
  switch (keyword) {
    case 'type':
      // A server that only asks for a number accepts a fraction.
      if (isOnlyInteger(schema)) yield { value: 1.5, isSecond: true }
      yield* plain(base, wrongTypes(schema))
      return
    case 'enum':
    case 'const':
      yield* plain(base, unlisted([value].flat() as Json[], base))
      return
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'multipleOf':
      yield* plain(base, wrongNumbers(keyword, schema, base))
      return
    case 'minLength':
    case 'maxLength':
    case 'pattern':
    case 'format':
      yield* plain(base, wrongTexts(keyword, schema, base))
      return
    case 'anyOf':
    case 'oneOf':
      if (keyword === 'oneOf') yield* overlaps(schema, checks)
      yield* plain(base, wrongTypes({ type: jsonType(base) }), variedTexts, [{}, []])
      if (isObject(base)) {
        yield* Object.keys(base).map(name => ({ value: withoutMember(base, name) }))
        yield { value: { ...base, unexpected: true } }
      }
      return
    case 'not':
      yield* plain(base, excluded(schema, checks))
      return
    default:
      if (Array.isArray(base)) yield* wrongLists(constraint, base, checks)
      else if (isObject(base)) yield* wrongObjects(constraint, base, checks)
  }
}

/** Branches of `oneOf` of which each pair is tried. */
const maxBranches = 4

/** Yields values that match two branches. */
function* overlaps({ oneOf }: SchemaObject, checks: InputChecks): Generator<BreakingValue> {
  const branches = (Array.isArray(oneOf) ? oneOf : []).filter(isSchema).slice(0, maxBranches)
  for (const [index, left] of branches.entries())
    for (const right of branches.slice(index + 1)) {
      const value = checks.sample({ allOf: [left, right] })
      if (checks.isValid(value, left) && checks.isValid(value, right)) {
        yield { value, isSecond: true }
        return
      }
    }
}

function* plain(base: Json, ...lists: readonly Iterable<Json>[]): Generator<BreakingValue> {
  for (const list of lists) for (const value of list) if (value !== base) yield { value }
}

const byType: Readonly<Record<string, readonly Json[]>> = {
  string: ['text'],
  number: [12345, 0.5],
  boolean: [true],
  null: [null],
  array: [[]],
  object: [{}],
}

function isOnlyInteger(schema: SchemaObject): boolean {
  const wanted = [own(schema, 'type')].flat()
  return wanted.includes('integer') && !wanted.includes('number')
}

/** Values of other types, which no reading as the wanted type accepts come first. */
function wrongTypes(schema: SchemaObject): Json[] {
  const wanted = [own(schema, 'type')].flat()
  const allowed = (type: string) => wanted.includes(type)
  const types = allowed('string') ? ['number', 'object', 'boolean', 'array', 'null'] : Object.keys(byType)
  const values = types.flatMap(type =>
    allowed(type) || (type === 'number' && allowed('integer')) ? [] : (byType[type] ?? []),
  )
  return isOnlyInteger(schema) ? [...values, 1.5] : values
}

const variedTexts = ['text', '', ' ', '~', '0', 'A', '日本', '!@#', '-1', 'a b', '_', '\u0000']

function* unlisted(listed: readonly Json[], base: Json): Generator<Json> {
  const [first] = listed
  for (const sample of [base, first])
    if (typeof sample === 'string') yield* [`${sample}-other`, `${sample}x`, 'other']
    else if (isJsonNumber(sample)) {
      const numbers = listed.flatMap(each => readRational(each) ?? [])
      yield* numbers.flatMap(number => [
        fromRational(add(number, one)),
        fromRational(add(number, rational(-1n))),
      ])
      yield 987654321
    } else if (typeof sample === 'boolean') yield !sample
  yield* ['other', 987654321, false, true, null, [], {}, ['other'], { unexpected: true }]
}

const one = rational(1n)
const two = rational(2n)

function* wrongNumbers(keyword: string, schema: SchemaObject, base: Json): Generator<Json> {
  const limit = readRational(own(schema, keyword))
  if (limit === undefined) return
  const step = readRational(own(schema, 'multipleOf')) ?? one
  const current = readRational(base) ?? rational(0n)
  const negative = ({ numerator, denominator }: Rational) => rational(-numerator, denominator)
  const half = divide(step, two)
  if (keyword === 'multipleOf') {
    for (const distance of [one, negative(one), half, negative(half)])
      yield fromRational(add(current, distance))
    return
  }
  const isLow = keyword.endsWith('inimum')
  const away = (distance: Rational) => fromRational(add(limit, isLow ? negative(distance) : distance))
  yield away(rational(0n))
  const whole = isLow ? limit.numerator / limit.denominator : limit.numerator / limit.denominator + 1n
  for (const distance of [step, one, half, rational(1n, 1000n)]) yield away(distance)
  yield fromRational(rational(whole - (isLow ? 1n : 0n)))
  // A limit that is not a multiple of the step: the next multiple beyond it.
  const steps = divide(limit, step)
  const count = steps.numerator / steps.denominator
  for (const offset of isLow ? [0n, -1n, -2n] : [0n, 1n, 2n])
    yield fromRational(rational((count + offset) * step.numerator, step.denominator))
}

function* wrongTexts(keyword: string, schema: SchemaObject, base: Json): Generator<Json> {
  const text = typeof base === 'string' ? base : 'text'
  const characters = [...text]
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : undefined
  const min = readCount(schema.minLength) ?? 0
  const max = readCount(schema.maxLength) ?? Number.POSITIVE_INFINITY
  switch (keyword) {
    case 'minLength':
      if (pattern !== undefined) yield* optional(findText(pattern, { max: min - 1 }))
      if (min <= maxSize) {
        yield resize(characters, min - 1)
        yield 'a'.repeat(min - 1)
      }
      yield ''
      return
    case 'maxLength':
      if (max > maxSize) return
      if (pattern !== undefined) yield* optional(findText(pattern, { min: max + 1 }))
      yield resize(characters, max + 1)
      yield 'a'.repeat(max + 1)
      for (const filler of ['1', 'A', '-', ' '])
        yield text + filler.repeat(Math.max(1, max + 1 - characters.length))
      return
    case 'pattern': {
      const { format } = schema
      if (typeof format === 'string') yield* optional(sampleFormat(format))
      const fillers = variedTexts.map(each =>
        resize([...each], Math.max(min, Math.min([...each].length, max))),
      )
      yield* fillers
      yield* [`${text} `, `${text}!`, ` ${text}`, `${text}\n`, text.toUpperCase(), text.toLowerCase()]
      yield* formatSamples
      if (pattern !== undefined) yield* optional(findText(pattern, { isMatch: false, min, max }))
      return
    }
    default:
      yield `not a ${String(schema.format)}`
      yield* variedTexts.map(each => resize([...each], Math.max(min, [...each].length)))
      yield* [
        `${text} `,
        `${text}!`,
        characters.slice(0, -1).join(''),
        `${text}${text}`,
        text.replaceAll(/\d/g, '9'),
      ]
      if (pattern !== undefined) yield* optional(findText(pattern, { min, max }))
      yield* [1.5, 2 ** 40, -1]
  }
}

function optional(text: string | undefined): string[] {
  return text === undefined ? [] : [text]
}

/** Cuts or repeats characters to a length. */
export function resize(characters: readonly string[], length: number): string {
  const filler = characters.length === 0 ? ['a'] : characters
  return Array.from({ length: Math.max(0, length) }, (_, index) => filler[index % filler.length]).join('')
}

function* excluded(schema: SchemaObject, checks: InputChecks): Generator<Json> {
  const { not, ...others } = schema
  if (!isSchema(not)) return
  yield checks.sample({ allOf: [others, not] } as JsonSchema)
  yield checks.sample(not)
  if (isObject(not)) yield* [own(not, 'const'), ...[own(not, 'enum') ?? []].flat()] as Json[]
  yield* ['', 0, null, false, [], {}, 'text']
}

/* Lists. */

function* wrongLists(
  { keyword, value, schema }: SiteConstraint,
  base: readonly Json[],
  checks: InputChecks,
): Generator<BreakingValue> {
  const count = readCount(value) ?? 0
  switch (keyword) {
    case 'minItems':
      yield { value: base.slice(0, Math.max(0, count - 1)) }
      return
    case 'maxItems':
      if (count < maxItems) yield* extendList(base, count + 1, schema, checks)
      return
    case 'uniqueItems': {
      const items = base.length > 0 ? base : [sampleItem(schema, 0, checks)]
      yield { value: [...items, items[0] as Json] }
      yield { value: [...items.slice(0, -1), items[0] as Json] }
      return
    }
    case 'contains':
      yield { value: [] }
      for (const other of [...base, ...(variedTexts as Json[]), 0, {}, null]) {
        yield { value: base.map(() => other) }
        yield { value: [other] }
      }
      return
    case 'maxContains': {
      const item = isSchema(schema.contains) ? checks.sample(schema.contains) : null
      yield { value: [...base, ...Array.from({ length: Math.min(count + 1, maxItems) }, () => item)] }
      return
    }
    default:
      for (const item of ['text', 1, true, {}, null]) yield { value: [...base, item], member: base.length }
      yield* extendList(base, base.length + 5, schema, checks)
  }
}

function* extendList(
  base: readonly Json[],
  length: number,
  schema: SchemaObject,
  checks: InputChecks,
): Generator<BreakingValue> {
  const items = [...base]
  while (items.length < length)
    items.push(base[items.length % Math.max(1, base.length)] ?? sampleItem(schema, 0, checks))
  yield { value: items.slice(0, length) }
  yield { value: buildDistinctItems(base, length, schema, checks) }
}

/** Returns a list of the given length whose items differ, as far as the schema of the items allows it. */
export function buildDistinctItems(
  base: readonly Json[],
  length: number,
  schema: SchemaObject,
  checks: InputChecks,
): Json[] {
  const items = base.slice(0, length)
  const { items: itemSchema } = schema
  const listed = isObject(itemSchema) && Array.isArray(itemSchema.enum) ? (itemSchema.enum as Json[]) : []
  for (const each of listed) if (items.length < length && !items.includes(each)) items.push(each)
  const first = items[0] ?? (length > 0 ? sampleItem(schema, 0, checks) : null)
  for (let index = items.length; index < length; index++) {
    const isListed = Array.isArray(schema.prefixItems ?? itemSchema)
    const item =
      isListed || (schema.uniqueItems === true && isObject(first)) ? sampleItem(schema, index, checks) : first
    if (typeof item === 'string') items.push(`${item}${index || ''}`)
    else if (typeof item === 'number') items.push(item + index)
    else items.push(item)
  }
  return items
}

function sampleItem(schema: SchemaObject, index: number, checks: InputChecks): Json {
  const { items, prefixItems } = schema
  const prefix = [prefixItems, items].find(Array.isArray)?.[index]
  const part = prefix ?? (Array.isArray(items) ? schema.additionalItems : items)
  return isSchema(part) && part !== false ? checks.sample(part) : 'text'
}

/* Objects. */

/** Names for properties that a schema does not declare. */
const newNames = ['unexpected', 'unexpectedProperty', 'x-unexpected', 'Unexpected Name!', '0', '日本', '']

function* wrongObjects(
  { keyword, value, schema, because }: SiteConstraint,
  base: { readonly [key: string]: Json },
  checks: InputChecks,
): Generator<BreakingValue> {
  const names = Object.keys(base)
  const count = readCount(value) ?? 0
  switch (keyword) {
    case 'required':
      yield { value: withoutMember(base, String(value)), member: String(value) }
      return
    case 'dependentRequired':
    case 'dependencies': {
      const cause =
        because === undefined || Object.hasOwn(base, because) ? {} : { [because]: sampleMember(because) }
      yield { value: withoutMember({ ...base, ...cause }, String(value)), member: String(value) }
      return
    }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      for (const name of newNames)
        for (const member of ['text', 1])
          if (!names.includes(name)) yield { value: { ...base, [name]: member }, member: name }
      return
    case 'properties':
      yield { value: { ...base, [String(value)]: 'text' }, member: String(value) }
      return
    case 'propertyNames':
      for (const name of [...newNames, ...variedTexts, 'a'.repeat(300)])
        if (!names.includes(name)) yield { value: { ...base, [name]: sampleMember(name) }, member: name }
      return
    case 'minProperties': {
      const required = Array.isArray(schema.required) ? schema.required : []
      const order = names.toSorted(
        (left, right) => Number(required.includes(right)) - Number(required.includes(left)),
      )
      yield { value: Object.fromEntries(order.slice(0, count - 1).map(name => [name, base[name] as Json])) }
      return
    }
    case 'maxProperties': {
      const declared = isObject(schema.properties) ? Object.keys(schema.properties) : []
      const added = [
        ...declared,
        ...Array.from({ length: Math.min(count + 1, maxItems) }, (_, index) => `key${index}`),
      ]
      const wanted = [...new Set([...names, ...added])].slice(0, count + 1)
      yield { value: Object.fromEntries(wanted.map(name => [name, base[name] ?? sampleMember(name)])) }
    }
  }

  function sampleMember(name: string): Json {
    const properties = own(schema, 'properties')
    const declared = isObject(properties) ? own(properties, name) : undefined
    const [pattern] = isObject(schema.patternProperties) ? Object.values(schema.patternProperties) : []
    const part = declared ?? schema.additionalProperties ?? pattern
    return isSchema(part) && part !== false ? checks.sample(part) : 'text'
  }
}
