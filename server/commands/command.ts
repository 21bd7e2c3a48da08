/**
 * A command is one definition: its input and output as zod schemas and a run function. The flags (command-flags.ts),
 * `toolscope <command> --json '<value>'` and its entry in `toolscope --llms` (own-help.ts) are derived from it.
 */
import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { AppError, type AppErrorCode, exitCodes, toErrorMessage } from '../../core/errors.ts'
import { parseTimeLimit, timeLimitForms } from '../../core/text/duration.ts'
import type { OwnSigns } from '../../core/text/terminal-text.ts'
import type { Terminal } from './terminal.ts'

/** The environment of a command; tests pass their own. */
export interface CommandContext extends Terminal {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readStdin(): Promise<string>
  /** Asks on the terminal, not through stdin and stdout; absent if there is no terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined
  /** Aborted on the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Returns the first signal that asked the program to stop. */
  stopSignal?(): NodeJS.Signals | undefined
  /**
   * After a signal, sets how many milliseconds from now the program has to end by itself; about a second more, and it is
   * ended. 0 before the first time.
   */
  setTimeToEnd?(milliseconds: number): void
  /** How the command is typed with a source. */
  readonly usage?: string
  /** The tool's own flags, as typed. */
  readonly toolFlags?: readonly string[]
  /** The output is one JSON document at the end: the command must not write anything else to stdout. */
  readonly json?: boolean
}

export interface CommandResult<Output> {
  readonly output: Output
  /** The text for people; it replaces `print`. */
  readonly text?: string
  /** Control signs that Toolscope put into the text and that must not be removed. */
  readonly own?: OwnSigns
  readonly exitCode?: number
}

type HelpExample = readonly [line: string, purpose: string]

/** The exit codes of a command that opens sources. */
export const sourceExits: Command['exitCodes'] = {
  [exitCodes.fine]: 'done',
  [exitCodes.usage]: 'the command line or toolscope.json is invalid',
  [exitCodes.unreachable]: 'a source cannot be reached',
  [exitCodes.signInNeeded]: 'a source needs a sign-in, and there is no terminal',
}

export interface Command<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** One sentence, shown in help and in the manifest. */
  readonly description: string
  readonly input: Input
  /** Fields given by position, in order; if the last is an array, it takes the remaining words. */
  readonly positionals: readonly (keyof z.infer<Input> & string)[]
  /** The values of flags that are given without one: `--lock` means `--lock toolscope.lock.json`. */
  readonly bareFlags?: Readonly<Record<string, string>>
  /** One-letter flags of fields: `-o` for `--out`. */
  readonly short?: Readonly<Record<string, string>>
  /** After the name of a tool, options that this command does not have are flags of the tool. */
  readonly takesToolFlags?: boolean
  readonly output: Output
  /** For the help: paragraphs after the options. */
  readonly notes?: readonly string[]
  /** For the help: two or more lines, each with its purpose. */
  readonly examples: readonly [HelpExample, HelpExample, ...HelpExample[]]
  /** For the help: the meaning of this command's exit codes; those of every command are left out. */
  readonly exitCodes: Readonly<Record<number, string>>
  run(input: z.infer<Input>, context: CommandContext): Promise<CommandResult<z.infer<Output>>>
  /** Prints the output for people; if absent, the output is printed as JSON. */
  print?(output: z.infer<Output>, context: CommandContext, input: z.infer<Input>): void
}

/** Checks the types of one definition, and returns it as a general `Command` for the list. */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>(
  command: Command<Input, Output>,
): Command {
  // A command only runs with input that its own schema has parsed.
  return command as unknown as Command
}

