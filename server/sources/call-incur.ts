/** Calls one command of an incur program. */

import { getIncurMapping, incurWords } from '../../core/manifest/incur.ts'
import type { Ending, SessionEvent } from '../../core/tool/invocation.ts'
import { type ManifestTool, nameSegments } from '../../core/tool/tool.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { maxArgumentBytes, type RunEvent, type RunResult, runProgram } from '../process/process.ts'
import { emitRun } from '../wire/emit.ts'
import { readIncurOutput } from './read-incur-output.ts'
import { endedEarly, exitText, failedRun, failure, readPartialOutput } from './run-failure.ts'
import type { CallArguments, CallEvents } from './source.ts'

export interface IncurProgram {
  readonly argv: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly wire: ProgramWire | undefined
}

/** The wire of a source that starts a program for each call. */
export interface ProgramWire {
  readonly sink: WireSink
  /** The variables of the source's settings. */
  readonly environment: Readonly<Record<string, string>> | undefined
}

/** Emits the messages of a call's run, if there is a wire. */
export function emitCall(
  { wire, directory }: Pick<IncurProgram, 'wire' | 'directory'>,
  argv: readonly string[],
  run: AsyncIterable<RunEvent>,
  [{ name: tool }, { text }, { callId }]: CallArguments,
): AsyncIterable<RunEvent> {
  const { sink, environment } = wire ?? {}
  return sink === undefined ? run : emitRun(sink, { argv, directory, environment, tool, text, callId }, run)
}

/**
 * Uses `jsonl`: a command that streams prints each chunk as it comes and keeps the chunks before an error. With `json`
 * it prints only at its end and drops them. Other commands print the same value in both formats.
 */
const format = ['--format', 'jsonl'] as const

export async function* callIncur(program: IncurProgram, ...parts: CallArguments): CallEvents {
  const [tool, input, options] = parts
  const name = nameSegments(tool.name)
  const said = name.some(word => word.startsWith('-'))
    ? { refusal: 'The name begins with a dash, which the program would read as an option.' }
    : incurWords(input.text, getIncurMapping(tool))
  const tooLong =
    'words' in said ? said.words.find(word => Buffer.byteLength(word) > maxArgumentBytes) : undefined
  if ('refusal' in said || tooLong !== undefined) {
    yield 'refusal' in said
      ? failure(
          'spawn',
          `Not called. ${said.refusal}`,
          'incur programs take their input as command-line words. Change the input.',
        )
      : failure(
          'spawn',
          'Not called. A value is too long.',
          `One argument can hold ${maxArgumentBytes.toLocaleString('en')} bytes.`,
        )
    return
  }
  const [file = '', ...rest] = program.argv
  const args = [...rest, ...name, ...said.words, ...format]
  const started = runProgram(file, args, {
    directory: program.directory,
    environment: program.environment,
    ...options,
  })
  const run = emitCall(program, [file, ...args], started, parts)
  for await (const event of run) {
    if (event.type === 'end') yield readIncurEnding(event.result)
    else yield event
  }
}

/** Returns how a call ended, by the run of its command. */
export function readIncurEnding(result: RunResult): SessionEvent {
  const failed = result.end !== 'exit' || result.exitCode !== 0
  const output = readIncurOutput(result.stdout, failed)
  const resultFields: Partial<Ending> =
    output.value === undefined ? {} : { content: [], structuredContent: output.value, raw: result.stdout }
  if (result.end !== 'exit') return { ...endedEarly(result), ...resultFields }
  if (failed || output.error !== undefined) {
    const firstLine = result.stderr.split('\n').find(line => line.trim() !== '')
    const exit = exitText(result)
    const verdict = output.error ?? { message: firstLine === undefined ? exit : `${exit}: ${firstLine}` }
    return { ...failedRun(result, verdict), ...resultFields }
  }
  if (output.value === undefined) return { type: 'result', ...readPartialOutput(result) }
  const { value, chunks } = output
  const ending = { content: [], structuredContent: value, raw: result.stdout.trim(), exitCode: 0 } as const
  const note = `The command streamed ${chunks} chunks; they are shown as a list.`
  return { type: 'result', ...ending, ...(chunks === undefined ? {} : { note }) }
}

/**
 * Returns the argv that incur's names are relative to. A sub-program (`desk api`) also lists absolute names (`api
 * greet`), so the words that all names share are removed from the end of the argv.
 */
export function programOfNames(argv: readonly string[], tools: readonly ManifestTool[]): readonly string[] {
  const [first] = tools
  if (first === undefined) return argv
  for (let count = Math.min(argv.length - 1, nameSegments(first.name).length); count > 0; count--) {
    const tail = argv.slice(-count)
    const isPrefix = (tool: ManifestTool) =>
      tail.every((word, position) => nameSegments(tool.name)[position] === word)
    if (tools.every(isPrefix)) return argv.slice(0, -count)
  }
  return argv
}
