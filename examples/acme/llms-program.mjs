/**
 * Gives a commander program the two flags by which other programs find and use its commands:
 * `--llms` prints every command below as a JSON list of tools, `--json '<input>'` runs one with JSON in and out.
 */
import { Command, Option, z } from './libraries.mjs'

const convention =
  'Documentation tool, not callable. Every other name is a path of words below this program: run ' +
  "`<program> <name> --json '<input>'` with an input that fits inputSchema. The result is JSON on stdout and fits outputSchema."
const empty = { type: 'object', properties: {} }
const documentation = { name: 'help', description: convention, inputSchema: empty, outputSchema: empty }

/** For each command, its tools under a path of names. @type {WeakMap<Command, (path: string) => object[]>} */
const listed = new WeakMap()

const print = value => process.stdout.write(`${JSON.stringify(value, null, 2)}\n`)

/**
 * One tool. Without a JSON flag the input comes from ordinary flags and nothing is printed; with the bare flag only
 * the result is JSON. Set `unchecked` to print what `run` returns even where it breaks `output`. A flag that is
 * `false` is not offered.
 * @param {{ description?: string, input: z.ZodObject, output: z.ZodObject, run: (input: any) => unknown,
 *   name?: string, jsonOption?: string | false, llmsOption?: string | false, unchecked?: boolean }} definition
 */
export function tool({ description, input, output, run, name, unchecked = false, ...flags }) {
  const { jsonOption = '--json', llmsOption = '--llms' } = flags
  const command = new Command(name)
  if (description) command.description(description)
  const fields = Object.entries(input.shape).map(([key, schema]) => fieldOption(key, schema))
  for (const field of fields) command.addOption(field)
  const json =
    jsonOption &&
    new Option(`${jsonOption} [input]`, 'print the result as JSON; with a value, read the input from it')
  if (json) command.addOption(json)
  const asksForList = offerList(command, llmsOption)
  listed.set(command, path => [
    {
      name: path || command.name(),
      inputSchema: z.toJSONSchema(input),
      outputSchema: z.toJSONSchema(output),
      ...(description && { description }),
    },
  ])
  return command.action(async options => {
    if (asksForList(options)) return print(listOf(command))
    const given = json ? options[json.attributeName()] : undefined
    const fromFlags = () =>
      Object.fromEntries(fields.map(field => [field.name(), options[field.attributeName()]]))
    const raw = typeof given === 'string' ? JSON.parse(given) : fromFlags()
    const parsed = input.parse(raw)
    const result = await run(parsed)
    const checked = unchecked ? result : output.parse(result)
    if (given !== undefined) print(checked)
  })
}

/**
 * Tools and groups under a common word, or the whole program. A group's list of tools leaves out its own name.
 * @param {{ name?: string, description?: string, llmsOption?: string | false }} definition
 * @param {Record<string, Command>} commands by name
 */
export function group({ name, description, llmsOption = '--llms' }, commands) {
  // Positional: a flag before the sub-command is the group's, one after it the sub-command's.
  const command = new Command(name).enablePositionalOptions()
  if (description) command.description(description)
  for (const [word, child] of Object.entries(commands)) command.addCommand(child.name(word))
  listed.set(command, path =>
    Object.entries(commands).flatMap(
      ([word, child]) => listed.get(child)?.(path ? `${path} ${word}` : word) ?? [],
    ),
  )
  const asksForList = offerList(command, llmsOption)
  if (llmsOption) command.action(options => asksForList(options) && print(listOf(command)))
  return command
}

const listOf = command => ({ tools: [documentation, ...listed.get(command)('')] })

/** Adds the flag that asks for the list, and says how to recognise it among the options. */
function offerList(command, flag) {
  if (!flag) return () => false
  const option = new Option(flag, 'print the tools below here as JSON')
  command.addOption(option)
  return options => options[option.attributeName()] === true
}

/** A property as an ordinary flag: text as it is, anything else as JSON where it is JSON. */
function fieldOption(key, schema) {
  let inner = schema
  while (['optional', 'default', 'nullable'].includes(inner.def.type)) inner = inner.unwrap()
  if (inner.def.type === 'boolean') return new Option(`--${key}`, schema.description)
  const option = new Option(`--${key} <value>`, schema.description)
  return inner.def.type === 'string' ? option : option.argParser(readValue)
}

function readValue(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
