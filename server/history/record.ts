/** Converts a call into its record: without secrets, and limited in size. Pure; the store writes it. */
import type { InvocationOrigin } from '../../core/api/history-filters.ts'
import { pointerSegments } from '../../core/json/pointer.ts'
import { type CallState, type LogEvent, type StartedEvent, toLogEvents } from '../../core/tool/call-state.ts'
import type { ContentBlock, EndedEvent, Validation } from '../../core/tool/invocation.ts'
import {
  findSecretFields,
  isSecretAt,
  isSecretName,
  isSecretValue,
  noFields,
  type SecretFields,
} from '../../core/tool/is-secret.ts'
import { leaveOutOfText, leaveOutOfValue, secretsIn } from '../../core/tool/left-out.ts'
import { createMasker, mask, maskJson, secretsOfAddress } from '../../core/tool/mask.ts'
import { toOutcome } from '../../core/tool/outcome.ts'
import type { GivenAnswer } from '../../core/tool/question.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { schemaHash } from '../workers/schema-hash.ts'

/** The tool and the origin of a call; the events contain the rest. */
export interface CallFacts {
  readonly tool: Tool
  readonly origin: InvocationOrigin
  /** The name of the person that calls. */
  readonly person?: string | undefined
  /** The input's value, whose secrets are also removed from the result and the logs. */
  readonly inputValue: unknown
  /** Values of the agent's variables of this call. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Secret values of variables, environment and headers. */
  readonly secrets?: readonly string[]
  /** The version of the source's manifest, once it is known. Never rejects. */
  readonly version?: Promise<string | undefined>
}

const maxInputCharacters = 1024 * 1024

const notValidated: Validation = {
  verdict: 'unchecked',
  issues: [],
  note: 'The input was not validated.',
}

/**
 * Returns the record, unfinished if the call has no ending. Null if the call never started. Never throws: an
 * unreadable payload is left out.
 *
 * @param snapshotId the version of the source's manifest
 */
export function buildRecord(call: CallState, facts: CallFacts, snapshotId?: string): InvocationRecord | null {
  if (call.started === undefined) return null
  const shared = sharedFields(call.started, call, facts, snapshotId)
  try {
    return { ...shared, ...toStoredPayload(call.started, call, facts) }
  } catch {
    // The payload is nested too deep to be searched for secrets.
    const { timeoutMs } = call.started
    const ending = call.ending && withoutPayload(call.ending).event
    const inputValidation = { verdict: shared.inputVerdict, issues: [] }
    const result = {
      inputMasked: true,
      cut: ['input', 'result'] as const,
      inputValidation,
      timeoutMs,
      ending,
    }
    return { ...shared, message: null, inputText: '', result, logs: [] }
  }
}

type Payload = Pick<InvocationRecord, 'message' | 'inputText' | 'result' | 'logs'>

function sharedFields(
  started: StartedEvent,
  { ending, inputValidation = notValidated }: CallState,
  { tool, origin, person }: CallFacts,
  snapshotId: string | undefined,
): Omit<InvocationRecord, keyof Payload> {
  return {
    id: started.id,
    ref: tool.ref,
    source: tool.source,
    tool: tool.name,
    origin,
    person,
    startedAt: Date.parse(started.startedAt),
    durationMs: ending?.timing.durationMs ?? 0,
    outcome: ending === undefined ? 'unfinished' : toOutcome(ending),
    inputVerdict: inputValidation.verdict,
    outputVerdict: ending?.validation.verdict ?? 'unchecked',
    schemaHash: tryHash(tool.inputSchema),
    snapshotId: snapshotId ?? null,
  }
}

