/** Source kind: a command-line program that describes itself with `--llms` and takes its input as `--json <value>`. */
import { resolve } from 'node:path'
import { isObject, withoutUndefined } from '../../core/json/json.ts'
import { toPointer } from '../../core/json/pointer.ts'
import type { Ending, SessionEvent, ValidationIssue } from '../../core/tool/invocation.ts'
import { maskWords } from '../../core/tool/mask.ts'
import { type ManifestTool, nameSegments } from '../../core/tool/tool.ts'
import { fileStatus, findOnPath, formatCommand, resolveProgram } from '../process/command-line.ts'
import { type RunResult, runProgram } from '../process/process.ts'
import { callIncur, emitCall, type ProgramWire, programOfNames } from './call-incur.ts'
import { findJson } from './json-output.ts'
import { programEnvironment } from './program-environment.ts'
import { programFiles } from './program-files.ts'
import {
  type LlmsFlags,
  type LlmsProgramConfig,
  readProgramManifest,
  usualFlags,
} from './read-program-manifest.ts'
import {
  endedEarly,
  exitMessage,
  exitText,
  type FailureCause,
  failedRun,
  failure,
  readPartialOutput,
  refuseLongInput,
} from './run-failure.ts'
import type {
  CallArguments,
  CallEvents,
  CallInput,
  Session,
  SourceContext,
  SourceKind,
  SourceSettings,
} from './source.ts'

export const llmsProgram: SourceKind<LlmsProgramConfig> = {
  kind: 'llms-program',

  async detect(words, context) {
    const [program = ''] = words
    const named =
      fileStatus(resolve(context.directory, program))?.isFile() || findOnPath(program, context.environment)
    return named ? { command: words } : null
  },

  async open(config, settings, context) {
    return new LlmsProgramSession(config, settings, context)
  },
}

class LlmsProgramSession implements Session {
  readonly kind = 'llms-program'
  readonly label: string
  readonly secrets: readonly string[]
  private readonly base: {
    argv: readonly string[]
    flags: typeof usualFlags
    directory: string
    environment: NodeJS.ProcessEnv
    listTimeoutMs: number | undefined
    wire: ProgramWire | undefined
  }
  /** The argv that the names are relative to; only for incur programs. */
  private incurArgv: readonly string[] | undefined
  private readonly subprograms: readonly string[]
  /** The tool, if the manifest lists only one: it may be the program itself. */
  private lone: ManifestTool | undefined
  /** Whether the only tool is the program itself; undefined until a call has shown it. */
  private programIsTool: boolean | undefined

  constructor(config: LlmsProgramConfig, settings: SourceSettings, context: SourceContext) {
    const directory = resolve(context.directory, config.directory ?? '.')
    const argv = resolveProgram(config.command, directory, context.environment)
    this.base = {
      argv,
      flags: { ...usualFlags, ...withoutUndefined({ ...config.flags }) },
      directory,
      environment: programEnvironment(context.environment, settings, 'everything'),
      listTimeoutMs: settings.listTimeoutMs,
      wire: context.wire && { sink: context.wire, environment: settings.environment },
    }
    this.subprograms = config.subprograms ?? []
    this.label = formatCommand(config.command)
    this.secrets = maskWords(config.command).secrets
  }

  /** Computed again after each reading: the imports of a program may change. */
  get watch(): readonly string[] {
    return programFiles(this.base.argv, this.base.directory)
  }

  about() {
    const { input } = this.base.flags
    return input === usualFlags.input ? {} : { inputFlag: input }
  }

  async manifest(signal: AbortSignal) {
    const manifest = await readProgramManifest({ ...this.base, subprograms: this.subprograms }, signal)
    this.incurArgv = manifest.format === 'incur' ? programOfNames(this.base.argv, manifest.tools) : undefined
    const [first] = manifest.tools
    this.lone =
      manifest.tools.length === 1 && first && nameSegments(first.name).length === 1 ? first : undefined
    return manifest
  }

  call(...parts: CallArguments) {
    const [{ name }] = parts
    if (this.incurArgv !== undefined) return callIncur({ ...this.base, argv: this.incurArgv }, ...parts)
    const isLone = name === this.lone?.name
    const call = {
      ...this.base,
      addresses: isLone ? this.loneAddresses(name) : [nameSegments(name)],
      accepted: (address: readonly string[]) => {
        if (isLone) this.programIsTool = address.length === 0
      },
    }
    return callProgram(call, ...parts)
  }

  async close() {
    // A program has no open connection between calls.
  }

