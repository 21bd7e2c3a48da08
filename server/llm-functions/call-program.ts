/** Calls a tool through `bin/`: the result comes in the file LLM_OUTPUT, stdout and stderr are logs. */

import { delimiter, join } from 'node:path'
import { parseJson, withoutUndefined } from '../../core/json/json.ts'
import type { ContentBlock, Ending, SessionEvent } from '../../core/tool/invocation.ts'
import { type RunResult, runProgram } from '../process/process.ts'
import { endedEarly, exitText, type FailureCause } from '../sources/run-failure.ts'
import type { CallArguments, CallEvents } from '../sources/source.ts'
import { classifyFailure, missingCommand } from './classify-failure.ts'
import { createLlmOutput, maxResultBytes } from './llm-output.ts'
import { refuseDirectory, refuseProgram } from './refuse-program.ts'
import type { CallTarget } from './tree-builder.ts'

export interface ProgramCall {
  readonly root: string
  /** Where the tool runs. Absolute. */
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly target: Extract<CallTarget, { kind: 'program' }>
  /** `LLM_AGENT_VAR_…` of an agent's own tool. */
  readonly variables: Readonly<Record<string, string>>
}

export async function* callProgram(call: ProgramCall, ...parts: CallArguments): CallEvents {
  const [tool, input, options] = parts
  const { root, directory, target } = call
  const refusal = refuseDirectory(directory) ?? refuseProgram(root, target, tool, input)
  if (refusal !== null) {
    yield refusal
    return
  }
  const output = await createLlmOutput()
  try {
    const bin = join(root, 'bin')
    const run = runProgram(join(bin, target.program), [...target.words, input.text], {
      directory,
      environment: {
        ...call.environment,
        ...call.variables,
        // As a shell has it there; the inherited one is right only where that is the same folder.
        PWD: directory,
        PATH: `${bin}${delimiter}${call.environment.PATH ?? ''}`,
        LLM_OUTPUT: output.path,
      },
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      keepsBackground: options.keepsBackground,
    })
    for await (const event of run) {
      if (event.type === 'end') yield readEnding(event.result, await output.read())
      else yield event
    }
  } finally {
    await output.remove()
  }
}

const interpreterHint =
  'The file is there; the interpreter that its first line names is not. Install it, or fix the line.'

type Written = Awaited<ReturnType<Awaited<ReturnType<typeof createLlmOutput>>['read']>>

function readEnding(result: RunResult, written: Written): SessionEvent {
  const kept = keptResult(result, written)
  const stderr = result.stderr === '' ? {} : { stderr: result.stderr }
  if (result.end !== 'exit') {
    // Its stdout is logs here, not what the result was read from.
    const { raw: _stdout, ...early } = endedEarly(result)
    const noInterpreter = result.spawnError?.code === 'ENOENT'
    return { ...early, ...kept, ...(noInterpreter ? { hint: interpreterHint } : {}) }
  }
  const endedWell = result.exitCode === 0
  const missing = written.text === '' ? missingCommand(result.stderr, endedWell) : null
  const failed = (reason: 'exit' | 'too-large', cause: FailureCause): SessionEvent => ({
    type: 'failure',
    reason,
    ...kept,
    ...cause,
    ...stderr,
  })
  if (missing !== null) return failed('exit', missing)
  if (!endedWell) {
    const signal = result.signal === undefined ? {} : { signal: result.signal }
    return { ...failed('exit', classifyFailure(result.stderr, exitText(result))), ...signal }
  }
  if (written.cut)
    return failed('too-large', {
      message: `The tool wrote more than ${maxResultBytes / 1024 / 1024} MiB to LLM_OUTPUT; what came before is kept.`,
      hint: 'Ask the tool for less.',
    })
  return { type: 'result', ...kept }
}

/** The result as it was written: JSON where it parses, else text, else nothing. */
function keptResult(result: RunResult, written: Written): Ending {
  const { text } = written
  const json = written.cut ? undefined : parseJson(text)
  const notes = written.validUtf8
    ? []
    : ['The result held bytes that are not UTF-8; they are shown as \uFFFD.']
  if (text.trim() === '' && result.exitCode === 0)
    notes.push(
      result.stdout.trim() === ''
        ? 'Done, without output.'
        : 'Done, without output: nothing was written to LLM_OUTPUT. What was printed is in the logs.',
    )
  const content: ContentBlock[] = text === '' || json !== undefined ? [] : [{ type: 'text', text }]
  return withoutUndefined({
    content,
    structuredContent: json,
    raw: text || undefined,
    note: notes.join(' ') || undefined,
    exitCode: result.exitCode,
  })
}
