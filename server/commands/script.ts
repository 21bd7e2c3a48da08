/** `toolscope script`: runs bash with the tools of the sources in a sandbox. */

import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { ToolCommand } from '../../core/prompt/tool-commands.ts'
import { joinOutput } from '../../core/script/protocol.ts'
import { findDestructive, scriptToolCommands } from '../../core/script/script-tools.ts'
import type { ScriptEvent, TraceEntry } from '../../core/script/trace.ts'
import { plainJson } from '../../core/text/plain-text.ts'
import { terminalLine } from '../../core/text/terminal-text.ts'
import { runCatalogScript } from '../calls/script-runner.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  fields,
  readArgumentFile,
  sourceExits,
  sourceFields,
  toLimitMs,
  writeText,
} from './command.ts'
import { withCalls } from './with-calls.ts'

const traceEntry = z.object({
  id: z.number(),
  command: z.string(),
  ref: z.string(),
  input: z.string().describe('The exact JSON text of the input; empty if the flags could not be read.'),
  startMs: z.number().describe('Milliseconds since the script began.'),
  durationMs: z.number(),
  status: z.enum(['running', 'result', 'failure', 'refused', 'dry-run', 'cancelled']),
  verdict: z
    .enum(['valid', 'invalid', 'no schema', 'unchecked'])
    .optional()
    .describe('The output against the tool’s output schema.'),
  exitCode: z.number().optional(),
  message: z.string().optional(),
  output: z.string().optional().describe('What the script got, its beginning.'),
  outputLength: z.number().optional(),
})

const output = z.object({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.number(),
  ending: z.enum(['finished', 'limit', 'cancelled', 'syntax', 'broken']),
  message: z.string().optional(),
  durationMs: z.number(),
  trace: z.array(traceEntry),
})

export const scriptCommand = defineCommand({
  name: 'script',
  description: 'Run a bash script in which every tool of the sources is a command, in a sandbox.',
  input: z.object({
    file: z.string().default('-').describe('The script; - is stdin.'),
    ...sourceFields,
    allowDestructive: z
      .boolean()
      .default(false)
      .describe('Let the script call tools that need confirmation.'),
    accept: fields.accept,
    files: z.boolean().default(true).describe('Let the script use files of its own.'),
    trace: z.string().optional().describe('Write each call to this file as a line of JSON; - is stdout.'),
    timeout: fields.timeLimit
      .optional()
      .describe('Time limit of the script: 500ms, 60 or 60s, 5m, 1h (default 5m).'),
    ...configurationFields,
  }),
  positionals: ['file', 'sources'],
  examples: [
    ['toolscope script list.sh mcp.json', 'a file'],
    ['echo "help --list" | toolscope script - mcp.json --trace -', 'from stdin, and print each call'],
  ],
  exitCodes: { ...sourceExits, 4: 'a tool failed; else the exit code of the script' },
  output,

  async run(input, context) {
    const text = await readScript(input.file, context)
    return withCalls(input, context, async calls => {
      const { catalog, call, validator } = calls
      calls.pins.accept(input.accept)
      const names = scriptToolCommands(catalog.tools.list(), catalog.knownNames())
      const destructive = findDestructive(text, names.entries)
      if (!input.allowDestructive) await confirm(destructive, context)
      const collected = collect(context, input.trace)
      const running = await runCatalogScript({
        script: text,
        names,
        call,
        validator,
        files: input.files,
        confirmed: input.allowDestructive ? 'all' : new Set(destructive.map(({ tool }) => tool.ref)),
        limits: withoutUndefined({ timeMs: toLimitMs(input.timeout) }),
        onEvent: collected.take,
      })
      context.signal.addEventListener('abort', running.cancel, { once: true })
      if (context.signal.aborted) running.cancel()
      const end = await running.ended
      return { output: { ...collected.all(), ...end }, exitCode: end.exitCode }
    })
  },
  print({ ending, message }, context) {
    // The output was written while it arrived.
    if (ending !== 'finished') context.say(`toolscope: ${message}`)
  },
})

async function readScript(file: string, context: CommandContext): Promise<string> {
  if (file === '-') return context.readStdin()
  return readArgumentFile(resolve(context.directory, file), {
    name: 'the script',
    hint: 'Give the path of a file, or - and the script on stdin: echo "help --list" | toolscope script -',
  })
}

/** Asks on a terminal; without one, a script with tools that need confirmation is refused before it starts. */
async function confirm(tools: readonly ToolCommand[], context: CommandContext): Promise<void> {
  if (tools.length === 0) return
  const list = tools.map(({ command, tool }) => `${command} (${tool.ref})`).join(', ')
  const refused = new AppError('usage', `the script names tools that ask before they are called: ${list}`, {
    hint: 'Pass --allow-destructive to let it call them.',
  })
  const answer = await context.ask?.(`The script may call ${terminalLine(list)}.\nRun it? [y/N] `)
  if (!/^y(?:es)?$/i.test(answer?.trim() ?? '')) throw refused
}

/** Collects all output, and also writes it while it arrives, unless the command prints one JSON document. */
function collect(context: CommandContext, trace: string | undefined) {
  const written = { stdout: '', stderr: '' }
  const entries = new Map<number, TraceEntry>()
  const file = trace === undefined || trace === '-' ? undefined : resolve(context.directory, trace)
  if (file !== undefined) writeText(file, '')
  const traceLine = (entry: TraceEntry) => {
    if (trace === undefined) return
    const line = `${plainJson(entry, 0)}\n`
    if (file !== undefined) writeText(file, line, 'a')
    else if (context.json !== true) context.write(line)
  }
  return {
    take(event: ScriptEvent) {
      if (event.type === 'output') {
        written[event.stream] = joinOutput(written[event.stream], event.text)
        if (context.json === true) return
        if (event.stream === 'stdout') context.write(event.text, 'result')
        else for (const line of event.text.replace(/\n$/, '').split('\n')) context.say(line)
      } else if (event.type === 'trace') {
        entries.set(event.entry.id, event.entry)
        if (event.entry.status !== 'running') traceLine(event.entry)
      }
    },
    all: () => ({ ...written, trace: [...entries.values()] }),
  }
}
