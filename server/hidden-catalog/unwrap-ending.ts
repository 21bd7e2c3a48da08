/** Unwraps the answer of a server's own tool into the ending of the call of the tool behind it. */
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import { isObject, parseJson, withoutUndefined } from '../../core/json/json.ts'
import { pointerSegments, valueAt } from '../../core/json/pointer.ts'
import type { Ending, Failure, SessionEnding } from '../../core/tool/invocation.ts'
import { readIncurOutput } from '../sources/read-incur-output.ts'
import { exitMessage } from '../sources/run-failure.ts'

export interface UnwrappedEnding {
  readonly ending: SessionEnding
  /** The text on stderr, if the answer is the output of a program. */
  readonly stderr?: string
}

type OutputPointers = HiddenCatalogPattern['output']

/**
 * JSON text becomes the result's value, the output of a program its result or failure, and an error in JSON a failure
 * with its issues. Everything else is unchanged.
 */
export function unwrapEnding(ending: SessionEnding, output: OutputPointers): UnwrappedEnding {
  // The request itself failed.
  if (ending.type === 'failure' && ending.isError !== true) return { ending }
  const [block, ...others] = ending.content
  const text = block?.type === 'text' && others.length === 0 ? block.text : undefined
  const value = ending.structuredContent ?? (text === undefined ? undefined : parseJson(text))
  const run = output === undefined ? undefined : readRun(value, output)
  if (run !== undefined) return { ending: runEnding(ending, run), stderr: run.stderr }
  if (ending.type === 'failure') return { ending: { ...ending, ...readError(text) } }
  if (ending.structuredContent !== undefined || value === undefined || text === undefined) return { ending }
  return { ending: { ...ending, structuredContent: value, raw: text } }
}

/** Returns the value of a result: its JSON, or its text. */
export function endingValue({ structuredContent, content }: Ending): unknown {
  if (structuredContent !== undefined) return structuredContent
  return content.map(block => (block.type === 'text' ? block.text : '')).join('\n')
}

/** Reads the error of a tool that answers `{code, message, fieldErrors}`, as incur's do. */
function readError(text = ''): Partial<Failure> {
  const { error } = readIncurOutput(text, true)
  if (error !== undefined) return { ...error, reason: 'tool-error' }
  return /^Unknown tool: /.test(text) ? { reason: 'not-found' } : {}
}

interface RunOutput {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

function readRun(value: unknown, output: NonNullable<OutputPointers>): RunOutput | undefined {
  const at = (pointer: string) => valueAt(value, pointerSegments(pointer))
  const [stdout, exitCode] = [at(output.stdout), at(output.exitCode)]
  const stderr = output.stderr === undefined ? '' : at(output.stderr)
  if (!isObject(value) || typeof stdout !== 'string' || typeof exitCode !== 'number') return undefined
  return { stdout, exitCode, stderr: typeof stderr === 'string' ? stderr : '' }
}

function runEnding({ meta }: Ending, { stdout, stderr, exitCode }: RunOutput): SessionEnding {
  const result: Ending = {
    content: stdout === '' ? [] : [{ type: 'text', text: stdout }],
    exitCode,
    ...withoutUndefined({ structuredContent: parseJson(stdout), raw: stdout.trim() || undefined, meta }),
  }
  if (exitCode === 0) return { type: 'result', ...result }
  return {
    type: 'failure',
    // Exit code 127 of a shell: the command was not found.
    reason: exitCode === 127 ? 'not-found' : 'exit',
    ...result,
    message: exitMessage(stderr, `exit code ${exitCode}`),
    ...withoutUndefined({ stderr: stderr || undefined }),
  }
}
