/** Calls a tool through `bin/`: the tool writes its result to the file LLM_OUTPUT; stdout and stderr are logs. */
import { delimiter, join } from 'node:path'
import { parseJson, withoutUndefined } from '../../core/json/json.ts'
import { pointerStep } from '../../core/json/pointer.ts'
import type { ContentBlock, Ending, SessionEvent, ValidationIssue } from '../../core/tool/invocation.ts'
import { missingValue } from '../../core/validation/read-issues.ts'
import { type RunResult, runProgram } from '../process/process.ts'
import type { ProgramWire } from '../sources/call-incur.ts'
import { endedEarly, exitMessage, exitText, type FailureCause } from '../sources/run-failure.ts'
import type { CallArguments, CallEvents } from '../sources/source.ts'
import { emitRun } from '../wire/emit.ts'
import { createLlmOutput, maxResultBytes } from './llm-output.ts'
import { refuseDirectory, refuseProgram } from './refuse-program.ts'
import type { TreeCallTarget } from './tree-builder.ts'

export interface TreeProgramCall {
  readonly root: string
  /** The directory in which the tool runs. Absolute. */
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly target: Extract<TreeCallTarget, { kind: 'program' }>
  /** `LLM_AGENT_VAR_…` of an agent's own tool. */
  readonly variables: Readonly<Record<string, string>>
  readonly wire: ProgramWire | undefined
}

export async function* callProgram(call: TreeProgramCall, ...parts: CallArguments): CallEvents {
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
    const args = [...target.words, input.text]
    const set = {
      ...call.variables,
      // Set as a shell does: the inherited PWD is right only for the same folder.
      PWD: directory,
      PATH: `${bin}${delimiter}${call.environment.PATH ?? ''}`,
      LLM_OUTPUT: output.path,
    }
    const started = runProgram(join(bin, target.program), args, {
      directory,
      environment: { ...call.environment, ...set },
      signal: options.signal,
      timeoutMs: options.timeoutMs,
      keepsBackground: options.keepsBackground,
    })
    const { sink, environment } = call.wire ?? {}
    const start = {
      argv: [join(bin, target.program), ...args],
      directory,
      tool: tool.name,
      text: input.text,
      callId: options.callId,
      environment: { ...environment, ...call.variables, LLM_OUTPUT: output.path },
      readOutput: async () => (await output.read()).text,
    }
    const run = sink === undefined ? started : emitRun(sink, start, started)
    for await (const event of run) {
      if (event.type === 'end') yield readFunctionEnding(event.result, await output.read())
      else yield event
    }
  } finally {
    await output.remove()
  }
}

const interpreterHint =
  'The file is there; the interpreter that its first line names is not. Install it, or fix the line.'

type Written = Awaited<ReturnType<Awaited<ReturnType<typeof createLlmOutput>>['read']>>

/** Returns how a call ended, by the run of its program and the text of `LLM_OUTPUT`. */
export function readFunctionEnding(result: RunResult, written: Written): SessionEvent {
  const resultFields = readWrittenResult(result, written)
  const stderr = result.stderr === '' ? {} : { stderr: result.stderr }
  if (result.end !== 'exit') {
    // Drops `raw`: stdout is a log here, not the source of the result.
    const { raw: _stdout, ...early } = endedEarly(result)
    const noInterpreter = result.spawnError?.code === 'ENOENT'
    return { ...early, ...resultFields, ...(noInterpreter ? { hint: interpreterHint } : {}) }
  }
  const endedWell = result.exitCode === 0
  const missing = written.text === '' ? missingCommand(result.stderr, endedWell) : null
  const failed = (reason: 'exit' | 'too-large', cause: FailureCause): SessionEvent => ({
    type: 'failure',
    reason,
    ...resultFields,
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
      message: `The tool wrote more than ${maxResultBytes / 1024 / 1024} MiB to LLM_OUTPUT; the output before that is kept.`,
      hint: 'Ask the tool for less.',
    })
  return { type: 'result', ...resultFields }
}

