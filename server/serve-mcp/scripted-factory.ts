/** Serves the catalog as one MCP tool that takes a script: the compact form of a large catalog. */

import { z } from 'zod'
import { withoutUndefined } from '../../core/json/json.ts'
import { scriptedParts, wirePrompt } from '../../core/prompt/prompt.ts'
import { selectCommands, type ToolCommands } from '../../core/prompt/tool-commands.ts'
import { defaultScriptLimits, joinOutput } from '../../core/script/protocol.ts'
import { runHelpCommand, scriptToolCommands } from '../../core/script/script-tools.ts'
import type { ScriptEnd, ScriptEvent, TraceEntry } from '../../core/script/trace.ts'
import type { Caller } from '../calls/call.ts'
import { runCatalogScript } from '../calls/script-runner.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { readServed, type ServedPins } from '../pins/refused-entry.ts'
import type { Validator } from '../workers/validator.ts'
import { createMcpFactory, type McpFactory, type ServedCatalog } from './mcp-factory.ts'

export interface ScriptedCatalog {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly call: Caller
  readonly pins: ServedPins
  /** Time limit of one call in milliseconds; a script has the usual limit of scripts. */
  readonly timeoutMs: number
  /** Whether tools that need confirmation may be called, because no user can be asked. */
  readonly allowDestructive: boolean
  /** Whether scripts may use files of their own; true by default. */
  readonly files?: boolean
  /** Resolves when every source has returned its list or failed. */
  readonly opened: Promise<unknown>
  readonly notifications: ServedCatalog['notifications']
  readonly refused?: ServedCatalog['refused']
}

const scriptToolName = 'run_script'
/** Advice that the engine's own prompt lacks and that models need. */
const advice =
  "'help <tool>' shows its flags, '<tool> --dry-run …' checks an input. jq, pipes and loops work; there are no files of the host and no network. Put double quotes around variables."
/** Maximum characters of stdout and of stderr in an answer. */
const maxOutput = 200_000

const callInput = z.strictObject({
  script: z.string().optional(),
  help: z.string().optional(),
  discover: z.string().optional(),
})

const text = (description: string) => ({ type: 'string', description })
const string = { type: 'string' } as const

const inputSchema = {
  type: 'object',
  properties: {
    script: text('The bash script to run.'),
    help: text('Instead of a script: the command whose flags and schema are wanted, or --list.'),
    discover: text('Instead of a script: a word to find commands by, in names and descriptions.'),
  },
  additionalProperties: false,
} as const

const outputSchema = {
  type: 'object',
  properties: {
    stdout: string,
    stderr: string,
    exitCode: { type: 'integer' },
    ending: {
      type: 'string',
      enum: ['finished', 'limit', 'cancelled', 'syntax', 'broken'],
      description: 'How the script ended: on its own, at a limit, …',
    },
    calls: {
      type: 'array',
      description: 'The tools it called, in order.',
      items: {
        type: 'object',
        properties: {
          command: string,
          status: string,
          durationMs: { type: 'number' },
          message: string,
        },
        required: ['command', 'status', 'durationMs'],
      },
    },
  },
  required: ['stdout', 'stderr', 'exitCode', 'ending', 'calls'],
} as const

export function scriptedFactory(served: ScriptedCatalog): McpFactory {
  const { catalog, allowDestructive, files = true } = served
  const allNames = catalog.sources.cached(() =>
    scriptToolCommands(catalog.tools.list(), catalog.knownNames()),
  )
  /** The tools whose calls are not refused: the others have no command, and no help. */
  const names = () =>
    readServed(served.pins, refusals =>
      // Named among all: a refused tool must not give its name to another one.
      refusals.size === 0 ? allNames() : selectCommands(allNames(), ({ ref }) => !refusals.has(ref)),
    )
  return createMcpFactory(served, {
    async list() {
      const { entries } = await names()
      const prompt = wirePrompt(scriptedParts(entries, { compact: true, set: 'toolscope', files }))
      const description = `${prompt} ${advice}`
      const annotations = { title: 'Run a script', destructiveHint: allowDestructive }
      return { tools: [{ name: scriptToolName, description, inputSchema, outputSchema, annotations }] }
    },
    call: (name, input, { signal }) =>
      name === scriptToolName ? names().then(known => answerCall(served, known, input, signal)) : undefined,
  })
}

async function answerCall(served: ScriptedCatalog, names: ToolCommands, input: unknown, signal: AbortSignal) {
  const parsed = callInput.safeParse(input)
  const given = parsed.success ? Object.values(parsed.data).filter(each => each !== undefined) : []
  if (!parsed.success || given.length !== 1)
    return failure('Give exactly one of "script", "help" and "discover", each a text.')
  const { script, help, discover } = parsed.data
  if (help !== undefined) return answerHelp(names, 'help', [help])
  if (discover !== undefined) return answerHelp(names, 'discover', ['--search', discover])
  return runOne(served, names, script ?? '', signal)
}

async function runOne(
  { call, validator, allowDestructive, timeoutMs, files = true }: ScriptedCatalog,
  names: ToolCommands,
  script: string,
  signal: AbortSignal,
) {
  const written = { stdout: '', stderr: '' }
  const calls = new Map<number, TraceEntry>()
  const running = await runCatalogScript({
    script,
    names,
    call,
    validator,
    files,
    confirmed: allowDestructive ? 'all' : new Set<string>(),
    limits: { timeMs: Math.max(timeoutMs, defaultScriptLimits.timeMs), output: maxOutput },
    callTimeoutMs: timeoutMs,
    onEvent: (event: ScriptEvent) => {
      if (event.type === 'output') written[event.stream] = joinOutput(written[event.stream], event.text)
      else if (event.type === 'trace') calls.set(event.entry.id, event.entry)
    },
  })
  if (signal.aborted) running.cancel()
  signal.addEventListener('abort', running.cancel, { once: true })
  const end = await running.ended
  return answer(written.stdout, written.stderr, end, [...calls.values()])
}

function answerHelp(names: ToolCommands, name: string, words: readonly string[]) {
  const { stdout, stderr, exitCode } = runHelpCommand(names, name, words)
  return answer(stdout, stderr, { ending: 'finished', exitCode, durationMs: 0 }, [])
}

function answer(stdout: string, stderr: string, end: ScriptEnd, trace: readonly TraceEntry[]) {
  const { ending, exitCode, message } = end
  const said = [
    stdout,
    stderr && `stderr:\n${stderr}`,
    message,
    exitCode === 0 ? '' : `exit code ${exitCode}`,
  ]
  const joined = said.filter(part => part !== undefined && part !== '').join('\n')
  const calls = trace.map(entry => {
    const { command, status, durationMs } = entry
    return withoutUndefined({ command, status, durationMs, message: entry.message })
  })
  return {
    content: [{ type: 'text' as const, text: joined }],
    structuredContent: {
      stdout,
      stderr: message ? `${stderr}${message}\n` : stderr,
      exitCode,
      ending,
      calls,
    },
    ...(exitCode === 0 ? {} : { isError: true }),
  }
}

function failure(text: string) {
  return { content: [{ type: 'text' as const, text }], isError: true }
}
