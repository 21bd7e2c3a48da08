import { isLosslessNumber, parse } from 'lossless-json'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { type EntryShape, without } from './tool-entry.ts'

/** How to convert an input to incur's command line. */
interface IncurCall {
  /** Properties that are positional arguments, in their order. */
  readonly positionals: readonly string[]
  /** Properties that are options, and the flag of each (`dryRun` → `--dry-run`). */
  readonly options: readonly { readonly property: string; readonly flag: string }[]
}

/**
 * A command of `--llms-full --format json`: `{name, description?, schema?: {args?, options?, output?}, examples?}`.
 * Arguments and options become one input schema; `extra.incur` (IncurCall) says which is which.
 */
export const incurCommand: EntryShape = {
  matches: entry => Object.hasOwn(entry, 'schema'),
  read: entry => {
    const schema = own(entry, 'schema')
    const sections: UnknownObject = isObject(schema) ? schema : {}
    const extra = without(entry, ['name', 'description', 'schema'])
    const fields = { name: own(entry, 'name'), description: own(entry, 'description') }
    const unusable = ['args', 'options']
      .map(key => own(sections, key))
      .find(part => part !== undefined && !isObject(part))
    if ((schema !== undefined && !isObject(schema)) || unusable !== undefined)
      return { ...fields, inputSchema: unusable ?? schema, extra }
    const joined = join(sections, extra)
    const examples = readExamples(entry, joined)
    const inputSchema = examples.length === 0 ? joined.inputSchema : { ...joined.inputSchema, examples }
    return { ...fields, ...joined, inputSchema, outputSchema: own(sections, 'output') }
  },
}

interface JoinedSections {
  readonly inputSchema: { readonly properties: UnknownObject; readonly required?: readonly string[] }
  readonly extra: { readonly incur: IncurCall }
}

function join(sections: UnknownObject, extra: UnknownObject): JoinedSections {
  const args = section(sections, 'args')
  const options = section(sections, 'options')
  // A name may be both an argument and an option; the property of the option then keeps its dashes.
  const toPropertyName = (name: string) => (Object.hasOwn(args.properties, name) ? `--${name}` : name)
  const properties = Object.fromEntries([
    ...Object.entries(args.properties),
    ...Object.entries(options.properties).map(([name, value]) => [toPropertyName(name), value] as const),
  ])
  const required = [...args.required, ...options.required.map(toPropertyName)]
  const definitions = { ...args.definitions, ...options.definitions }
  const inputSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
    additionalProperties: false,
  }
  const incur: IncurCall = {
    positionals: Object.keys(args.properties),
    options: Object.keys(options.properties).map(name => ({
      property: toPropertyName(name),
      flag: toIncurFlag(name),
    })),
  }
  return { inputSchema, extra: { ...extra, incur } }
}

const maxExamples = 20
const maxExampleCharacters = 4_000

/**
 * Reads `examples: [{command: "greet Ada --loud true"}]` as inputs. incur joins the values by spaces without quotes
 * (`formatExamples` in its Cli.ts), so a text that can be read in two ways is left out.
 */
function readExamples(entry: UnknownObject, { inputSchema, extra }: JoinedSections): UnknownObject[] {
  const [name, examples] = [own(entry, 'name'), own(entry, 'examples')]
  if (!Array.isArray(examples) || typeof name !== 'string') return []
  const { properties, required = [] } = inputSchema
  return examples.slice(0, maxExamples).flatMap(example => {
    const command = isObject(example) ? own(example, 'command') : undefined
    if (typeof command !== 'string' || command.length > maxExampleCharacters) return []
    const text = `${command} `.startsWith(`${name} `) ? command.slice(name.length) : command
    const input = readExample(text, extra.incur, properties)
    return input === undefined || required.some(key => !Object.hasOwn(input, key)) ? [] : [input]
  })
}