/** Returns the result as written: JSON if it can be parsed, else text, else nothing. */
function readWrittenResult(result: RunResult, written: Written): Ending {
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

/* Determines why a tool failed from its stderr: a missing program, a Python traceback, a JavaScript error. */

/**
 * Finds a command that the script could not find. A Bash tool without argc ends with exit 0 and an empty result, so
 * successful endings are checked too; then only argc counts, because a script may work without another command.
 */
function missingCommand(stderr: string, endedWell: boolean): FailureCause | null {
  // bash: `x.sh: line 9: argc: command not found`; dash: `x.sh: 9: argc: not found`; env: `env: ‘argc’: No such file`.
  const found = /(?:^|[\s:])([\w.+-]+): (?:command )?not found\s*$/m.exec(stderr)
  const byEnv = /^(?:\S*\/)?env: .?([\w.+-]+?)[’'"]?: No such file or directory/m.exec(stderr)
  const command = found?.[1] ?? byEnv?.[1]
  if (command === undefined || (endedWell && command !== 'argc')) return null
  if (command === 'argc')
    return {
      message: 'The tool needs argc, which is not installed.',
      hint: 'Install it (https://github.com/sigoden/argc#install) and see that it is on the PATH. Without it, every Bash tool ends with exit code 0 and no result.',
    }
  return {
    message: `The tool needs the program ${command}, which was not found.`,
    hint: `Install ${command}, or put it on the PATH.`,
  }
}

function classifyFailure(stderr: string, exit: string): FailureCause {
  return (
    missingCommand(stderr, false) ??
    pythonTraceback(stderr) ??
    runnerWords(stderr) ??
    javascriptError(stderr) ?? { message: exitMessage(stderr, exit) }
  )
}

function pythonTraceback(stderr: string): FailureCause | null {
  const start = stderr.lastIndexOf('Traceback (most recent call last):')
  if (start < 0) return null
  const message = /^(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?:: .*)?$/m.exec(
    // The frames are indented; the first line without indentation names the exception.
    stderr
      .slice(start)
      .split('\n')
      .slice(1)
      .filter(line => /^\S/.test(line))
      .join('\n'),
  )?.[0]
  if (message === undefined) return { message: 'The Python tool ended with a traceback.' }
  const issues = wrongArguments(message)
  return issues.length === 0
    ? { message, hint: 'The traceback in the logs says where.' }
    : { message, hint: 'The function of the tool does not take this input.', issues }
}

/** Converts Python's error for wrong arguments into locations in the input. */
function wrongArguments(message: string): ValidationIssue[] {
  const unexpected = /got an unexpected keyword argument '([^']+)'/.exec(message)?.[1]
  if (unexpected !== undefined)
    return [issueAt(unexpected, 'additionalProperties', 'is not taken by the function')]
  const missing =
    /missing \d+ required (?:positional|keyword-only) arguments?: (.+)$/.exec(message)?.[1] ?? ''
  return [...missing.matchAll(/'([^']+)'/g)].map(([, name = '']) => issueAt(name, 'required', missingValue))
}

/** Recognises the runners' own messages about an input that they cannot read. */
function runnerWords(stderr: string): FailureCause | null {
  const words = /\b(?:Invalid|No) JSON data\b/i.exec(stderr)?.[0]
  if (words === undefined) return null
  return {
    message: `The tool’s runner said: ${words}.`,
    hint: 'It takes one JSON object. Where the input is one, the runner’s own JSON reader (jq) refused it.',
  }
}

function javascriptError(stderr: string): FailureCause | null {
  const message = /^(?:Uncaught )?((?:\w*Error|Error \[\w+\]): .*)$/m.exec(stderr)?.[1]
  return message === undefined ? null : { message }
}

function issueAt(name: string, keyword: string, message: string): ValidationIssue {
  return { path: pointerStep(name), keyword, message }
}
