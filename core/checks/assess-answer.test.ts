import { expect, test } from 'vitest'
import type { EndedEvent } from '../tool/invocation.ts'
import { type AnswerExpectation, assessAnswer, namesField } from './assess-answer.ts'

const timing = { startedAt: '2026-01-01T00:00:00Z', durationMs: 1 }
const noSchema = { verdict: 'no schema', issues: [] } as const
const invalid: AnswerExpectation = {
  kind: 'invalid',
  field: '/size',
  constraint: { pointer: '/properties/size', keyword: 'maximum', value: 9 },
}
const valid: AnswerExpectation = { ...invalid, kind: 'valid' }

function result(text: string, more: Partial<EndedEvent> = {}): EndedEvent {
  const content = [{ type: 'text', text }] as const
  return { type: 'result', content, validation: noSchema, timing, ...more } as EndedEvent
}

function failure(reason: string, message: string, more: object = {}): EndedEvent {
  return {
    type: 'failure',
    reason,
    message,
    content: [],
    validation: noSchema,
    timing,
    ...more,
  } as EndedEvent
}

const refusal = failure('tool-error', 'Input validation error', {
  isError: true,
  content: [{ type: 'text', text: 'size: must not be above 9' }],
})

test.each([
  ['ok', valid, result('fine')],
  ['ok', invalid, refusal],
  ['ok', valid, failure('tool-error', 'ENOENT: no such file', { isError: true })],
  ['accepted-silently', invalid, result('fine')],
  ['refused-valid', valid, refusal],
  ['refused-valid', valid, failure('tool-error', 'The server answered with error -32602: no')],
  ['field-not-named', invalid, failure('tool-error', 'The server answered with error -32602: bad input')],
  ['protocol-error', invalid, failure('tool-error', 'The server answered with error -32603: size')],
  ['protocol-error', valid, failure('bad-output', 'The answer is not a tool result.')],
  ['stack-trace', invalid, failure('tool-error', 'size\n    at run (/app/index.js:10:5)')],
  ['stack-trace', invalid, failure('exit', 'exit 1', { stderr: 'Traceback (most recent call last)\n size' })],
  ['output-invalid', valid, failure('bad-output', 'It broke its output schema', { issuesOf: 'output' })],
  ['accepted-silently', invalid, failure('bad-output', 'It broke its output', { issuesOf: 'output' })],
  ['crash', valid, failure('network', 'The server ended during the call.')],
  ['crash', invalid, failure('exit', 'ended by SIGSEGV', { signal: 'SIGSEGV' })],
  ['server-error', invalid, failure('network', 'The server answered 500.', { meta: { status: 500 } })],
  ['hang', valid, failure('timeout', 'no answer in 10 s')],
  ['not-tested', valid, failure('sign-in-needed', 'sign in first')],
  ['output-invalid', valid, result('x', { validation: { verdict: 'invalid', issues: [] } })],
] as const)('assess answer: %s (%#)', (verdict, expected, ending) => {
  expect(assessAnswer(expected, ending).verdict).toBe(verdict)
})

test.each([
  ['zod 4', '[{"code": "invalid_value", "values": ["r"], "path": ["mode"]}]'],
  ['Joi', '"size" must be less than or equal to 99'],
  ['serde', 'mode: unknown variant `w`, expected `r`'],
  ['serde', 'invalid type: string "5", expected i64'],
  ['pydantic', "size: Input should be 'r' [type=literal_error, input_value='w', input_type=str]"],
  ['valibot', 'Invalid type: Expected string but received 5'],
  ['Ajv', 'data/mode must be equal to one of the allowed values'],
])('assess answer: a valid input is refused in the words of %s', (_, text) => {
  expect(assessAnswer(valid, failure('tool-error', text, { isError: true })).verdict).toBe('refused-valid')
})

test.each(['"a.txt" is not a file', 'The folder "x" must exist', 'No user has the name "text"'])(
  'assess answer: an error about something else is not a refusal: %s',
  text => {
    expect(assessAnswer(valid, failure('tool-error', text, { isError: true })).verdict).toBe('ok')
  },
)

test('assess answer: a text that repeats the structured result is quoted once', () => {
  const ending = result('{"size":10}', { structuredContent: { size: 10 } })
  expect(assessAnswer(invalid, ending).message).toMatch(/It says: \{"size":10\}$/)
})

test('assess answer: a server that does not answer after the call has crashed', () => {
  expect(assessAnswer(valid, result('fine'), false).verdict).toBe('crash')
})

test('assess answer: failures that differ in numbers and quotes have one cause', () => {
  const cause = (text: string) => assessAnswer(valid, failure('network', text)).cause
  expect(cause('Ended with 12 at "a"')).toBe(cause('Ended with 7 at "b"'))
  expect(assessAnswer(valid, result('fine')).cause).toBe('')
})

test('assess answer: a field is named as a whole word', () => {
  expect(namesField('oversize is wrong', '/size')).toBe(false)
  expect(namesField('["items", 0, "size"]', '/items/0/size')).toBe(true)
  expect(namesField('items[3] is wrong', '/items/3')).toBe(true)
})

test('assess answer: an error may name the value of a union instead of a field of its branch', () => {
  const inUnion = { ...invalid, field: '/by/name', container: '/by' }
  const named = failure('tool-error', 'by matches no branch')
  expect(assessAnswer(inUnion, named).verdict).toBe('ok')
  expect(assessAnswer({ ...invalid, field: '/by/name' }, named).verdict).toBe('field-not-named')
})

test('assess answer: one place in a server is one cause, whatever the constraint', () => {
  const cause = (text: string) => assessAnswer(invalid, failure('tool-error', text)).cause
  const frame = '\n    at run (/app/index.js:10:5)'
  expect(cause(`size is too big${frame}`)).toBe(cause(`size is too small${frame}`))
  const code = 'The server answered with error -32603:'
  expect(cause(`${code} too big`)).toBe(cause(`${code} too small`))
})

test('assess answer: a result without content of MCP breaks the protocol', () => {
  const odd = result('x', { note: '"content" is not a list.' })
  expect(assessAnswer(valid, odd).verdict).toBe('protocol-error')
})
