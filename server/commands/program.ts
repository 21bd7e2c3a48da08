/** The program: parse argv, run a command, end with its exit code. Loaded by main.ts, which runs it so. */
import { constants } from 'node:os'
import { CommanderError, Command as Program } from 'commander'
import { AppError, exitCodes, messageOf, toAppError } from '../../core/errors.ts'
import { plainJson } from '../../core/text/plain-text.ts'
import { terminalText } from '../../core/text/terminal-text.ts'
import { version } from '../package/version.ts'
import { killAllStarted, killTrackedTrees } from '../process/process-tree.ts'
import { terminalQuestion } from '../process/terminal-question.ts'
import { isOwnVariable } from '../sources/program-environment.ts'
import type { Command, CommandContext } from './command.ts'
import { printError } from './command.ts'
import { toProgram } from './flags.ts'
import { callableNames, commandNames, loadCommands } from './index.ts'
import { processTerminal } from './terminal.ts'
import { commandHint, inputError, programOptionHint, usageWithSource } from './usage-errors.ts'

/** After a signal: until programs that still run are killed, and until this one ends whatever it waits for. */
const killAfterMs = 800
const endAfterMs = 1_500

/** Why stdout takes no more. */
let outputError: NodeJS.ErrnoException | undefined
let stopSignal: NodeJS.Signals | undefined

const context = processContext()
process.exitCode = await main(process.argv.slice(2))
// Whatever still holds the event loop (an idle keep-alive socket) is not worth waiting for once all is written.
await Promise.all(
  [process.stdout, process.stderr].map(stream => new Promise<void>(done => stream.write('', () => done()))),
)
// A reader that has gone (`toolscope diff a b | head`) has read what it wanted: the verdict stands.
if (outputError !== undefined && outputError.code !== 'EPIPE' && outputError.code !== 'EOF') {
  processTerminal.say(`toolscope: the output could not be written: ${outputError.message}`)
  process.exitCode = exitCodes.unexpected
}
process.exit()

async function main(argv: readonly string[]): Promise<number> {
  if (argv.at(-1) === '--llms') return printManifest(argv)
  const { own, rest } = splitAtDashes(argv)
  let exitCode: number = exitCodes.fine
  const program = new Program('toolscope')
    .description('Browse tool catalogs, call tools by form, validate their output, compare versions.')
    .version(version)
    .addHelpText(
      'after',
      '\nA source is a program that answers --llms, an llm-functions directory, an mcp.json, the address of an MCP server or of a bridge, or a manifest file. Words after -- belong to the program before it; with none before it, they start an MCP server.',
    )
    .addHelpText('after', '`toolscope --llms` prints these commands as a manifest of their own.')
  const commands = await loadCommands(neededCommands(own))
  for (const command of commands) {
    const takesJson = callableNames.includes(command.name)
    const sub = toProgram(
      command,
      async (input, json) => {
        exitCode = await runCommand(command, input, rest, json)
      },
      takesJson,
    )
    program.addCommand(sub, { isDefault: command.name === 'serve' })
  }
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({ writeErr: text => process.stderr.write(terminalText(text)) })
  try {
    await program.parseAsync([...own], { from: 'user' })
    return exitCode
  } catch (thrown) {
    if (stopSignal !== undefined) return stoppedBy(stopSignal)
    if (thrown instanceof CommanderError) return commanderEnd(thrown, own, commands)
    return fail(
      commandHint(toAppError(thrown), own, commandNames),
      own.some(word => word === '--json' || word.startsWith('--json=')),
    )
  }
}

/** Commander has said what is wrong. */
function commanderEnd(
  { code, exitCode, message }: CommanderError,
  own: readonly string[],
  [command]: readonly Command[],
): number {
  const [, option] = /'([^']+)'/.exec(message) ?? []
  const isUnknown = code === 'commander.unknownOption' && option !== undefined && command !== undefined
  const hint = isUnknown ? programOptionHint(option, own, command) : undefined
  if (hint !== undefined) context.say(hint)
  return exitCode === 0 ? exitCodes.fine : exitCodes.usage
}

/** Without the name of a command the first words are sources to serve. Only the general help names all commands. */
function neededCommands(words: readonly string[]): readonly string[] {
  const [first = ''] = words
  if (commandNames.includes(first)) return [first]
  return words.some(word => word === '--help' || word === '-h') ? commandNames : ['serve']
}

