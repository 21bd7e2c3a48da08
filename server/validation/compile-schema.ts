/** Compiles a tool's schema with Ajv: the dialect by `$schema`, patterns without backtracking. */
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { dialectOf } from '../../core/json-schema/dialect.ts'
import type { Dialect } from '../../core/json-schema/keywords.ts'
import { isSchema } from '../../core/json-schema/schema.ts'
import { linearRegExp } from './linear-regexp.ts'

const options: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateFormats: true,
  // `hasOwnProperty` in an input is a key like any other, and absent unless it is there.
  ownProperties: true,
  // A tool's schemas carry ids of their own; two tools may carry the same one.
  addUsedSchema: false,
  logger: false,
  code: { regExp: linearRegExp },
}

/** Throws Ajv's error when the schema is not a valid schema of its dialect. Which dialect: core/json-schema/dialect.ts. */
export function compileSchema(schema: unknown): ValidateFunction {
  if (!isSchema(schema)) throw new Error('a schema is an object, true or false')
  const dialect = dialectOf(schema)
  const ajv = createAjv(dialect, { ...options, validateSchema: false })
  if (typeof schema === 'boolean') return ajv.compile(schema)
  // Ajv would refuse a `$schema` that it has no meta-schema for; which dialect it means is already decided.
  const { $schema: _, ...rest } = schema
  metaValidator(dialect).validateSchema(rest, true)
  return ajv.compile(rest)
}

const metaValidators = new Map<Dialect, Ajv>()

/** One instance for each dialect, because every instance compiles its meta-schema anew (20 ms). */
function metaValidator(dialect: Dialect): Ajv {
  const known = metaValidators.get(dialect) ?? createAjv(dialect, options)
  metaValidators.set(dialect, known)
  return known
}

function createAjv(dialect: Dialect, chosen: Options): Ajv {
  const ajv = new (dialect === '2020-12' ? Ajv2020 : dialect === '2019-09' ? Ajv2019 : Ajv)(chosen)
  addFormats.default(ajv)
  return ajv
}
