/** Two validators that are independent of the engine, to check its witnesses and to attack its proofs. */

import { type Schema, Validator } from '@cfworker/json-schema'
import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import AjvDraft4 from 'ajv-draft-04'
import { isLosslessNumber } from 'lossless-json'
import { metaSchemas } from '../../core/compat/meta-schemas.ts'
import { detectDialect } from '../../core/schema/dialect.ts'
import type { Dialect } from '../../core/schema/keywords.ts'

const scalars: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  0.5,
  1e6,
  '',
  'a',
  'x',
  '\n',
  'ab',
  '0',
  '\u0003',
]
const maximumTries = 3_000

/** @param isRefuting asks the validators. @returns the first value that refutes. */
export function falsify(schemas: readonly unknown[], isRefuting: (value: unknown) => boolean): unknown {
  const names = new Set<string>(['x', 'extra', '\u0003'])
  const values: unknown[] = [...scalars]
  for (const schema of schemas) collect(schema, names, values)
  let tries = 0
  for (const candidate of candidates([...names].slice(0, 12), values.slice(0, 60))) {
    tries += 1
    if (tries > maximumTries) return undefined
    if (isRefuting(candidate)) return candidate
  }
  return undefined
}

/** Collects constants, limits with their neighbours, texts of such lengths, and all property names. */
export function collect(schema: unknown, names: Set<string>, values: unknown[]): void {
  if (Array.isArray(schema)) for (const item of schema) collect(item, names, values)
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return
  for (const [key, value] of Object.entries(schema)) {
    if (key === 'const') values.push(value)
    if (key === 'enum' && Array.isArray(value)) values.push(...value)
    if (key === 'required' && Array.isArray(value)) for (const name of value) names.add(String(name))
    if (key === 'properties' && typeof value === 'object' && value)
      for (const name of Object.keys(value)) names.add(name)
    if (typeof value === 'number')
      values.push(value, value - 1, value + 1, 'a'.repeat(Math.min(50, Math.max(0, value))))
    collect(value, names, values)
  }
}

function* candidates(names: readonly string[], values: readonly unknown[]): Generator<unknown> {
  yield* values
  yield []
  yield {}
  for (const value of values) yield [value]
  for (const name of names) for (const value of values) yield { [name]: value }
  for (const value of values) {
    yield [value, value]
    yield Object.fromEntries(names.map(name => [name, value]))
  }
  for (const first of values) for (const second of values) yield [first, second]
  for (const [index, first] of names.entries())
    for (const second of names.slice(index + 1))
      for (const value of values) for (const other of values) yield { [first]: value, [second]: other }
}

/** True or false; undefined if the validator cannot decide (it throws, or does not know the draft). */
export type Judgement = boolean | undefined
export type Judge = (value: unknown) => Judgement

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
export function ajvJudge(schema: unknown): Judge {
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
  const kept = known && known.compiled < maxCompiled ? known : { ajv: makeAjv[dialect](), compiled: 0 }
  kept.compiled += 1
  shared.set(dialect, kept)
  return kept.ajv
}

const drafts = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const

export function cfworkerJudge(schema: unknown): Judge {
  return onceMade(() => {
    requireSameReading(schema)
    const own = withoutFormat(forOthers(schema))
    const text = JSON.stringify(own)
    if (text.includes('"$dynamicRef"')) throw new Error('this validator ignores $dynamicRef')
    const validator = new Validator(own as Schema, drafts[detectDialect(schema)])
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
 * Makes a judge on first use, and stops asking it once it threw: a schema that endlessly refers to itself fills the
 * stack at every value.
 */
export function onceMade(make: () => Judge): Judge {
  let judge: Judge | undefined
  let isBroken = false
  return value => {
    if (isBroken) return undefined
    try {
      judge ??= make()
      return judge(value)
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