function toStoredPayload(started: StartedEvent, call: CallState, facts: CallFacts): Payload {
  const { inputValidation = notValidated, ending: whole } = call
  const { tool } = facts
  const fields = findSecretFields(tool.inputSchema)
  const logs = toLogEvents(call)
  const found = allSecrets(secretsIn(facts.inputValue, fields), secretsInAnswers(logs))
  const secrets = [...(found ?? []), ...(facts.secrets ?? [])]
  const hide = createMasker(secrets)
  const input = toStoredInput(started.inputText, fields, secrets)
  const cut: ('input' | 'result' | 'logs')[] = input.cut ? ['input'] : []
  const ending = whole && (found === null ? withoutPayload(whole) : toStoredEnding(whole, hide))
  if (ending?.cut) cut.push('result')
  if (call.logs.dropped > 0) cut.push('logs')
  const result = {
    inputMasked: input.masked,
    secretMarker: input.marker,
    cut,
    variables: facts.variables && toStoredVariables(facts.variables, hide),
    inputValidation: toStoredValidation(inputValidation, fields, hide),
    timeoutMs: started.timeoutMs,
    trace: started.trace && JSON.parse(maskJson(started.trace, hide)),
    ending: ending?.event,
  }
  return {
    message: whole?.type === 'failure' ? hide(whole.message) : null,
    inputText: input.text,
    result,
    logs: found === null ? [] : JSON.parse(maskJson(withoutAnswerSecrets(logs), hide)),
  }
}

/** Returns null if one of the lists has too many secrets. */
function allSecrets(...lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  return lists.some(list => list === null) ? null : lists.flatMap(list => list ?? [])
}

/** Returns the secrets in the user's answers, and in the addresses that the server asked to open. */
function secretsInAnswers(logs: readonly LogEvent[]): readonly string[] | null {
  const perEvent = logs.map(event => {
    if (event.type === 'question' && event.question.mode === 'url')
      return secretsOfAddress(event.question.url)
    return event.type === 'answer' ? secretsIn(event.answer.content, fieldsOfAnswer(event.id, logs)) : []
  })
  return allSecrets(...perEvent)
}

