/** One ending has one outcome and one value for everybody: page, history, compare, examples, bridge and command line. */
import { expect, test } from 'vitest'
import { makeTools } from '../core/catalog/make-tools.testkit.ts'
import { checkExample } from '../core/checks/check-example.ts'
import { compareAnswers } from '../core/checks/differences.ts'
import type { Json } from '../core/json/json.ts'
import { writeJson } from '../core/json/json-text.ts'
import { emptyCall, foldEvents } from '../core/tool/call-state.ts'
import type { EndedEvent, FailureReason, Validation } from '../core/tool/invocation.ts'
import { describeEnd, type InvocationOutcome, outcomes } from '../core/tool/outcome.ts'
import { toAnswerValue, toResultValue } from '../core/tool/result-value.ts'
import { callCommand } from '../server/commands/call.ts'
import type { CommandContext } from '../server/commands/command.ts'
import { buildRecord } from '../server/history/record.ts'
import { formatAnswer } from '../server/http/answer.ts'
import { describeStatus } from '../src/features/result/ending-text.ts'
import { parseExactValue } from '../src/features/result/exact-value.ts'
import { addEvents, startInvocation } from '../src/features/result/invocation-state.ts'

const timing = { startedAt: '2026-11-25T10:00:00.000Z', durationMs: 12 }
const unchecked: Validation = { verdict: 'unchecked', issues: [] }
const valid: Validation = { verdict: 'valid', issues: [] }
const invalid: Validation = { verdict: 'invalid', issues: [{ path: '/a', keyword: 'type', message: 'no' }] }
const text = (words: string) => ({ type: 'text', text: words }) as const

const result = (rest: Partial<EndedEvent>): EndedEvent =>
  ({ type: 'result', content: [], validation: valid, timing, ...rest }) as EndedEvent
const failure = (reason: FailureReason, rest: Partial<EndedEvent> = {}): EndedEvent => ({
  type: 'failure',
  reason,
  message: `it failed: ${reason}`,
  content: [],
  validation: unchecked,
  timing,
  ...(rest as object),
})

interface Row {
  readonly name: string
  readonly ending: EndedEvent
  readonly outcome: InvocationOutcome
  /** The words on the page, in the history and on the command line. */
  readonly words: string
  /** The value that all of them take for the answer. */
  readonly value: Json
  readonly status: number
}

const image = { type: 'image', data: 'aGk=', mimeType: 'image/png' } as const
const done = { outcome: 'ok', words: 'done', status: 200 } as const
const rows: readonly Row[] = [
  {
    name: 'a valid result',
    ending: result({ structuredContent: { a: 1 }, raw: '{"a":1}' }),
    value: { a: 1 },
    ...done,
  },
  {
    name: 'an invalid output',
    ending: result({ structuredContent: { a: 'x' }, validation: invalid }),
    value: { a: 'x' },
    ...done,
    words: 'output invalid (1)',
  },
  {
    name: 'a tool error with content',
    ending: failure('tool-error', { content: [text('no such build')], isError: true }),
    outcome: 'tool-error',
    words: 'tool error',
    value: { failure: 'tool-error', result: 'no such build' },
    // The protocol of the bridge: a tool's own error is an answer.
    status: 200,
  },
  {
    name: 'a failure before the start',
    ending: failure('spawn'),
    outcome: 'spawn',
    words: 'could not start',
    value: { failure: 'spawn', message: 'it failed: spawn' },
    status: 502,
  },
  {
    name: 'a time-out',
    ending: failure('timeout'),
    outcome: 'timeout',
    words: 'timed out',
    value: { failure: 'timeout', message: 'it failed: timeout' },
    status: 504,
  },
  {
    name: 'a cancel',
    ending: failure('cancelled'),
    outcome: 'cancelled',
    words: 'cancelled',
    value: { failure: 'cancelled', message: 'it failed: cancelled' },
    status: 500,
  },
  {
    name: 'a result cut at its limit',
    ending: failure('too-large', { content: [text('{"a":')] }),
    outcome: 'too-large',
    words: 'too large',
    value: { failure: 'too-large', result: '{"a":' },
    status: 502,
  },
  { name: 'an image', ending: result({ content: [image] }), value: [{ ...image }], ...done },
  {
    name: 'a text block with JSON',
    ending: result({ content: [text('{"id": 12345678901234567890}')] }),
    value: toResultValue(result({ structuredContent: {}, raw: '{"id":12345678901234567890}' })),
    ...done,
  },
  {
    name: 'a crash',
    ending: failure('exit', { exitCode: 139, message: 'killed by SIGSEGV' }),
    outcome: 'exit',
    words: 'failed',
    value: { failure: 'exit', message: 'killed by SIGSEGV' },
    status: 500,
  },
]

