/** Two validators that know nothing of the engine, to check its witnesses. */
import { type Schema, Validator } from '@cfworker/json-schema'
import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { isLosslessNumber } from 'lossless-json'
import { metaSchemas } from '../../core/compat/parse/meta-schemas.ts'
import { dialectOf } from '../../core/json-schema/dialect.ts'

/** True or false; undefined where the validator cannot say (it throws, or has no such draft). */
export type Judgement = boolean | undefined

const options = { strict: false, validateFormats: false, logger: false } as const

export function ajvSays(schema: unknown, value: unknown): Judgement {
  const dialect = dialectOf(schema)
  try {
    const Kind = dialect === '2020-12' ? Ajv2020 : dialect === '2019-09' ? Ajv2019 : Ajv
    return new Kind(options).compile(plain(schema) as object)(plain(value)) === true
  } catch {
    return undefined
  }
}

const drafts = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const

export function cfworkerSays(schema: unknown, value: unknown): Judgement {
  try {
    const dialect = dialectOf(schema)
    const validator = new Validator(withoutFormat(plain(schema)) as Schema, drafts[dialect])
    for (const other of metaSchemas().values()) validator.addSchema(withoutFormat(other) as Schema)
    return validator.validate(plain(value)).valid
  } catch {
    return undefined
  }
}

/** This validator asserts `format`, which is an annotation here. Texts named format stand only where the keyword does. */
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

/** These validators compute with doubles. */
function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]))
}
