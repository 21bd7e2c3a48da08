/**
 * Decides whether a tool answered a generated input well: a valid input is processed, an invalid one is refused with an
 * error that names the field.
 */
import { jsonText } from '../json/json.ts'
import { pointerSegments, toPointer } from '../json/pointer.ts'
import { contentNotes, type EndedEvent } from '../tool/invocation.ts'
import type { GeneratedInput } from './generate-inputs.ts'

export const answerVerdicts = [
  'ok',
  /** An invalid input got a result. */
  'accepted-silently',
  /** A valid input was refused as invalid. */
  'refused-valid',
  /** The server or program ended during the call, or does not answer after it. */
  'crash',
  /** A JSON-RPC error that is not a refusal of the input, or an answer that is not a tool result. */
  'protocol-error',
  /** The call did not end in its time. */
  'hang',
  /** HTTP status 5xx. */
  'server-error',
  /** The error contains the stack of the server's own code. */
  'stack-trace',
  'field-not-named',
  /** The result breaks the output schema. */
  'output-invalid',
  /** The call says nothing about the tool: it was cancelled, needs a sign-in, or could not start. */
  'not-tested',
] as const
export type AnswerVerdict = (typeof answerVerdicts)[number]

export interface Assessment {
  readonly verdict: AnswerVerdict
  /** One sentence, for reports. */
  readonly message: string
  /** Equal for answers that fail in the same way for the same reason. Empty unless the verdict is a failure. */
  readonly cause: string
}

/** The parts of a generated input that decide what a good answer is. */
export type AnswerExpectation = Pick<GeneratedInput, 'kind' | 'field' | 'container' | 'constraint'>

export function isFailure(verdict: AnswerVerdict): boolean {
  return verdict !== 'ok' && verdict !== 'not-tested'
}

/**
 * @param ending the last event of the call
 * @param isAlive whether the server answered a request after the call; unknown by default
 */
export function assessAnswer(
  expected: AnswerExpectation,
  ending: EndedEvent,
  isAlive?: boolean | undefined,
): Assessment {
  const answer = readAnswer(ending)
  const verdict = isAlive === false ? 'crash' : decide(expected, ending, answer)
  if (isAlive === false && ending.type === 'result')
    return { verdict, message: diedAfterAnswer, cause: `${verdict} after the answer` }
  const message = describeVerdict(verdict, expected, answer)
  return { verdict, message, cause: isFailure(verdict) ? buildCause(verdict, expected, answer) : '' }
}

interface AnswerText {
  /** The text that the client of the tool gets. */
  readonly text: string
  /** The code of a JSON-RPC error. */
  readonly code: number | undefined
  /** The HTTP status of a request that failed. */
  readonly status: number | undefined
}

function readAnswer(ending: EndedEvent): AnswerText {
  const texts = ending.content.flatMap(block => (block.type === 'text' ? block.text : []))
  if (ending.type === 'result')
    return {
      // Servers repeat their structured result as a text.
      text: [...new Set([...texts, toJsonText(ending.structuredContent)])].join('\n'),
      code: undefined,
      status: undefined,
    }
  const { message, reason, stderr = '', issues = [], meta = {} } = ending
  // A server's stderr is its log; a program's is its error message.
  const parts = [message, ...texts, reason === 'exit' ? stderr : '', ...issues.map(({ path }) => path)]
  const [, code] = /^The server answered with error (-?\d+)/.exec(message) ?? []
  return {
    text: [...new Set([...parts, toJsonText(ending.structuredContent), toJsonText(meta.error)])].join('\n'),
    code: code === undefined ? undefined : Number(code),
    status: typeof meta.status === 'number' ? meta.status : undefined,
  }
}

const toJsonText = (value: unknown) => (value === undefined ? '' : (jsonText(value) ?? ''))

function decide(expected: AnswerExpectation, ending: EndedEvent, answer: AnswerText): AnswerVerdict {
  if (ending.type === 'result' && ending.isError !== true) {
    if (expected.kind === 'invalid') return 'accepted-silently'
    if (contentNotes.some(note => ending.note?.includes(note))) return 'protocol-error'
    return ending.validation.verdict === 'invalid' ? 'output-invalid' : 'ok'
  }
  switch (ending.type === 'failure' ? ending.reason : 'tool-error') {
    case 'timeout':
      return 'hang'
    case 'network':
      if (answer.status === undefined) return 'crash'
      return answer.status >= 500 ? 'server-error' : decideError(expected, answer)
    case 'exit':
      if (ending.type === 'failure' && (ending.signal !== undefined || (ending.exitCode ?? 0) >= 128))
        return 'crash'
      return decideError(expected, answer)
    case 'bad-output':
      // A program that validates its own result prints none if it is wrong.
      if (ending.type === 'failure' && ending.issuesOf === 'output')
        return expected.kind === 'invalid' ? 'accepted-silently' : 'output-invalid'
      return 'protocol-error'
    case 'tool-error':
      return decideError(expected, answer)
    default:
      return 'not-tested'
  }
}

/** The code of JSON-RPC for invalid parameters, with which a server may refuse an input (MCP, "Error Handling"). */
const invalidParams = -32602