/** Removes short secrets too, which no masker finds in a text. Of an address to open only the host and path stay. */
function withoutAnswerSecrets(logs: readonly LogEvent[]): readonly LogEvent[] {
  return logs.map(event => {
    if (event.type === 'question' && event.question.mode === 'url') {
      const url = event.question.url.replace(/([?#]).*$/s, `$1${mask}`)
      return { ...event, question: { ...event.question, url } }
    }
    if (event.type !== 'answer' || event.answer.content === undefined) return event
    const { kept } = leaveOutOfValue(event.answer.content, fieldsOfAnswer(event.id, logs))
    // An object stays an object.
    return { ...event, answer: { ...event.answer, content: kept as GivenAnswer['content'] } } as LogEvent
  })
}

function fieldsOfAnswer(id: string, logs: readonly LogEvent[]): SecretFields {
  const question = logs.find(event => event.type === 'question' && event.question.id === id)
  return question?.type === 'question' && question.question.mode === 'form'
    ? findSecretFields(question.question.schema)
    : noFields
}

function toStoredInput(text: string, fields: SecretFields, secrets: readonly string[]) {
  const input = leaveOutOfText(text, fields, { secrets })
  if (input === undefined) return { text: '', masked: true, cut: false }
  const { kept, marker } = input
  const cut = kept.length > maxInputCharacters
  return { text: cut ? beginning(kept, maxInputCharacters / 16) : kept, masked: kept !== text, marker, cut }
}

/** Characters; a longer value is not kept. */
const maxVariableCharacters = 20_000

/** Replaces secrets, and values that are too long, by null. */
function toStoredVariables(
  variables: Readonly<Record<string, string>>,
  hide: (text: string) => string,
): Record<string, string | null> {
  const entries = Object.entries(variables).map(([name, value]) => {
    const isSecret = isSecretName(name) || isSecretValue(value) || hide(value) !== value
    return [name, isSecret || value.length > maxVariableCharacters ? null : value] as const
  })
  return Object.fromEntries(entries)
}

function toStoredEnding(
  ending: EndedEvent,
  mask: (text: string) => string,
): { event: EndedEvent; cut: boolean } {
  try {
    const json = maskJson(ending, mask)
    if (json.length <= maxResultCharacters) return { event: JSON.parse(json), cut: false }
    const short = maskJson(cutEnding(ending), mask)
    return { event: JSON.parse(short), cut: true }
  } catch {
    return withoutPayload(ending)
  }
}

/** Used for a payload that is nested too deeply for JSON, or has too many secrets to remove. */
function withoutPayload(ending: EndedEvent): { event: EndedEvent; cut: boolean } {
  const { type, timing } = ending
  const shared = {
    content: [],
    timing,
    validation: { verdict: ending.validation.verdict, issues: [] },
    note: 'The result was not kept: it could not be stored safely.',
  }
  const event: EndedEvent =
    type === 'result'
      ? { type, ...shared }
      : { type, reason: ending.reason, message: 'The details were not kept.', ...shared }
  return { event, cut: true }
}

/** Issues quote the value at their location: removed if that location is secret. */
function toStoredValidation(
  validation: Validation,
  fields: SecretFields,
  mask: (text: string) => string,
): Validation {
  const issues = validation.issues.map(issue => {
    if (!isSecretAt(pointerSegments(issue.path), fields)) return issue
    const { actual: _actual, message: _message, ...rest } = issue
    return { ...rest, message: 'does not fit the schema' }
  })
  return JSON.parse(maskJson({ ...validation, issues }, mask))
}

/** Returns the ending of a call that never ended by itself. */
export function cancelledEnding({ startedAt }: StartedEvent, message: string): EndedEvent {
  const durationMs = Math.max(0, Date.now() - Date.parse(startedAt))
  return {
    type: 'failure',
    reason: 'cancelled',
    message,
    content: [],
    validation: { verdict: 'unchecked', issues: [] },
    timing: { startedAt, durationMs },
  }
}

function tryHash(schema: JsonSchema): string | null {
  try {
    return schemaHash(schema)
  } catch {
    return null
  }
}

/* Shortens a result that is too large for history: its beginning, and a note about the rest. */

/** Characters of JSON up to which a result is kept whole. */
const maxResultCharacters = 5 * 1024 * 1024
/** Characters kept of each part of a larger result. */
const maxPartCharacters = 64 * 1024
const maxBlocks = 20

function beginning(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… [cut: history keeps ${longest} of ${text.length} characters]`
}

/** Returns an ending of at most about 2 MiB for one that is over the limit. */
function cutEnding(ending: EndedEvent): EndedEvent {
  const { structuredContent, raw, meta: _meta, content, ...rest } = ending
  const blocks = content.slice(0, maxBlocks).map(cutBlock)
  if (content.length > maxBlocks)
    blocks.push({ type: 'text', text: `… [cut: ${content.length - maxBlocks} more blocks]` })
  // A cut JSON text cannot be parsed: it is kept as text.
  const whole = raw ?? (structuredContent === undefined ? undefined : JSON.stringify(structuredContent))
  if (whole !== undefined && content.length === 0)
    blocks.push({ type: 'text', text: beginning(whole, maxPartCharacters) })
  const short =
    rest.type === 'failure'
      ? {
          ...rest,
          message: beginning(rest.message, maxPartCharacters),
          ...(rest.hint === undefined ? {} : { hint: beginning(rest.hint, maxPartCharacters) }),
          ...(rest.stderr === undefined ? {} : { stderr: beginning(rest.stderr, maxPartCharacters) }),
          ...(rest.issues === undefined ? {} : { issues: [] }),
        }
      : rest
  const note = 'The result was too large for history: only its beginning was kept.'
  return { ...short, content: blocks, note } as EndedEvent
}

function cutBlock(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: beginning(block.text, maxPartCharacters) }
    case 'image':
    case 'audio':
      return block.data.length <= maxPartCharacters
        ? block
        : {
            type: 'text',
            text: `[cut: ${block.type} ${block.mimeType}, ${block.data.length} characters of base64]`,
          }
    case 'resource': {
      const { text, blob, ...rest } = block.resource
      if (blob !== undefined && blob.length > maxPartCharacters)
        return { type: 'text', text: `[cut: resource ${rest.uri}, ${blob.length} characters of base64]` }
      return {
        type: 'resource',
        resource: {
          ...rest,
          ...(text === undefined ? {} : { text: beginning(text, maxPartCharacters) }),
          ...(blob === undefined ? {} : { blob }),
        },
      }
    }
    case 'resource_link':
      return block
    default:
      // A block of a kind that the protocol does not define yet.
      return { type: 'text', text: '[cut: a block of an unknown kind]' }
  }
}
