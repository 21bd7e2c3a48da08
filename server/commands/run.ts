/**
 * Runs a command line: parses the words, runs the command, and returns its exit code. It changes no state of the
 * process.
 */
import { constants } from 'node:os'
import { CommanderError, Command as Program } from 'commander'
import type { z } from 'zod'
import { AppError, exitCodes, toAppError } from '../../core/errors.ts'
import { isObject } from '../../core/json/json.ts'
import { readJson } from '../../core/json/json-text.ts'
import { plainJson } from '../../core/text/plain-text.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { listWords, nearest } from '../../core/text/wording.ts'
import { interpreterName } from '../process/command-line.ts'
import { version } from '../process/version.ts'
import { markServer } from '../recognise/typed-line.ts'
import { type Command, type CommandContext, printError } from './command.ts'
import { optionName, toProgram } from './command-flags.ts'
import { callableNames, commandNames, loadCommands } from './index.ts'
import { splitWords } from './split-words.ts'
import { readInputText, TypedText } from './typed-text.ts'

/** The context of a command line: that of its command, and a function. */
export interface ProgramContext extends CommandContext {
  /** Writes a text of several lines to stderr. */
  writeError(text: string): void
}

/**
 * @param argv the words after `toolscope`
 * @returns the exit code
 */
export async function run(argv: readonly string[], context: ProgramContext): Promise<number> {
  if (argv[0] === 'complete' && argv.slice(1, 3).includes('--')) {
    const { complete } = await import('./complete.ts')
    context.write(await complete(argv.slice(1), context), 'result')
    return exitCodes.fine
  }
  if (argv.at(-1) === '--llms') return printManifest(argv, context)
  const commands = await loadCommands(
    neededCommands(argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined)),
  )
  const { own, rest, tool } = splitWords(
    argv,
    commands.find(({ name }) => name === argv[0] && callableNames.includes(name)),
  )
  let exitCode: number = exitCodes.fine
  const program = new Program('toolscope')
    .description('Browse tool catalogs, call tools by form, validate their output, compare versions.')
    .version(version)
    .addHelpText(
      'after',
      '\nA source is a program that answers --llms, an llm-functions directory, an mcp.json, the address of an MCP server or of a bridge, or a manifest file. Words after -- belong to the program before it; with none before it, they start an MCP server.',
    )
    .addHelpText('after', '`toolscope --llms` prints these commands as a manifest of their own.')
  for (const command of commands) {
    const isCallable = callableNames.includes(command.name)
    const sub = toProgram(
      command,
      async (input, json) => {
        exitCode = await runCommand(command, { flags: input, rest, tool, own, json }, context)
        // A stop fails the calls that run; a command that lasts until it is stopped has done what it should.
        const signal = context.stopSignal?.()
        if (isCallable && signal !== undefined) exitCode = stoppedBy(signal, context)
      },
      isCallable,
    )
    program.addCommand(sub, { isDefault: command.name === 'serve' })
  }
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({
      writeOut: text => context.write(text),
      writeErr: text => context.writeError(text),
    })
  try {
    await program.parseAsync([...own], { from: 'user' })
    return exitCode
  } catch (thrown) {
    const signal = context.stopSignal?.()
    if (signal !== undefined) return stoppedBy(signal, context)
    if (thrown instanceof CommanderError) return commanderEnd(thrown, own, commands, context)
    return fail(
      commandHint(toAppError(thrown), own, commandNames),
      own.some(word => word === '--json' || word.startsWith('--json=')),
      context,
    )
  }
}

/** Commander has already printed the error; this adds a hint. */
function commanderEnd(
  { code, exitCode, message }: CommanderError,
  own: readonly string[],
  [command]: readonly Command[],
  context: ProgramContext,
): number {
  const [, option] = /'([^']+)'/.exec(message) ?? []
  const isUnknown = code === 'commander.unknownOption' && option !== undefined && command !== undefined
  const hint = isUnknown ? programOptionHint(option, own, command) : undefined
  if (hint !== undefined) context.say(hint)
  return exitCode === 0 ? exitCodes.fine : exitCodes.usage
}

/** Without the name of a command, the first words are sources to serve. Only the general help needs all commands. */
function neededCommands(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  if (commandNames.includes(first)) return [first]
  return words.some(word => word === '--help' || word === '-h') ? commandNames : ['serve']
}

