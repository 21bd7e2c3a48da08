/**
 * A command is one definition: its input and output as zod schemas and a run function. From it come the human
 * flags (flags.ts), `toolscope <command> --json '<value>'`, and its entry in `toolscope --llms` (manifest.ts).
 */
import { z } from 'zod'

/** The world around a command; tests give their own. */
export interface CommandContext {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** Talk for people: progress, notes. Never data. */
  say(line: string): void
  /** Data. Human output of a command that prints as it goes. */
  write(text: string): void
  readStdin(): Promise<string>
  /** Aborted on the first Ctrl-C. */
  readonly signal: AbortSignal
  /** The output goes out as one JSON document at the end: nothing else may stand on stdout. */
  readonly json?: boolean
}

export interface CommandResult<Output> {
  readonly output: Output
  /** What people are shown; needs no `print` then. */
  readonly text?: string
  readonly exitCode?: number
}

export interface Command<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> {
  readonly name: string
  /** One sentence, shown in help and in the manifest. */
  readonly description: string
  readonly input: Input
  /** Fields given by position, in order; an array as the last takes the rest. */
  readonly positionals: readonly (keyof z.infer<Input> & string)[]
  /** What a flag stands for where it is given without a value: `--lock` is `--lock toolscope.lock.json`. */
  readonly bareFlags?: Readonly<Record<string, string>>
  /** One-letter flags of fields: `-o` beside `--out`. */
  readonly short?: Readonly<Record<string, string>>
  readonly output: Output
  run(input: z.infer<Input>, context: CommandContext): Promise<CommandResult<z.infer<Output>>>
  /** The output for people; the data itself, as JSON, when absent. */
  print?(output: z.infer<Output>, context: CommandContext, input: z.infer<Input>): void
}

/** Keeps the types of one definition together while the list holds them all as `Command`. */
export function defineCommand<Input extends z.ZodObject, Output extends z.ZodType>(
  command: Command<Input, Output>,
): Command {
  // A command is only ever run with what its own input schema has parsed.
  return command as unknown as Command
}

/** What every command that reads a catalog takes. */
export const sourcesField = z
  .array(z.union([z.string(), z.array(z.string()).min(1)]))
  .default([])
  .describe(
    'Sources: a program, an llm-functions directory, a manifest file, or [program, argument, …]. Without any, those of toolscope.json.',
  )

export const configField = z.string().optional().describe('Path of the configuration file.')

export const databaseField = z
  .string()
  .optional()
  .describe(
    'Use PostgreSQL as the store: postgres://user:password@host/name. TOOLSCOPE_DATABASE_URL keeps the password off the command line.',
  )
