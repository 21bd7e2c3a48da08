/**
 * Derives flags from a command's input schema: booleans are switches, `maxCalls` is `--max-calls <number>`, a list is
 * a repeatable flag.
 */
import { Command as Program } from 'commander'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import type { Command } from './command.ts'
import { TypedText } from './typed-text.ts'

interface FlagField {
  readonly key: string
  readonly type: 'boolean' | 'number' | 'string' | 'array' | 'any'
  readonly description: string
  readonly defaultOn: boolean
  /** The value of the flag if it is given without one; if absent, the flag needs a value. */
  readonly bare: string | undefined
}

/** Creates a commander program for one command; `act` receives the positionals and the flags as an unparsed input. */
export function toProgram(
  command: Command,
  act: (input: Record<string, unknown>, json: string | true | undefined) => Promise<void>,
  takesJson: boolean,
): Program {
  const program = new Program(command.name).description(command.description)
  const { shape } = command.input
  const fields = listFields(command)
  for (const key of command.positionals) {
    const { type, description } = readField(shape[key])
    const isList = key === command.positionals.at(-1) && type === 'array'
    // Optional for commander, because `--json` may contain it; the schema checks whether it is required.
    program.argument(isList ? `[${key}...]` : `[${key}]`, description)
  }
  for (const { key, type, description, defaultOn, bare } of fields) {
    const flag = longFlag(key)
    const spelled = optionName(command, key)
    if (type === 'boolean')
      program.option(
        defaultOn ? `--no-${flag}` : `--${flag}`,
        defaultOn ? `Don't ${description.charAt(0).toLowerCase()}${description.slice(1)}` : description,
      )
    else if (type === 'array')
      program.option(`${spelled} <string>`, description, (text: string, before: string[] = []) => [
        ...before,
        text,
      ])
    else if (bare !== undefined) program.option(`${spelled} [${type}]`, description)
    else program.option(`${spelled} <${type === 'any' ? 'json' : type}>`, description)
  }
  if (takesJson)
    program.option(
      '--json [input]',
      `Print one JSON document. A value (JSON, @file, or - for stdin) is ${command.takesToolFlags === true ? 'the input of the tool' : 'the whole input'}`,
    )
  if (command.takesToolFlags === true) program.usage(`[options] <tool> [sources...] [--flags of the tool]`)
  return program.addHelpText('after', formatHelpNotes(command)).action(async (...args: unknown[]) => {
    const options = program.opts<Record<string, unknown>>()
    const { json, ...flags } = options
    const input: Record<string, unknown> = {}
    for (const [position, key] of command.positionals.entries())
      if (args[position] !== undefined && !isEmptyList(args[position])) input[key] = args[position]
    for (const { key, type, bare } of fields)
      if (flags[key] !== undefined)
        input[key] = flags[key] === true && bare ? bare : convert(flags[key], type, optionName(command, key))
    // `--json=` is `--json` without a value: split-words.ts writes it so, because the next word is not its value.
    await act(input, json === '' ? true : (json as string | true | undefined))
  })
}

/** Returns the help after the options: notes, examples and exit codes. */
export function formatHelpNotes(command: Pick<Command, 'notes' | 'examples' | 'exitCodes'>): string {
  const { notes = [], examples, exitCodes } = command
  const lines = examples.map(([line, purpose]) => `  # ${purpose}\n  ${line}\n`)
  const codes = Object.entries(exitCodes).map(([code, meaning]) => `  ${code}  ${meaning}\n`)
  const always = '  1  a fault of Toolscope itself; 130  stopped by Ctrl+C\n'
  return [
    ...notes.map(note => `\n${note}\n`),
    '\nExamples:\n',
    ...lines,
    '\nExit codes:\n',
    ...codes,
    always,
  ].join('')
}

const longFlag = (key: string) => key.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** One-letter flags of fields that several commands take. */
const letters: Readonly<Record<string, string>> = { env: 'e', header: 'H' }

/** Returns the option of a field as the help spells it: `-o, --out`. */
export function optionName({ short = {} }: Pick<Command, 'short'>, key: string): string {
  const letter = short[key] ?? letters[key]
  return `${letter === undefined ? '' : `-${letter}, `}--${longFlag(key)}`
}

/** Returns each option of a command as it is typed (`--out`, `-o`), and whether the next word is its value. */
export function optionArities(command: Command): ReadonlyMap<string, 'value' | 'none'> {
  const arities = new Map<string, 'value' | 'none'>([
    ['--json', 'none'],
    ['--help', 'none'],
    ['-h', 'none'],
  ])
  for (const { key, type, defaultOn } of listFields(command)) {
    const arity = type === 'boolean' ? 'none' : 'value'
    arities.set(`--${defaultOn ? 'no-' : ''}${longFlag(key)}`, arity)
    const letter = command.short?.[key] ?? letters[key]
    if (letter !== undefined) arities.set(`-${letter}`, arity)
  }
  return arities
}

/** An option as it is typed: `--out`, and what may follow it. */
export interface TypedOption {
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** The only values, if they are listed; else empty. */
  readonly choices: readonly string[]
}

/** Returns each option of a command, also its one-letter names, without `--json` and `--help`. */
export function listOptions(command: Command): readonly TypedOption[] {
  return listFields(command).flatMap(({ key, type, description, defaultOn }) => {
    const option = { description, takesValue: type !== 'boolean', choices: listChoices(command, key) }
    const letter = command.short?.[key] ?? letters[key]
    const name = `--${defaultOn ? 'no-' : ''}${longFlag(key)}`
    return [{ name, ...option }, ...(letter === undefined ? [] : [{ name: `-${letter}`, ...option }])]
  })
}

/** Returns the values that a field of the input lists; empty if it takes others. */
export function listChoices(command: Command, key: string): readonly string[] {
  return readField(command.input.shape[key]).choices
}

function listFields(command: Command): FlagField[] {
  return Object.entries(command.input.shape)
    .filter(([key]) => !command.positionals.includes(key))
    .map(([key, schema]) => {
      const { type, choices: _choices, ...field } = readField(schema)
      const isPlain = type === 'boolean' || type === 'number' || type === 'string' || type === 'array'
      return { key, type: isPlain ? type : 'any', bare: command.bareFlags?.[key], ...field }
    })
}

/** Reads the zod schema directly: converting it to a JSON Schema takes as long as the rest of the flag handling. */
function readField(schema: z.core.$ZodType | undefined) {
  let field = schema as z.ZodType | undefined
  let description: string | undefined
  let defaultOn = false
  while (field instanceof z.ZodOptional || field instanceof z.ZodDefault) {
    description ??= field.description
    if (field instanceof z.ZodDefault) defaultOn = field.def.defaultValue === true
    field = field.unwrap() as z.ZodType
  }
  const kind = field?.def.type
  return {
    type: kind === 'enum' ? 'string' : kind,
    description: description ?? field?.description ?? '',
    defaultOn,
    choices: field instanceof z.ZodEnum ? field.options.map(String) : [],
  }
}

function convert(value: unknown, type: FlagField['type'], spelled: string): unknown {
  if (type === 'any' && typeof value === 'string') return new TypedText(value)
  if (type !== 'number') return value
  const number = Number(value)
  if (value === '' || Number.isNaN(number))
    throw new AppError('usage', `${spelled}: "${value}" is not a number`)
  return number
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