/** The words of a command line for a command. */
interface CommandWords {
  readonly flags: Record<string, unknown>
  /** The words after `--`. */
  readonly rest: readonly string[]
  /** The flags of the tool, as typed. */
  readonly tool: readonly string[]
  /** The words that these flags and positionals were parsed from. */
  readonly own: readonly string[]
  /** The text of `--json`; true if it has none. */
  readonly json: string | true | undefined
}

async function runCommand(command: Command, given: CommandWords, context: ProgramContext): Promise<number> {
  const { rest, tool, json } = given
  const { flags, isTyped } = await readJsonFlag(command, given, context)
  refuseProgramFlags(command, given)
  const value = isObject(flags) ? attachRest(command, flags, rest) : flags
  // Without `jitless`, zod compiles a function for each object, which only pays if it is used many times.
  const parsed = command.input.safeParse(value, { jitless: true, reportInput: true })
  if (!parsed.success) throw inputError(command, parsed.error, isTyped)
  const { output, text, own, exitCode } = await command.run(parsed.data, {
    ...context,
    usage: usageWithSource(command),
    toolFlags: tool,
    json: json !== undefined,
  })
  if (json === undefined && text !== undefined) context.write(text, own)
  else if (json !== undefined || command.print === undefined) context.write(`${plainJson(output)}\n`)
  else command.print(output, context, parsed.data)
  return exitCode ?? exitCodes.fine
}

/**
 * Adds the value of `--json` to what was typed: with a tool's name before it, the value is the input of the tool, else it
 * has the fields of the command.
 */
async function readJsonFlag(
  command: Command,
  { flags, json }: CommandWords,
  context: CommandContext,
): Promise<{ readonly flags: unknown; readonly isTyped: boolean }> {
  if (typeof json !== 'string') return { flags, isTyped: true }
  if (command.takesToolFlags === true && flags.tool !== undefined) {
    if (flags.input === undefined) return { flags: { ...flags, input: new TypedText(json) }, isTyped: true }
    throw new AppError('usage', '--input and --json both give the input', {
      hint: 'Give one of them a value.',
    })
  }
  const text = await readInputText(json, context)
  const value = readJson(text)
  if (!value.ok)
    throw new AppError('usage', `the value of --json is not JSON: ${text.slice(0, 100)} (${value.message})`, {
      hint: 'Give it the whole input, such as --json \'{"sources":["m.json"]}\', or no value: then JSON is printed.',
    })
  const given: unknown = JSON.parse(text)
  return { flags: isObject(given) ? { ...flags, ...given } : given, isTyped: false }
}

/** `call greet npx --package x`: an option after an interpreter is not meant for the tool. Throws AppError `usage`. */
function refuseProgramFlags(command: Command, { flags, rest, tool, own }: CommandWords): void {
  const [option] = tool
  const program = Array.isArray(flags.sources) ? flags.sources.at(-1) : undefined
  if (option === undefined || rest.length > 0 || !interpreterName.test(String(program))) return
  const hint = programOptionHint(option, [...own, option], command)
  throw new AppError(
    'usage',
    `${program} needs a program to run, and ${option} was read as a flag of the tool`,
    {
      ...(hint === undefined ? {} : { hint }),
    },
  )
}

function attachRest(
  command: Command,
  input: Record<string, unknown>,
  rest: readonly string[],
): Record<string, unknown> {
  if (rest.length === 0) return input
  if (Object.hasOwn(command.input.shape, 'command')) return { ...input, command: rest }
  const sources = Array.isArray(input.sources) ? input.sources : []
  const last = sources.at(-1)
  // Words without a program before them are the command of an MCP server: `toolscope -- npx -y some-server`.
  if (last === undefined && command.positionals.includes('sources'))
    return { ...input, sources: [markServer(rest)] }
  if (typeof last !== 'string')
    throw new AppError(
      'usage',
      `${command.name}: words after -- are arguments of the program before it, but no program is named`,
    )
  return { ...input, sources: [...sources.slice(0, -1), [last, ...rest]] }
}

