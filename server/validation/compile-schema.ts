/** Compiles a tool's schema with Ajv: the dialect by `$schema`, patterns without backtracking. */
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { linearRegExp } from './linear-regexp.ts'

const options: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateFormats: true,
  // A tool's schemas carry ids of their own; two tools may carry the same one.
  addUsedSchema: false,
  logger: false,
  code: { regExp: linearRegExp },
}

/** Throws Ajv's error when the schema is not a valid schema of its dialect. Without `$schema` it is 2020-12, as in MCP. */
export function compileSchema(schema: unknown): ValidateFunction {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null))
    throw new Error('a schema is an object, true or false')
  const { ajv, known } = ajvFor(
    typeof schema === 'object' && '$schema' in schema ? schema.$schema : undefined,
  )
  addFormats.default(ajv)
  if (known || typeof schema === 'boolean') return ajv.compile(schema)
  // An unknown dialect is read as 2020-12; Ajv would refuse its name.
  const { $schema: _, ...rest } = schema as Record<string, unknown>
  return ajv.compile(rest)
}

function ajvFor(dialect: unknown): { ajv: Ajv; known: boolean } {
  const name = typeof dialect === 'string' ? dialect.replace(/#$/, '').replace(/^http:/, 'https:') : undefined
  if (
    name === 'https://json-schema.org/draft-07/schema' ||
    name === 'https://json-schema.org/draft-06/schema'
  )
    return { ajv: new Ajv(options), known: name.includes('draft-07') }
  if (name === 'https://json-schema.org/draft/2019-09/schema')
    return { ajv: new Ajv2019(options), known: true }
  const known = name === undefined || name === 'https://json-schema.org/draft/2020-12/schema'
  return { ajv: new Ajv2020(options), known }
}
