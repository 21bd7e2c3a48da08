/** Calls as they end, for tests and benchmarks: through the very events that a real call yields. */
import { randomUUID } from 'node:crypto'
import type { CallEvent, EndedEvent, Validation } from '../../core/tool/invocation.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { CallFacts } from './record.ts'

export const testTool: Tool = {
  ref: 'acme/api greet',
  source: 'acme',
  name: 'api greet',
  index: 0,
  callable: true,
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, pin: { type: 'string', format: 'password' } },
  },
}

const valid: Validation = { verdict: 'valid', issues: [] }

export interface TestCall {
  readonly tool?: Tool
  readonly input?: unknown
  readonly startedAt?: number
  readonly durationMs?: number
  readonly ending?: Partial<EndedEvent>
  readonly logs?: readonly CallEvent[]
  readonly origin?: CallFacts['origin']
  readonly secrets?: readonly string[]
  readonly variables?: CallFacts['variables']
}

/** The events of one call, and who made it. */
export function testCall(call: TestCall = {}): { id: string; events: CallEvent[]; facts: CallFacts } {
  const { tool = testTool, input = { name: 'Ada' }, logs = [], ending, secrets, variables } = call
  const id = randomUUID()
  const startedAt = new Date(call.startedAt ?? Date.now()).toISOString()
  const started: CallEvent = {
    type: 'started',
    id,
    ref: tool.ref,
    startedAt,
    inputText: JSON.stringify(input),
    timeoutMs: 60_000,
  }
  const end = {
    type: 'result',
    content: [],
    validation: valid,
    timing: { startedAt, durationMs: call.durationMs ?? 12.5 },
    ...ending,
  } as EndedEvent
  return {
    id,
    events: [started, { type: 'input-validation', validation: valid }, ...logs, end],
    facts: {
      tool,
      origin: call.origin ?? 'page',
      inputValue: input,
      variables,
      ...(secrets ? { secrets } : {}),
    },
  }
}

export async function* asStream(events: readonly CallEvent[]): AsyncGenerator<CallEvent> {
  yield* events
}