  /**
   * A manifest with one plain name comes from a program that is itself the tool (`solo`), from a leaf (`acme api
   * greet`), or from a program with a single command; the manifest does not say which. If the program has the name of
   * its tool, it is first called as the tool; the other form follows if the parser refuses.
   */
  private loneAddresses(name: string): readonly (readonly string[])[] {
    const asTool: readonly string[] = []
    const asCommand = [name]
    if (this.programIsTool !== undefined) return [this.programIsTool ? asTool : asCommand]
    const last = this.base.argv.at(-1)?.split('/').at(-1) ?? ''
    const likely = last === name || last.startsWith(`${name}.`)
    return likely ? [asTool, asCommand] : [asCommand, asTool]
  }
}

/* The parts of a call: `program …name --json <value>`. */

interface LlmsCall {
  readonly argv: readonly string[]
  readonly flags: LlmsFlags
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly wire: ProgramWire | undefined
  /**
   * Addresses in the order of the tries. The next one is tried only if the program's parser refused, so nothing runs
   * twice.
   */
  readonly addresses: readonly (readonly string[])[]
  /** Receives the address that the program accepted. */
  readonly accepted?: (address: readonly string[]) => void
}

async function* callProgram(call: LlmsCall, ...parts: CallArguments): CallEvents {
  const [tool, input, options] = parts
  const refusal = refuseBeforeStart(tool, input, call.flags)
  if (refusal !== null) {
    yield refusal
    return
  }
  const deadline = performance.now() + options.timeoutMs
  for (const [position, address] of call.addresses.entries()) {
    const isLast = position === call.addresses.length - 1
    const [file = '', ...rest] = call.argv
    const args = [...rest, ...address, call.flags.input, input.text]
    const started = runProgram(file, args, {
      directory: call.directory,
      environment: call.environment,
      ...options,
      timeoutMs: Math.max(1, deadline - performance.now()),
    })
    const run = emitCall(call, [file, ...args], started, parts)
    let held = ''
    for await (const event of run) {
      if (event.type !== 'end') {
        // A parser's refusal is one `error: …` line. It is held back until the run ends, because another address may
        // follow.
        if (!isLast && event.type === 'stderr' && (held !== '' || event.text.startsWith('error: ')))
          held += event.text
        else yield event
        continue
      }
      const { result } = event
      const verdict = failedExit(result) ? classifyStderr(result.stderr, call.flags, exitText(result)) : null
      if (!isLast && (verdict?.kind === 'too-many-arguments' || verdict?.kind === 'unknown-input-flag')) break
      if (held !== '') yield { type: 'stderr', text: held }
      if (verdict === null) call.accepted?.(address)
      yield readLlmsEnding(result, tool, call.flags)
      return
    }
  }
}

function refuseBeforeStart(tool: ManifestTool, input: CallInput, flags: LlmsFlags): SessionEvent | null {
  const flagLike = nameSegments(tool.name).find(segment => segment.startsWith('-'))
  if (flagLike !== undefined)
    return failure(
      'not-found',
      `The name holds "${flagLike}", which a command line would read as an option: not called.`,
      'No program can have a command of that name; its manifest is broken or hostile.',
    )
  return refuseLongInput(
    input.text,
    `This protocol passes the input as the value of ${flags.input} and has no other way. Make the input smaller, or let the tool read a file that the input names.`,
  )
}

/** Returns how a call ended, by the run of its program. */
export function readLlmsEnding(
  result: RunResult,
  tool: ManifestTool,
  flags: LlmsFlags = usualFlags,
): SessionEvent {
  if (result.end !== 'exit') return endedEarly(result)
  if (!failedExit(result)) return readSuccess(result, tool, flags)
  return failedRun(result, classifyStderr(result.stderr, flags, exitText(result)))
}

const failedExit = (result: RunResult) => result.end === 'exit' && result.exitCode !== 0

function readSuccess(result: RunResult, tool: ManifestTool, flags: LlmsFlags): SessionEvent {
  const notes = result.validUtf8 ? [] : ['stdout held bytes that are not UTF-8; they are shown as \uFFFD']
  const json = findJson(result.stdout)
  if (json !== null) {
    if (json.rest.trim() !== '')
      notes.push('the program printed other text around its JSON; it is in the logs')
    const ending: Ending = { content: [], structuredContent: json.value, raw: json.text, exitCode: 0 }
    return { type: 'result', ...ending, ...toNoteField(notes) }
  }
  if (tool.outputSchema === undefined)
    return { type: 'result', ...readPartialOutput(result), ...toNoteField(notes) }
  const silent = result.stdout.trim() === ''
  return {
    type: 'failure',
    reason: 'bad-output',
    ...readPartialOutput(result),
    ...toNoteField(notes),
    message: silent
      ? 'The program ended well but printed nothing.'
      : 'The program ended well but printed no JSON.',
    hint: silent
      ? `A program prints nothing when it does not see its input flag: if it is not ${flags.input}, set "flags" in toolscope.json.`
      : 'The tool declares an output schema, so its stdout should be JSON. The output is shown unchanged.',
    stderr: result.stderr,
  }
}

