/** Compiles a tool's schema with Ajv: the dialect by `$schema`, patterns without backtracking. */
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type Dialect, dialectOf } from '../../core/json-schema/dialect.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
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
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))
    throw new Error('a schema is an object, true or false')
  const ajv = ajvFor(dialectOf(schema as JsonSchema))
  addFormats.default(ajv)
  if (typeof schema === 'boolean') return ajv.compile(schema)
  // Ajv would refuse a `$schema` that it has no meta-schema for; which dialect it means is already decided.
  const { $schema: _, ...rest } = schema as Record<string, unknown>
  return ajv.compile(rest)
}

function ajvFor(dialect: Dialect): Ajv {
  if (dialect === '2020-12') return new Ajv2020(options)
  return dialect === '2019-09' ? new Ajv2019(options) : new Ajv(options)
}