async function printManifest(argv: readonly string[], context: ProgramContext): Promise<number> {
  const [name] = argv
  const chosen = name === '--llms' ? callableNames : callableNames.filter(callable => callable === name)
  if (chosen.length === 0 || argv.length > 2)
    return fail(
      new AppError('usage', `--llms goes last, alone or after one of: ${callableNames.join(', ')}`),
      false,
      context,
    )
  const { formatManifest: manifestText } = await import('./own-help.ts')
  context.write(manifestText(await loadCommands(chosen)))
  return exitCodes.fine
}

function fail(thrown: unknown, json: boolean, context: ProgramContext): number {
  const error = toAppError(thrown)
  if (json) context.write(`${plainJson({ error: error.toShape() })}\n`)
  printError(error, context)
  return error.exitCode
}

function stoppedBy(signal: NodeJS.Signals, context: ProgramContext): number {
  context.say(`toolscope: stopped by ${signal}`)
  return signalExitCode(signal)
}

/** Returns the exit code that a shell reports for a program that a signal ended. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

/* Describes errors of a command line with the words that were typed. */

/**
 * Returns the error for an input that does not match its command's schema.
 *
 * @param isTyped false if the input was JSON: the error then uses its keys
 */
function inputError(command: Command, error: z.ZodError, isTyped: boolean): AppError {
  const { name } = command
  const described = error.issues.map(issue => {
    const key = issue.path.join('.') || 'the input'
    return isTyped ? describeTyped(command, issue) : `${key}: ${issue.message}`
  })
  return new AppError('usage', `${name}: ${described.join('; ')}`, {
    hint: helpHint(name),
  })
}

const helpHint = (name: string) => `Run \`toolscope ${name} --help\` for its arguments and options.`

function describeTyped(command: Command, issue: z.core.$ZodIssue): string {
  const [key = ''] = issue.path.map(String)
  const typed = command.positionals.includes(key) ? `<${key}>` : optionName(command, key)
  const { input } = issue
  if (input === undefined) {
    const about = command.input.shape[key]?.description
    return `${typed} is missing${about === undefined ? '' : `: ${about}`}`
  }
  const must = (words: string) => `${typed} is ${JSON.stringify(input)}, and must be ${words}`
  if (issue.code === 'invalid_value') return must(listWords(issue.values.map(String)))
  if (typeof input === 'number' && issue.code === 'too_small') return must(`at least ${issue.minimum}`)
  if (typeof input === 'number' && issue.code === 'too_big') return must(`at most ${issue.maximum}`)
  return `${typed}: ${issue.message}`
}

/**
 * Returns a hint for an unknown option that may belong to the program before it; else undefined.
 *
 * @param own the words before `--`
 */
function programOptionHint(option: string, own: readonly string[], command: Command): string | undefined {
  const at = own.indexOf(option)
  const before = own.slice(own[0] === command.name ? 1 : 0, Math.max(0, at))
  const program = before.at(-1) ?? '-'
  const sources = command.positionals.indexOf('sources')
  if ('command' in command.input.shape && before.length > 0)
    return `A command goes behind --: ${formatShellCommand(['toolscope', command.name])} -- ${formatShellCommand(before)} ${option} …`
  if (
    sources < 0 ||
    program.startsWith('-') ||
    before.filter(word => !word.startsWith('-')).length <= sources
  )
    return undefined
  const start = formatShellCommand(['toolscope', ...own.slice(0, at - 1)])
  return `What belongs to ${program} goes with it in quotes, or behind --: ${start} "${program} ${option} …", ${start} ${program} -- ${option} …`
}

/**
 * Adds the next step that the first word gives: the help of the command, or the command that a mistyped word may mean,
 * because such a word was searched as a source.
 */
function commandHint(error: AppError, own: readonly string[], names: readonly string[]): AppError {
  const [first = '', ...others] = own
  if (error.code === 'usage' && error.ownHint === undefined && names.includes(first))
    return error.with({ hint: helpHint(first) })
  const isAlone = others.every(word => word.startsWith('-')) && error.detail.startsWith(`${first} `)
  const meant = nearest(first, names)
  if (error.code !== 'source-not-found' || !isAlone || meant === null) return error
  return error.with({ hint: `Did you mean \`toolscope ${meant}\`?` })
}

/** Returns a usage line with one source: `toolscope call <tool> <program or manifest.json>`. */
function usageWithSource({ name, positionals }: Command): string {
  const words = positionals.map(key => (key === 'sources' ? '<program or manifest.json>' : `<${key}>`))
  return ['toolscope', name, ...words].join(' ')
}