async function runCommand(
  command: Command,
  flags: Record<string, unknown>,
  rest: readonly string[],
  json: string | true | undefined,
): Promise<number> {
  const given = typeof json === 'string' ? parseJsonFlag(json) : attachRest(command, flags, rest)
  // zod would first compile a function for each object, which pays where one is read many times.
  const parsed = command.input.safeParse(given, { jitless: true, reportInput: true })
  if (!parsed.success) throw inputError(command, parsed.error, typeof json !== 'string')
  const { output, text, own, exitCode } = await command.run(parsed.data, {
    ...context,
    usage: usageWithSource(command),
    json: json !== undefined,
  })
  if (json === undefined && text !== undefined) context.write(text, own)
  else if (json !== undefined || command.print === undefined) context.write(`${plainJson(output)}\n`)
  else command.print(output, context, parsed.data)
  return exitCode ?? exitCodes.fine
}

function parseJsonFlag(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    const detail = messageOf(thrown)
    throw new AppError('usage', `the value of --json is not JSON: ${text.slice(0, 100)} (${detail})`, {
      hint: 'Put --json last for JSON out, or give it the whole input: --json \'{"sources":["m.json"]}\'.',
    })
  }
}

/** `acme -- api` is the program `acme` with the argument `api`. */
function splitAtDashes(argv: readonly string[]): { own: readonly string[]; rest: readonly string[] } {
  const at = argv.indexOf('--')
  return at < 0 ? { own: argv, rest: [] } : { own: argv.slice(0, at), rest: argv.slice(at + 1) }
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
  // Words with no program before them are the command of an MCP server: `toolscope -- npx -y some-server`.
  if (last === undefined && command.positionals.includes('sources'))
    return { ...input, sources: [[`mcp:${rest[0]}`, ...rest.slice(1)]] }
  if (typeof last !== 'string')
    throw new AppError(
      'usage',
      `${command.name}: what follows -- belongs to the program before it, and there is none`,
    )
  return { ...input, sources: [...sources.slice(0, -1), [last, ...rest]] }
}

async function printManifest(argv: readonly string[]): Promise<number> {
  const [name] = argv
  const chosen = name === '--llms' ? callableNames : callableNames.filter(callable => callable === name)
  if (chosen.length === 0 || argv.length > 2)
    return fail(
      new AppError('usage', `--llms goes last, alone or after one of: ${callableNames.join(', ')}`),
      false,
    )
  const { manifestText } = await import('./own-help.ts')
  context.write(manifestText(await loadCommands(chosen)))
  return exitCodes.fine
}

function fail(thrown: unknown, json: boolean): number {
  const error = toAppError(thrown)
  if (json) context.write(`${plainJson({ error: error.toShape() })}\n`)
  printError(error, context)
  return error.exitCode
}

function stoppedBy(signal: NodeJS.Signals): number {
  context.say(`toolscope: stopped by ${signal}`)
  return signalExitCode(signal)
}

/** As a shell reports a program that a signal ended. */
function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal]
}

function processContext(): CommandContext {
  const abort = new AbortController()
  // SIGHUP: the terminal was closed. A second signal ends the program, and with it what it started, at once.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (stopSignal !== undefined) process.exit(signalExitCode(signal))
      stopSignal = signal
      abort.abort()
      process.once('exit', killAllStarted)
      setTimeout(killTrackedTrees, killAfterMs).unref()
      setTimeout(() => process.exit(signalExitCode(signal)), endAfterMs).unref()
    })
  process.stdout.on('error', error => {
    outputError ??= error
  })
  // Talk that nobody hears is no reason to lose the exit code.
  process.stderr.on('error', () => {})
  const environment = { ...process.env }
  // What is started without an environment of its own (the browser) gets nothing of ours.
  for (const name of Object.keys(process.env)) if (isOwnVariable(name)) delete process.env[name]
  return {
    directory: process.cwd(),
    environment,
    ...processTerminal,
    async readStdin() {
      const chunks: Buffer[] = []
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString('utf8')
    },
    ask: terminalQuestion(abort.signal),
    signal: abort.signal,
  }
}