/** Fields that several commands take. */
export const fields = {
  sources: z
    .array(z.union([z.string(), z.array(z.string()).min(1)]))
    .default([])
    .describe(
      'Sources: a program, an llm-functions directory, a manifest or mcp.json, an address, or a command in quotes: "npx -y some-server". Without any, those of toolscope.json.',
    ),
  env: z
    .array(z.string())
    .default([])
    .describe('A variable for the programs of these sources: NAME=VALUE. Repeatable.'),
  header: z
    .array(z.string())
    .default([])
    .describe('A header for requests to these addresses: "NAME: VALUE". Repeatable.'),
  cwd: z.string().optional().describe('The directory in which the programs of these sources run.'),
  config: z.string().optional().describe('Path of the configuration file.'),
  trust: z.boolean().default(false).describe('Start what toolscope.json names in this run without asking.'),
  maxCalls: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Calls that run at the same time (default 32); others wait.'),
  database: z
    .string()
    .optional()
    .describe(
      'Use PostgreSQL as the store: postgres://user:password@host/name. TOOLSCOPE_DATABASE_URL keeps the password off the command line.',
    ),
  variables: z
    .unknown()
    .optional()
    .describe('Values of an agent’s variables, as a JSON object: {"city":"Oslo"}.'),
  allowWrites: z.boolean().default(false).describe('Also call tools that are not marked read-only.'),
  allowDestructive: z
    .boolean()
    .default(false)
    .describe('Also call tools that are marked destructive or that LLM_MCP_NEED_CONFIRM names.'),
  accept: z
    .array(z.string().regex(/^[0-9a-f]{32,64}$/, 'must be a hash that `toolscope pin --check` prints'))
    .default([])
    .describe('Accept exactly this difference from a pin in this run, by its hash. Repeatable.'),
  /** Selects tools of the sources. */
  tools: z
    .string()
    .default('')
    .describe('Only tools that match these words, or a pattern over name or reference: "api *".'),
  token: z
    .string()
    .optional()
    .describe(
      'Answer only Authorization: Bearer <token>. Other users can read it here: TOOLSCOPE_TOKEN keeps it secret.',
    ),
  tokenFile: z.string().optional().describe('Read the token from this file; at least 16 characters.'),
  /** `toLimitMs` converts it. */
  timeLimit: z.string().refine(text => parseTimeLimit(text) !== null, timeLimitForms),
  port: z.number().int().min(0).max(65_535),
}

/** Returns the milliseconds of a field `timeLimit`, which the schema has checked; undefined if it is not given. */
export function toLimitMs(text: string): number
export function toLimitMs(text: string | undefined): number | undefined
export function toLimitMs(text: string | undefined): number | undefined {
  return text === undefined ? undefined : (parseTimeLimit(text) ?? undefined)
}

/** Options for the sources that a command opens. */
export const openFields = { env: fields.env, header: fields.header, cwd: fields.cwd }

/** The sources that a command opens, and how. */
export const sourceFields = { sources: fields.sources, ...openFields }

/** Selects the configuration, whether its sources may start, and the store for calls and versions. */
export const configurationFields = {
  config: fields.config,
  trust: fields.trust,
  database: fields.database,
}

/** Returns whether text for people is coloured. */
export const hasColour = (context: CommandContext) =>
  process.stdout.isTTY === true && !context.environment.NO_COLOR

/** Returns the text of a file. Throws AppError `usage`, or the given code, if it cannot be read. */
export async function readArgumentFile(
  file: string,
  { code = 'usage', name = file, hint }: { code?: AppErrorCode; name?: string; hint?: string } = {},
): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    const isMissing = (thrown as NodeJS.ErrnoException).code === 'ENOENT'
    throw new AppError(
      code,
      `${name} could not be read: ${isMissing ? `there is no file ${file}` : toErrorMessage(thrown)}`,
      hint === undefined ? {} : { hint },
    )
  }
}

/** Writes a file that the user named, or appends to it. Throws AppError `usage` if that fails. */
export function writeText(file: string, text: string, flag: 'w' | 'a' = 'w'): void {
  try {
    writeFileSync(file, text, { flag })
  } catch (thrown) {
    throw new AppError('usage', `${file} could not be written: ${toErrorMessage(thrown)}`, {
      hint: 'Name a file in a folder that you may write to, on a disk that has room.',
    })
  }
}

const maxOutputLines = 20
const maxOutputCharacters = 500

/** Prints the reason first, then what the source wrote, then what to do. */
export function printError(error: AppError, context: { say(line: string): void }): void {
  const { title, detail, hint, output = '', outputOf } = error.toShape()
  context.say(`${title}: ${detail}`)
  if (output.trim() !== '') {
    if (outputOf !== undefined) context.say(`  It wrote, asked ${outputOf}:`)
    for (const line of output.trimEnd().split('\n').slice(0, maxOutputLines))
      context.say(`  | ${line.slice(0, maxOutputCharacters)}`)
  }
  for (const line of hint.split('\n')) context.say(`  ${line}`)
}
