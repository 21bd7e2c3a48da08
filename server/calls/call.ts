/** One call, one way: input checked (advisory), the session's call, output checked, every ending timed and judged. */
import { randomUUID } from 'node:crypto'
import type {
  CallEvent,
  Ending,
  SessionEvent,
  Validation,
  ValidationIssue,
} from '../../core/call/invocation.ts'
import { callerSchema } from '../../core/json-schema/caller-schema.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import type { Session } from '../sources/source.ts'
import type { Validator } from '../validation/validator.ts'

export const DEFAULT_TIMEOUT_MS = 60_000

export interface Call {
  readonly tool: Tool
  readonly session: Session
  /** The exact JSON text to send, and its value. */
  readonly input: { readonly text: string; readonly value: unknown }
  readonly timeoutMs: number
  /** Values of an agent's variables. */
  readonly variables?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * Runs a call. Yields `started`, then what the session yields, then one judged `result` or `failure`. Never throws:
 * a session that breaks its word is a failure too. A payload is never held back for being invalid.
 */
export async function* runCall(call: Call, validator: Validator): AsyncGenerator<CallEvent> {
  const { tool, input, timeoutMs } = call
  const started = performance.now()
  const startedAt = new Date().toISOString()
  const inputValidation = await validator.validate(callerSchema(tool.inputSchema), input.value)
  yield {
    type: 'started',
    id: randomUUID(),
    ref: tool.ref,
    startedAt,
    inputText: input.text,
    inputValidation,
    timeoutMs,
  }

  const ending = yield* passOn(call)
  // The tool's own time: what the check of the output takes is not counted.
  const timing = { startedAt, durationMs: Math.round((performance.now() - started) * 10) / 10 }
  const validation = await judge(ending, tool.outputSchema, validator)
  if (ending.type === 'result') yield { ...ending, validation, timing }
  else yield { ...ending, ...placeIssues(ending.issues, inputValidation, tool), validation, timing }
}

async function* passOn(call: Call): AsyncGenerator<CallEvent, Extract<SessionEvent, Ending>> {
  const { session, tool, input, signal, timeoutMs, variables } = call
  if (session.call === undefined)
    return {
      type: 'failure',
      reason: 'not-found',
      content: [],
      message: 'This source can only be looked at.',
    }
  try {
    for await (const event of session.call(tool, input, {
      signal,
      timeoutMs,
      ...(variables ? { variables } : {}),
    })) {
      if (event.type === 'result' || event.type === 'failure') return event
      yield event
    }
    return {
      type: 'failure',
      reason: 'bad-output',
      content: [],
      message: 'The source ended the call without a result.',
    }
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    return { type: 'failure', reason: signal.aborted ? 'cancelled' : 'network', content: [], message }
  }
}

/** A result without structured content breaks an output schema too; a failure's payload is judged when it has one. */
function judge(
  ending: Extract<SessionEvent, Ending>,
  schema: JsonSchema | undefined,
  validator: Validator,
): Promise<Validation> {
  if (schema === undefined) return validator.validate(undefined, undefined)
  if (ending.structuredContent !== undefined) return validator.validate(schema, ending.structuredContent)
  if (ending.type === 'failure' && ending.reason !== 'bad-output')
    return Promise.resolve({
      verdict: 'unchecked',
      issues: [],
      note: 'The call failed: there is no output to check.',
    })
  const issue: ValidationIssue = {
    path: '',
    keyword: 'type',
    message: 'there is no JSON output, and the tool declares an output schema',
    expected: 'JSON',
    actual: 'nothing',
  }
  return Promise.resolve({ verdict: 'invalid', issues: [issue] })
}

/** A program's own issues do not say whether they speak of its input or its output; the schemas do. */
function placeIssues(
  issues: readonly ValidationIssue[] | undefined,
  inputValidation: Validation,
  tool: Tool,
): { issuesOf?: 'input' | 'output' } {
  if (issues === undefined) return {}
  if (inputValidation.verdict === 'invalid') return { issuesOf: 'input' }
  const firstSteps = issues.map(issue => issue.path.split('/')[1] ?? '')
  const inInput = firstSteps.every(step => declares(tool.inputSchema, step))
  const inOutput = firstSteps.every(step => declares(tool.outputSchema, step))
  return { issuesOf: inOutput && !inInput ? 'output' : 'input' }
}

function declares(schema: JsonSchema | undefined, property: string): boolean {
  if (typeof schema !== 'object') return false
  const { properties } = schema
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, property)
}