/** Decides about an answer that is an error. */
function decideError(expected: AnswerExpectation, answer: AnswerText): AnswerVerdict {
  if (hasStackTrace(answer.text)) return 'stack-trace'
  if (answer.code !== undefined && answer.code !== invalidParams) return 'protocol-error'
  if (expected.kind === 'valid')
    // A tool may fail on a valid input: the generated name of a file does not exist.
    return answer.code === invalidParams || saysInvalid.test(answer.text) ? 'refused-valid' : 'ok'
  return namesPart(answer.text, expected) ? 'ok' : 'field-not-named'
}

/** Whether an error names the field, or a part between the container and the field. */
function namesPart(text: string, { field, container = field }: AnswerExpectation): boolean {
  const steps = pointerSegments(field)
  const shortest = pointerSegments(container).length
  for (let length = steps.length; length >= shortest; length--)
    if (namesField(text, toPointer(steps.slice(0, length)))) return true
  return false
}

/** The words with which common libraries refuse an input: the MCP SDKs, zod, pydantic, Ajv, Joi, valibot, serde. */
const saysInvalid = new RegExp(
  [
    'input validation error|invalid arguments? for tool|-32602',
    String.raw`"code":\s*"(?:invalid_(?:type|value|format|string|union|literal|enum_value|key|element)|too_small|too_big|not_multiple_of|unrecognized_keys)"`,
    String.raw`validation errors? for \w|\[type=\w+(?:, input_value=|\])`,
    'must NOT have|must have required property|must be equal to one of the allowed values',
    String.raw`"[^"\n]+" (?:must be (?:less than|greater than|one of|an? )|length must be|is not allowed|is required)`,
    String.raw`Invalid (?:type|length|value|format): Expected .+ but received`,
    'unknown (?:variant|field) `|missing field `|invalid (?:type|value|length): .+, expected ',
  ].join('|'),
  'i',
)

const traces: readonly RegExp[] = [
  /^\s*at .+:\d+:\d+\)?$/m,
  /Traceback \(most recent call last\)/,
  /^\s*File ".+", line \d+/m,
  /\bgoroutine \d+ \[/,
  /\bpanicked at\b/,
  /^\s*at [\w.$<>]+\([\w$]+\.(?:java|kt|scala):\d+\)/m,
  /^\s*at .+ in .+:line \d+/m,
]

/** A stack in a JSON text has its line breaks escaped. */
function hasStackTrace(text: string): boolean {
  const lines = text.replaceAll('\\n', '\n')
  return traces.some(trace => trace.test(lines))
}

/**
 * Returns whether an error names the field at a JSON Pointer: by its last name, as a whole word. Positions in lists have
 * no name. The whole input has none either, so every error names it.
 */
export function namesField(text: string, field: string): boolean {
  const name = pointerSegments(field).findLast(segment => !/^\d+$/.test(segment))
  if (name === undefined) return text.trim() !== ''
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, 'iu').test(text)
}

const sentences: Readonly<Record<AnswerVerdict, string>> = {
  ok: 'The tool answered as its schema says.',
  'accepted-silently': 'The tool accepted an input that its schema forbids.',
  'refused-valid': 'The tool refused an input that its schema allows.',
  crash: 'The server ended, or does not answer any more.',
  'protocol-error': 'The answer is an error of the protocol instead of a result.',
  hang: 'The call did not end in its time.',
  'server-error': 'The server answered with HTTP status 5xx.',
  'stack-trace': 'The error contains a stack trace of the server.',
  'field-not-named': 'The error does not name the field.',
  'output-invalid': 'The result breaks the output schema.',
  'not-tested': 'The call says nothing about the tool.',
}

/** The sentence of a crash that the answer does not mention. */
export const diedAfterAnswer = 'The server answered, and then it ended or did not answer any more.'

const maxQuote = 200

function describeVerdict(verdict: AnswerVerdict, { field }: AnswerExpectation, { text }: AnswerText): string {
  const sentence =
    verdict === 'field-not-named' ? `The error does not name the field ${field || '/'}.` : sentences[verdict]
  const quote = text.trim().replaceAll(/\s+/g, ' ')
  if (verdict === 'ok' || quote === '') return sentence
  return `${sentence} It says: ${quote.length > maxQuote ? `${quote.slice(0, maxQuote)}…` : quote}`
}

/**
 * A tool that accepts wrongly has one cause for each constraint, a server error or a stack trace has one for
 * each place in the server, and others have one for each text.
 */
function buildCause(
  verdict: AnswerVerdict,
  { constraint }: AnswerExpectation,
  { text, code }: AnswerText,
): string {
  if (verdict === 'accepted-silently')
    return `${verdict} ${constraint.pointer} ${constraint.keyword} ${toJsonText(constraint.value)}`
  if (verdict === 'protocol-error' && code !== undefined) return `${verdict} ${code}`
  const lines = text.replaceAll('\\n', '\n').split('\n')
  const frames =
    verdict === 'stack-trace' ? lines.filter(line => traces.some(trace => trace.test(line))) : lines
  const words = frames
    .join('\n')
    .replaceAll(/"[^"\n]*"|'[^'\n]*'|\d+/g, '…')
    .replaceAll(/\s+/g, ' ')
    .slice(0, maxQuote)
  return `${verdict} ${words}`
}