const exactly = (value: unknown) => writeJson(value as Json, 0)
const isAnswer = ({ outcome }: Row) => outcomes[outcome].isAnswer

test.each(rows)(
  'endings: the page names the outcome of $name, and shows its value',
  ({ ending, words, value, outcome }) => {
    const state = addEvents(startInvocation('s/t', '{}', 0), [ending])
    const exit = ending.exitCode === undefined ? '' : `, exit ${ending.exitCode}`
    expect(describeStatus(state).text).toBe(`${words}${exit}`)
    expect(describeStatus(state).tone).toBe(describeEnd({ outcome, verdict: ending.validation.verdict }).tone)
    const shown = parseExactValue(ending)
    if (outcome === 'ok' && shown !== undefined) expect(exactly(shown)).toBe(exactly(value))
  },
)

test.each(rows)('endings: the history stores the outcome of $name, and compares its value', row => {
  const started = { id: '1', ref: 's/t', startedAt: timing.startedAt, inputText: '{}', timeoutMs: 1000 }
  const call = foldEvents(emptyCall, [{ type: 'started', ...started }, row.ending])
  const [tool] = makeTools('s', ['t'])
  if (tool === undefined) throw new Error('no tool')
  const record = buildRecord(call, { tool, origin: 'page', inputValue: {} })
  if (record === null) throw new Error('no record')
  expect(record.outcome).toBe(row.outcome)
  const words = row.words.replace(/ \(\d+\)$/, '')
  expect(describeEnd({ outcome: record.outcome, verdict: record.outputVerdict }).text).toBe(words)
  const stored = JSON.parse(JSON.stringify(record.result.ending)) as EndedEvent
  expect(exactly(toAnswerValue(stored))).toBe(exactly(row.value))
})

test.each(rows)('endings: a comparison of sources takes $name as the same value', row => {
  const sides = ['a', 'b'].map(name => ({ name, ending: row.ending })) as never
  const { status, values } = compareAnswers(sides, [])
  expect(status).toBe(isAnswer(row) ? 'same' : 'failed')
  if (isAnswer(row)) expect(values?.map(exactly)).toEqual([exactly(row.value), exactly(row.value)])
})

test.each(rows)(
  'endings: an example checks the outcome and the value of $name',
  async ({ ending, outcome, value }) => {
    const expected = outcome === 'ok' ? { exact: value } : { fails: outcome as FailureReason }
    const check = (expect: object) => checkExample({ expect } as never, ending, async () => valid)
    expect((await check(expected)).status).toBe('passed')
    expect((await check(outcome === 'ok' ? { fails: true } : { exact: value })).status).toBe('failed')
  },
)

test.each(rows)('endings: the bridge answers $name with its status and value', row => {
  const answer = formatAnswer(row.ending, 'json')
  expect(answer.status).toBe(row.status)
  const body = JSON.parse(answer.body)
  if (row.status !== 200) return expect(body.error.reason).toBe(row.outcome)
  const returned = { type: 'result', ...body, raw: row.ending.raw } as EndedEvent
  expect(exactly(toResultValue(returned))).toBe(exactly(toResultValue(row.ending)))
  expect(body.isError).toBe(row.outcome !== 'ok')
})

test.each(rows)('endings: toolscope call prints the outcome and the value of $name', row => {
  const printed: string[] = []
  const said: string[] = []
  const context = { write: (piece: string) => printed.push(piece), say: (line: string) => said.push(line) }
  const { type: status, ...rest } = row.ending
  const output = { ref: 's/t', status, inputValidation: unchecked, ...rest }
  callCommand.print?.(output as never, context as unknown as CommandContext, {} as never)
  expect(said[0]).toMatch(row.outcome === 'ok' ? /^✓ s\/t/ : /^✗ s\/t/)
  expect(said[0]).toContain(row.words === 'done' ? '12 ms' : row.words)
  const stdout = printed.join('').replace(/\n$/, '')
  if (row.ending.content[0]?.type === 'image') expect(stdout).toBe('data:image/png;base64,aGk=')
  else {
    const content = stdout === '' ? [] : [text(stdout)]
    const ending = { ...row.ending, content, structuredContent: undefined } as EndedEvent
    expect(exactly(toAnswerValue(ending))).toBe(exactly(row.value))
  }
})