/** Returns undefined if the text can be read in two ways, or names no option of the command. */
function readExample(
  text: string,
  { positionals, options }: IncurCall,
  properties: UnknownObject,
): UnknownObject | undefined {
  const [given = '', ...flags] = text.split(/(?:^|\s)--(?=\w)/)
  const words = given.trim().split(/\s+/).filter(Boolean)
  const isWhole = positionals.length === 1 && words.length > 1
  if (!isWhole && words.length > positionals.length) return undefined
  const texts = isWhole ? [given.trim()] : words
  const values = texts.map((word, at) => [positionals[at] ?? '', word] as const)
  for (const option of flags) {
    const [, flag = '', value = 'true'] = /^([\w-]+)(?:[= ](.*))?$/s.exec(option.trim()) ?? []
    const found = options.find(each => each.flag === `--${flag}` || each.property === flag)
    if (found === undefined) return undefined
    values.push([found.property, value])
  }
  const entries = values.map(([key, word]) => [key, readWord(word, own(properties, key))] as const)
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

/** Returns a value of the declared type; undefined if the text does not hold one. */
function readWord(word: string, schema: unknown): unknown {
  const fields = isObject(schema) ? schema : {}
  switch (own(fields, 'type')) {
    case 'boolean':
      return word === 'true' ? true : word === 'false' ? false : undefined
    case 'number':
    case 'integer':
      return word.trim() === '' || !Number.isFinite(Number(word)) ? undefined : Number(word)
    case 'array': {
      const items = word.split(',').map(item => readWord(item, own(fields, 'items')))
      return items.includes(undefined) ? undefined : items
    }
    case 'object':
      return undefined
    default:
      return word
  }
}

/** Returns incur's flag: `--config-schema` for `configSchema`. */
function toIncurFlag(name: string): string {
  return `--${name.replace(/[A-Z]/gu, letter => `-${letter.toLowerCase()}`)}`
}

function section(sections: UnknownObject, key: string) {
  const schema = own(sections, key)
  const fields: UnknownObject = isObject(schema) ? schema : {}
  const map = (keyword: string): UnknownObject => {
    const value = own(fields, keyword)
    return isObject(value) ? value : {}
  }
  const required = own(fields, 'required')
  return {
    properties: map('properties'),
    definitions: map('$defs'),
    required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
  }
}

/** Returns how to convert the input of a tool that this file read. Only this file writes `extra.incur`. */
export function getIncurMapping(tool: { readonly extra?: ManifestTool['extra'] }): IncurCall {
  const call = own(tool.extra ?? {}, 'incur')
  return isObject(call) ? (call as unknown as IncurCall) : { positionals: [], options: [] }
}

/**
 * Returns the words for `inputText`, or why a command line cannot express it. Numbers keep their digits.
 *
 * incur reads its own flags (`--mcp`, `--help`, `--update`) at any position, so a value that starts with a dash must
 * not be a word of its own: an option's value follows `=`, and such a positional argument is refused.
 */
export function incurWords(
  inputText: string,
  call: IncurCall,
): { readonly words: readonly string[] } | { readonly refusal: string } {
  const input: unknown = parse(inputText)
  if (!isObject(input)) return { refusal: 'The input must be an object: each member becomes an argument.' }
  const known = new Set([...call.positionals, ...call.options.map(option => option.property)])
  const unknown = Object.keys(input).find(key => !known.has(key))
  if (unknown !== undefined)
    return { refusal: `"${unknown}" is neither an argument nor an option of this command.` }
  try {
    return { words: [...positionalWords(input, call), ...optionWords(input, call)] }
  } catch (thrown) {
    if (thrown instanceof InexpressibleError) return { refusal: thrown.message }
    throw thrown
  }
}

class InexpressibleError extends Error {}

function positionalWords(input: UnknownObject, { positionals }: IncurCall): string[] {
  const words: string[] = []
  let absent: string | undefined
  for (const name of positionals) {
    const value = own(input, name)
    if (value === undefined) {
      absent ??= name
      continue
    }
    if (absent !== undefined)
      throw new InexpressibleError(
        `"${name}" comes after "${absent}" on the command line, so "${absent}" is needed too.`,
      )
    for (const word of toWords(name, value)) {
      if (word.startsWith('-'))
        throw new InexpressibleError(
          `"${name}" begins with a dash, which the program would read as an option.`,
        )
      words.push(word)
    }
  }
  return words
}

function optionWords(input: UnknownObject, { options }: IncurCall): string[] {
  return options.flatMap(({ property, flag }) => {
    const value = own(input, property)
    return value === undefined ? [] : toWords(property, value).map(word => `${flag}=${word}`)
  })
}

/** A list repeats its flag. A command line cannot express an empty list or null. */
function toWords(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) return [toWord(name, value)]
  if (value.length === 0) throw new InexpressibleError(`"${name}" is an empty list; leave it out instead.`)
  return value.map(item => toWord(name, item))
}

function toWord(name: string, value: unknown): string {
  if (value === null)
    throw new InexpressibleError(`"${name}" is null, which a command line cannot say; leave it out.`)
  if (isLosslessNumber(value)) return value.toString()
  const word = typeof value === 'string' ? value : JSON.stringify(plain(value))
  if (word.includes('\0'))
    throw new InexpressibleError(`"${name}" holds a NUL character, which no argument can.`)
  return word
}

function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.toString())
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
  return value
}
