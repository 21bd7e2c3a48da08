/** Ajv, a validator that shares no code with ours: what it says of a value, for tests and benchmarks. */
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { detectDialect } from '../schema/dialect.ts'
import { isSchema } from '../schema/schema.ts'

const options: Options = {
  strict: false,
  // The corpus check reads which keyword of which schema refused a value.
  allErrors: true,
  verbose: true,
  validateFormats: true,
  ownProperties: true,
  addUsedSchema: false,
  logger: false,
}

/** Throws Ajv's error when the schema is not a valid schema of its dialect. */
export function compileSchema(schema: unknown): ValidateFunction {
  if (!isSchema(schema)) throw new Error('a schema is an object, true or false')
  const dialect = detectDialect(schema)
  const ajv = new (dialect === '2020-12' ? Ajv2020 : dialect === '2019-09' ? Ajv2019 : Ajv)(options)
  addFormats.default(ajv)
  if (typeof schema === 'boolean') return ajv.compile(schema)
  // Ajv would refuse a `$schema` that it has no meta-schema for; which dialect it means is already decided.
  const { $schema: _, ...rest } = schema
  ajv.validateSchema(rest, true)
  return ajv.compile(rest)
}
