import { describe, expect, it } from 'vitest'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { foldEvents, localFailure, startInvocation } from './invocation.ts'
import { addLog, countLines, maxLogLength, noLogs, withoutResult } from './logs.ts'

const started: CallEvent = {
  type: 'started',
  id: '1',
  ref: 'acme/greet',
  startedAt: '2026-11-21T18:30:00Z',
  inputText: '{"name":"Ada"}',
  timeoutMs: 60_000,
}
const result: CallEvent = {
  type: 'result',
  content: [{ type: 'text', text: '{"greeting":"hi"}' }],
  structuredContent: { greeting: 'hi' },
  raw: '{"greeting":"hi"}',
  validation: { verdict: 'valid', issues: [] },
  timing: { startedAt: '2026-11-21T18:30:00Z', durationMs: 12 },
}
const fresh = startInvocation('acme/greet', '{}', 0)

describe('foldEvents', () => {
  it('keeps the input that was sent, the ending and the logs', () => {
    const state = foldEvents(fresh, [
      started,
      { type: 'input-validation', validation: { verdict: 'valid', issues: [] } },
      { type: 'stderr', text: 'warming up\n' },
      { type: 'progress', progress: 1, total: 3 },
      { type: 'stdout', text: 'loading\n' },
      { type: 'stdout', text: '{"greeting":' },
      { type: 'stdout', text: '"hi"}\n' },
      result,
    ])
    expect(state.inputText).toBe('{"name":"Ada"}')
    expect(state.progress).toEqual({ progress: 1, total: 3 })
    expect(state.inputValidation?.verdict).toBe('valid')
    expect(state.ending).toBe(result)
    expect(state.logs.chunks).toEqual([
      { stream: 'stderr', text: 'warming up\n' },
      { stream: 'stdout', text: 'loading\n' },
    ])
    expect(countLines(state.logs)).toBe(2)
  })

  it('changes nothing after the ending', () => {
    const ended = foldEvents(fresh, [started, result])
    expect(foldEvents(ended, [{ type: 'stdout', text: 'late' }])).toBe(ended)
  })

  it('keeps stdout as logs when the call gives no result', () => {
    const ending = localFailure(fresh, { reason: 'cancelled', message: 'Cancelled.' }, 40)
    const state = foldEvents(fresh, [started, { type: 'stdout', text: 'half a line' }, ending])
    expect(state.logs.chunks).toEqual([{ stream: 'stdout', text: 'half a line' }])
    expect(state.ending?.timing.durationMs).toBe(40)
  })
})

describe('call logs', () => {
  it('have a maximum length, and count what was dropped', () => {
    let logs = noLogs
    for (let i = 0; i < 30; i += 1)
      logs = addLog(logs, { stream: i % 2 ? 'stdout' : 'stderr', text: 'x'.repeat(50_000) })
    expect(logs.length).toBe(maxLogLength)
    expect(logs.dropped).toBe(500_000)
    expect(logs.chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)).toBe(maxLogLength)
  })

  it('leave out a result that was streamed in part', () => {
    const raw = `{"text": "${'y'.repeat(400_000)}"}`
    const streamed = `loading\n${raw.slice(0, 262_144)}\n… the rest is not shown while it runs\n`
    const logs = addLog(noLogs, { stream: 'stdout', text: streamed })
    expect(withoutResult(logs, raw).chunks).toEqual([{ stream: 'stdout', text: 'loading\n' }])
  })

  it('keep what only looks like the result', () => {
    const logs = addLog(noLogs, { stream: 'stdout', text: '{"a":1} and more\n' })
    expect(withoutResult(logs, '{"a":1}')).toBe(logs)
  })
})
