/** Human flags from a command's input schema: booleans are switches, `timeoutMs` is `--timeout-ms <number>`. */
import { Command as Program } from 'commander'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { TypedText } from './call.ts'
import type { Command } from './command.ts'

interface Field {
  readonly key: string
  readonly type: 'boolean' | 'number' | 'string' | 'any'
  readonly description: string
  readonly defaultOn: boolean
  /** What the flag stands for where it is given without a value; it must have one where this is absent. */
  readonly bare: string | undefined
}

/** A commander program for one command; `act` gets the positionals and the flags as an unparsed input. */
export function toProgram(
  command: Command,
  act: (input: Record<string, unknown>, json: string | true | undefined) => Promise<void>,
  takesJson: boolean,
): Program {
  const program = new Program(command.name).description(command.description)
  const schemas = fieldSchemas(command)
  const fields = fieldsOf(command, schemas)
  for (const key of command.positionals) {
    const { type, description = '' } = schemas[key] ?? {}
    const isList = key === command.positionals.at(-1) && type === 'array'
    // Not demanded here: `--json` may bring them; the schema does the demanding.
    program.argument(isList ? `[${key}...]` : `[${key}]`, description)
  }
  for (const { key, type, description, defaultOn, bare } of fields) {
    const flag = key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
    const letter = command.short?.[key]
    const short = letter === undefined ? '' : `-${letter}, `
    if (type === 'boolean')
      program.option(
        defaultOn ? `--no-${flag}` : `--${flag}`,
        defaultOn ? `Do not: ${description}` : description,
      )
    else if (bare !== undefined) program.option(`${short}--${flag} [${type}]`, description)
    else program.option(`${short}--${flag} <${type === 'any' ? 'json' : type}>`, description)
  }
  if (takesJson)
    program.option('--json [input]', 'One JSON document out; with a JSON value, that is the input')
  return program.action(async (...args: unknown[]) => {
    const options = program.opts<Record<string, unknown>>()
    const { json, ...flags } = options
    const input: Record<string, unknown> = {}
    for (const [position, key] of command.positionals.entries())
      if (args[position] !== undefined && !isEmptyList(args[position])) input[key] = args[position]
    for (const { key, type, bare } of fields)
      if (flags[key] !== undefined)
        input[key] = flags[key] === true && bare ? bare : convert(flags[key], type)
    await act(input, json as string | true | undefined)
  })
}

function fieldsOf(command: Command, schemas: FieldSchemas): Field[] {
  return Object.entries(schemas)
    .filter(([key]) => !command.positionals.includes(key))
    .map(([key, schema]) => {
      const type =
        schema.type === 'boolean'
          ? 'boolean'
          : schema.type === 'integer' || schema.type === 'number'
            ? 'number'
            : schema.type === 'string'
              ? 'string'
              : 'any'
      const bare = command.bareFlags?.[key]
      return { key, type, description: schema.description ?? '', defaultOn: schema.default === true, bare }
    })
}

type FieldSchemas = Record<string, z.core.JSONSchema.BaseSchema>

/** The JSON Schema of each field, in the order of the definition. */
function fieldSchemas(command: Command): FieldSchemas {
  const { properties = {} } = z.toJSONSchema(command.input)
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, typeof schema === 'object' ? schema : {}]),
  )
}

function convert(value: unknown, type: Field['type']): unknown {
  if (type === 'any' && typeof value === 'string') return new TypedText(value)
  if (type !== 'number') return value
  const number = Number(value)
  if (value === '' || Number.isNaN(number)) throw new AppError('usage', `"${value}" is not a number`)
  return number
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
