import { describe, expect, it } from 'vitest'
import {
  CallFold,
  type CallState,
  emptyCall,
  findOpenQuestion,
  foldEvents,
  foldStoredEvents,
  maxLogLength,
  toLogEvents,
} from './call-state.ts'
import type { CallEvent } from './invocation.ts'

const started: CallEvent = {
  type: 'started',
  id: '1',
  ref: 'acme/greet',
  startedAt: '2026-11-21T18:30:00Z',
  inputText: '{"name":"Ada"}',
  timeoutMs: 60_000,
}
const resultOfText = (raw: string): CallEvent => ({
  type: 'result',
  content: [{ type: 'text', text: raw }],
  raw,
  validation: { verdict: 'valid', issues: [] },
  timing: { startedAt: '2026-11-21T18:30:00Z', durationMs: 12 },
})
const result = resultOfText('{"greeting":"hi"}')
const question = (id: string): CallEvent => ({
  type: 'question',
  question: { id, message: `May I ask ${id}?`, mode: 'url', url: 'https://example.com/' },
})
const answer = (id: string): CallEvent => ({ type: 'answer', id, answer: { action: 'accept', by: 'person' } })
const stdout = (text: string): CallEvent => ({ type: 'stdout', text })
const stderr = (text: string): CallEvent => ({ type: 'stderr', text })
const countCharacters = ({ logs }: CallState) => logs.chunks.reduce((sum, { text }) => sum + text.length, 0)

describe('call state', () => {
  it('has the input that was sent, the last progress, the ending, and the logs without the result', () => {
    const state = foldEvents(emptyCall, [
      { type: 'queued', position: 1 },
      started,
      { type: 'input-validation', validation: { verdict: 'valid', issues: [] } },
      stderr('warming '),
      stderr('up\n'),
      { type: 'progress', progress: 1, total: 3 },
      { type: 'progress', progress: 2, total: 3, message: 'halfway' },
      { type: 'task', task: { taskId: 't', status: 'working' } },
      { type: 'task', task: { taskId: 't', status: 'completed' } },
      stdout('loading\n'),
      stdout('{"greeting":'),
      stdout('"hi"}\n'),
      { type: 'queued', position: 0 },
      result,
    ])
    expect(state).toEqual({
      started,
      position: 0,
      inputValidation: { verdict: 'valid', issues: [] },
      progress: { progress: 2, total: 3, message: 'halfway' },
      task: { taskId: 't', status: 'completed' },
      questions: [],
      logs: {
        chunks: [
          { stream: 'stderr', text: 'warming up\n' },
          { stream: 'stdout', text: 'loading\n' },
        ],
        length: 19,
        dropped: 0,
      },
      ending: result,
    })
  })

  it('does not change after the ending', () => {
    const ended = foldEvents(emptyCall, [started, result])
    expect(foldEvents(ended, [stdout('late'), question('q'), resultOfText('2')])).toBe(ended)
  })

  it('has the questions with their answers; the first without one is open until the call ends', () => {
    const state = foldEvents(emptyCall, [
      started,
      question('a'),
      question('b'),
      answer('a'),
      answer('unknown'),
    ])
    expect(state.questions.map(each => [each.question.id, each.answer?.action])).toEqual([
      ['a', 'accept'],
      ['b', undefined],
    ])
    expect(findOpenQuestion(state)?.id).toBe('b')
    expect(findOpenQuestion(foldEvents(state, [result]))).toBeUndefined()
  })

  it('shares the parts that did not change, and never changes a state that was returned', () => {
    const fold = new CallFold()
    fold.add(stdout('one'))
    const before = fold.state()
    const copy = structuredClone(before)
    fold.add({ type: 'progress', progress: 1 })
    expect(fold.state().logs).toBe(before.logs)
    fold.add(stdout(' two'))
    expect(fold.state().logs.chunks).toEqual([{ stream: 'stdout', text: 'one two' }])
    expect(before).toEqual(copy)
  })

  it('is the same in one batch of events and in many', () => {
    const events = Array.from({ length: 3_000 }, (_, n) =>
      n % 3 === 0 ? stdout(`${n} `.repeat(n % 200)) : stderr('e'.repeat(n % 700)),
    )
    let state = emptyCall
    for (let n = 0; n < events.length; n += 70) state = foldEvents(state, events.slice(n, n + 70))
    expect(state).toEqual(foldEvents(emptyCall, events))
    expect(state.logs.dropped).toBeGreaterThan(0)
  })

  it('of a stored call is the same as before it was stored', () => {
    const events = [
      started,
      question('a'),
      // Without its result, this output ends with another text that equals the result.
      stdout('step 1\n'),
      answer('a'),
      stderr('e\n'),
      { type: 'progress', progress: 5 } as const,
      question('b'),
      stdout('1\n'),
      resultOfText('1'),
    ]
    for (const seen of [events, events.slice(0, -1)]) {
      const state = foldEvents(emptyCall, seen)
      const stored = [started, ...toLogEvents(state), ...(state.ending ? [state.ending] : [])]
      expect(foldStoredEvents(JSON.parse(JSON.stringify(stored)))).toEqual(state)
    }
  })
})

describe('logs of a call', () => {
  it('keep their last characters, and count those that were dropped', () => {
    const pieces = Array.from({ length: 30 }, (_, n) => `${n} ${'x'.repeat(49_997)}\n`)
    const state = foldEvents(
      emptyCall,
      pieces.map((text, n) => (n % 2 ? stdout(text) : stderr(text))),
    )
    const all = pieces.join('')
    expect(state.logs.chunks.map(({ text }) => text).join('')).toBe(all.slice(-maxLogLength))
    expect(state.logs).toMatchObject({ length: maxLogLength, dropped: all.length - maxLogLength })
  })

  it('keep the end of a single piece that is too long', () => {
    const { logs } = foldEvents(emptyCall, [stdout(`${'o'.repeat(2_000_000)}the end`)])
    expect(logs.length).toBe(maxLogLength)
    expect(logs.chunks[0]?.text.endsWith('the end')).toBe(true)
  })

  it('stay small after 100,000 events of alternating streams', () => {
    const fold = new CallFold()
    const counts: number[] = []
    for (let n = 0; n < 100_000; n += 1) {
      fold.add(n % 2 ? stdout('o\n') : stderr('e\n'))
      if (n % 1_000 === 999) counts.push(fold.state().logs.chunks.length)
    }
    const state = fold.state()
    expect(Math.max(...counts)).toBeLessThanOrEqual(10_000)
    expect(countCharacters(state)).toBe(state.logs.length)
    expect(state.logs.length + state.logs.dropped).toBe(200_000)
  })

  it('do not contain a result that was streamed in part', () => {
    const raw = `{"text": "${'y'.repeat(400_000)}"}`
    const streamed = `loading\n${raw.slice(0, 262_144)}\n… the rest is not shown while it runs\n`
    const { logs } = foldEvents(emptyCall, [stdout(streamed), resultOfText(raw)])
    expect(logs).toEqual({ chunks: [{ stream: 'stdout', text: 'loading\n' }], length: 8, dropped: 0 })
  })

  it('contain a text that only looks like the result', () => {
    const { logs } = foldEvents(emptyCall, [stdout('{"a":1} and more\n'), resultOfText('{"a":1}')])
    expect(logs.chunks).toEqual([{ stream: 'stdout', text: '{"a":1} and more\n' }])
  })
})
