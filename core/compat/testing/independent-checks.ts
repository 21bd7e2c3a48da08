/** Two validators that are independent of the engine, and values to try. For tests and bench/. */

import { type Schema, Validator } from '@cfworker/json-schema'
import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import AjvDraft4 from 'ajv-draft-04'
import { isLosslessNumber } from 'lossless-json'
import { detectDialect, secondDrafts } from '../../schema/dialect.ts'
import type { Dialect } from '../../schema/keywords.ts'
import { metaSchemas } from '../meta-schemas.ts'

/** Collects constants, limits with their neighbours, texts of such lengths, and all property names. */
export function collectValues(schema: unknown, names: Set<string>, values: unknown[]): void {
  if (Array.isArray(schema)) for (const item of schema) collectValues(item, names, values)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'const') values.push(value)
    if (key === 'enum' && Array.isArray(value)) values.push(...value)
    if (key === 'required' && Array.isArray(value)) for (const name of value) names.add(String(name))
    if (key === 'properties' && typeof value === 'object' && value)
      for (const name of Object.keys(value)) names.add(name)
    if (typeof value === 'number')
      values.push(value, value - 1, value + 1, 'a'.repeat(Math.min(50, Math.max(0, value))))
    collectValues(value, names, values)
  }
}

/** True or false; undefined if the validator cannot decide (it throws, or does not know the draft). */
export type Decision = boolean | undefined
export type ValueCheck = (value: unknown) => Decision

const options: Options = {
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
  code: { optimize: false },
}

const makeAjv: Readonly<Record<Dialect, () => Ajv | Ajv2019 | Ajv2020>> = {
  // According to its types the class is the default of the package's default; at run time it is the default.
  'draft-04': () => new (AjvDraft4 as unknown as typeof Ajv)(options),
  'draft-06': () => new Ajv(options),
  'draft-07': () => new Ajv(options),
  '2019-09': () => new Ajv2019(options),
  '2020-12': () => new Ajv2020(options),
}
const shared = new Map<Dialect, { readonly ajv: Ajv | Ajv2019 | Ajv2020; compiled: number }>()
/** An instance keeps some memory for each schema that it compiled. */
const maxCompiled = 300

/** Judges with Ajv. The schema is compiled on first use. */
export function createAjvCheck(schema: unknown): ValueCheck {
  return onceMade(() => {
    const dialect = detectDialect(schema)
    requireSameReading(schema)
    const own = forOthers(schema)
    // An instance keeps the `$id`s of its schemas, so a schema with one gets its own instance.
    const ajv = hasAddress(own) ? makeAjv[dialect]() : sharedAjv(dialect)
    const validate = ajv.compile(own as object)
    if (typeof own === 'object') ajv.removeSchema(own as object)
    return value => validate(plain(value)) === true
  })
}

function sharedAjv(dialect: Dialect): Ajv | Ajv2019 | Ajv2020 {
  const known = shared.get(dialect)
  const entry = known && known.compiled < maxCompiled ? known : { ajv: makeAjv[dialect](), compiled: 0 }
  entry.compiled += 1
  shared.set(dialect, entry)
  return entry.ajv
}

export function createCfworkerCheck(schema: unknown): ValueCheck {
  return onceMade(() => {
    requireSameReading(schema)
    const own = withoutFormat(forOthers(schema))
    const text = JSON.stringify(own)
    if (text.includes('"$dynamicRef"')) throw new Error('this validator ignores $dynamicRef')
    const validator = new Validator(own as Schema, secondDrafts[detectDialect(schema)])
    if (/ref":"https?:\/\/json-schema\.org\//i.test(text))
      for (const other of metaSchemas().values()) validator.addSchema(withoutFormat(other) as Schema)
    return value => validator.validate(plain(value)).valid
  })
}

/**
 * In every draft, both validators count the items that `contains` matched as evaluated. That is a rule of 2020-12; in
 * 2019-09 `unevaluatedItems` depends on `items` and `additionalItems` (JSON Schema Core 2019-09 §9.3.1.3).
 * @throws Error if a schema of 2019-09 has both keywords
 */
function requireSameReading(schema: unknown): void {
  const text = JSON.stringify(schema)
  if (
    detectDialect(schema) === '2019-09' &&
    text.includes('"contains":') &&
    text.includes('"unevaluatedItems":')
  )
    throw new Error('this validator reads contains of 2019-09 as 2020-12 does')
}

/**
 * Makes a check on first use, and stops asking it once it threw: a schema that endlessly refers to itself fills the
 * stack at every value.
 */
function onceMade(make: () => ValueCheck): ValueCheck {
  let check: ValueCheck | undefined
  let isBroken = false
  return value => {
    if (isBroken) return undefined
    try {
      check ??= make()
      return check(value)
    } catch {
      isBroken = true
      return undefined
    }
  }
}

/** This validator asserts `format`, which is an annotation here. A `format` with a text value is always the keyword. */
function withoutFormat(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutFormat)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(
    ([key, inner]) => key !== 'format' || typeof inner !== 'string',
  )
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, key === 'const' || key === 'enum' ? inner : withoutFormat(inner)]),
  )
}

/** These validators compute with doubles and ignore properties named `__proto__`. */
function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return renamed(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [renamed(key), plain(inner)]))
}

const renamed = (text: string) => (text === '__proto__' ? '__prot0__' : text)

/**
 * For both validators, which do not follow dynamic references as JSON Schema Core §8.2.3.2 requires. In a document
 * without `$id` a dynamic reference equals a plain one.
 */
function forOthers(schema: unknown): unknown {
  const own = plain(schema)
  return hasAddress(own) ? own : withoutDynamic(own)
}

const plainNames = new Map([
  ['$dynamicRef', '$ref'],
  ['$recursiveRef', '$ref'],
  ['$dynamicAnchor', '$anchor'],
])

function withoutDynamic(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDynamic)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = plainNames.get(key)
    const isPlain = name !== undefined && typeof inner === 'string' && !(name in value)
    return [isPlain ? name : key, withoutDynamic(inner)] as const
  })
  return Object.fromEntries(entries)
}

const hasAddress = (schema: unknown) => /"\$?id":/.test(JSON.stringify(schema))