const toNoteField = (notes: readonly string[]) => (notes.length === 0 ? {} : { note: `${notes.join('; ')}.` })

/*
 * The cause of a failed call by its stderr. In the `--json` protocol every failure has exit code 1, so stderr decides.
 */

interface StderrVerdict extends FailureCause {
  readonly kind:
    | 'unknown-input-flag'
    | 'too-many-arguments'
    | 'command-line'
    | 'schema'
    | 'bad-json'
    | 'error'
    | 'unknown'
}

function classifyStderr(stderr: string, flags: LlmsFlags, exit: string): StderrVerdict {
  const parser = /^error: (.*)$/m.exec(stderr)
  if (parser?.[1] !== undefined) return classifyParserError(parser[1], flags)

  const zod = readZodError(stderr)
  if (zod !== null) {
    const all = [...new Set(zod.issues.map(issue => issue.path || 'the value'))]
    const locations = `${all.slice(0, 3).join(', ')}${all.length > 3 ? ' …' : ''}`
    if (zod.issuesOf === 'output')
      return {
        kind: 'schema',
        reason: 'bad-output',
        message: `The program broke its own output schema: ${locations}`,
        hint: 'The input was accepted and the tool ran. Its result did not fit, and the program printed none.',
        ...zod,
      }
    return {
      kind: 'schema',
      message: `The program refused a value: ${locations}`,
      hint: 'The program’s own checks can be stricter than the schema it publishes.',
      ...zod,
    }
  }
  const named = /^(?:Uncaught )?(\w*Error: .*)$/m.exec(stderr)?.[1]
  if (named?.startsWith('SyntaxError: ') && /JSON|token|Unexpected/.test(named))
    return {
      kind: 'bad-json',
      message: named,
      hint: `The program could not parse the value of ${flags.input} as JSON.`,
    }
  if (named !== undefined) return { kind: 'error', message: named }
  return { kind: 'unknown', message: exitMessage(stderr, exit) }
}

function classifyParserError(text: string, flags: LlmsFlags): StderrVerdict {
  const message = `The program rejected its command line: ${text}`
  if (text.includes(`unknown option '${flags.input}'`))
    return {
      kind: 'unknown-input-flag',
      message,
      hint: `It lists this tool but does not take ${flags.input} for it: the tool is a group or documentation, has its JSON input switched off, or the flag has another name (set "flags": {"input": "--…"} in toolscope.json).`,
    }
  if (text.startsWith('too many arguments'))
    return {
      kind: 'too-many-arguments',
      message,
      hint: 'The program is the tool itself: its name is not an argument.',
    }
  return {
    kind: 'command-line',
    message,
    hint: 'The program refused the command line before it ran anything. Refresh the source: its list may be old.',
  }
}

interface ZodFailure {
  readonly issues: readonly ValidationIssue[]
  readonly issuesOf?: 'input' | 'output'
}

/**
 * Reads the JSON array behind `ZodError: [`, or returns null. The array ends at the first line that begins with `]`.
 * The line of code that Node prints before the error tells whether it is about the input or the output: fireargs has
 * `input.parse(…)` and `output.parse(…)` there.
 */
function readZodError(stderr: string): ZodFailure | null {
  const start = /ZodError: (?=\[)/.exec(stderr)
  if (start === null) return null
  const from = start.index + start[0].length
  const end = stderr.slice(from).search(/^\]/m)
  const parsed = /\b(input|output)\.parse\(/.exec(
    stderr.slice(0, start.index).split('\n').slice(-5).join('\n'),
  )?.[1]
  try {
    const list: unknown = JSON.parse(end < 0 ? '[]' : stderr.slice(from, from + end + 1))
    if (!Array.isArray(list)) return null
    const issues = list.slice(0, 100).map(toIssue)
    return parsed === 'input' || parsed === 'output' ? { issues, issuesOf: parsed } : { issues }
  } catch {
    return null
  }
}

function toIssue(entry: unknown): ValidationIssue {
  const record = isObject(entry) ? entry : {}
  const path = Array.isArray(record.path) ? record.path : []
  return {
    path: toPointer(path.map(String)),
    keyword: typeof record.code === 'string' ? record.code : 'invalid',
    message: typeof record.message === 'string' ? record.message : 'refused by the program',
    ...(typeof record.expected === 'string' ? { expected: record.expected } : {}),
  }
}
