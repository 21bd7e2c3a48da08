/** For faces that pass a session's own events on (bridge, MCP server): nothing is judged, the call is remembered. */
import { randomUUID } from 'node:crypto'
import type { SessionEvent, Validation } from '../../core/call/invocation.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { CallInput } from '../sources/source.ts'
import { CallNotes } from './call-notes.ts'
import type { History } from './history.ts'

/** A session's events on their way to a caller, as they are or noted. */
export type PassOn = (
  events: AsyncIterable<SessionEvent>,
  call: {
    readonly tool: Tool
    readonly input: CallInput
    readonly timeoutMs: number
    /** Values that no note may hold. */
    readonly secrets: readonly string[]
  },
) => AsyncIterable<SessionEvent>

const unjudged: Validation = {
  verdict: 'unchecked',
  issues: [],
  note: 'The call was passed on without a judgement.',
}

export function passOnTo(history: History, origin: 'bridge' | 'mcp'): PassOn {
  return async function* (events, { tool, input, timeoutMs, secrets }) {
    const notes = new CallNotes()
    const began = performance.now()
    const startedAt = new Date().toISOString()
    notes.hear({
      type: 'started',
      id: randomUUID(),
      ref: tool.ref,
      startedAt,
      inputText: input.text,
      inputValidation: unjudged,
      timeoutMs,
    })
    try {
      for await (const event of events) {
        if (event.type === 'result' || event.type === 'failure') {
          const durationMs = Math.round((performance.now() - began) * 10) / 10
          notes.hear({ ...event, validation: unjudged, timing: { startedAt, durationMs } })
        } else notes.hear(event)
        yield event
      }
    } finally {
      history.noteLater(notes, { tool, origin, inputValue: input.value, secrets })
    }
  }
}
