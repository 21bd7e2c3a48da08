/** From a call to what is kept of it: secrets out, bounds kept. Pure; the store writes it. */
import type { InvocationOrigin, InvocationOutcome } from '../../core/api/history-filters.ts'
import { pointerSegments } from '../../core/json/pointer.ts'
import type { ContentBlock, EndedEvent, Validation } from '../../core/tool/invocation.ts'
import {
  isSecretAt,
  isSecretName,
  isSecretValue,
  noFields,
  type SecretFields,
  secretFieldsOf,
} from '../../core/tool/is-secret.ts'
import { leaveOutOfText, leaveOutOfValue, secretsIn } from '../../core/tool/left-out.ts'
import { createMasker, mask, maskJson } from '../../core/tool/mask.ts'
import { secretsOfAddress } from '../../core/tool/mask-words.ts'
import type { GivenAnswer } from '../../core/tool/question.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { schemaHash } from '../workers/schema-hash.ts'
import type { CallNotes, LogEvent } from './call-notes.ts'

/** Who called what; the events say the rest. */
export interface CallFacts {
  readonly tool: Tool
  readonly origin: InvocationOrigin
  /** The input's value: its secrets are taken out of the result and the logs too. */
  readonly inputValue: unknown
  /** Values of the agent's variables that went with it. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Values of variables, environment and headers that are secret. */
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
 * Unfinished where the notes have no ending. Null when the call never started. Never throws: a payload that cannot be
 * read is left out. @param snapshotId the version of the source's manifest
 */
export function recordOf(notes: CallNotes, facts: CallFacts, snapshotId?: string): InvocationRecord | null {
  if (notes.started === undefined) return null
  const shared = sharedFields(notes.started, notes, facts, snapshotId)
  try {
    return { ...shared, ...keptPayload(notes.started, notes, facts) }
  } catch {
    // Nested too deep to be searched for secrets.
    const { timeoutMs } = notes.started
    const ending = notes.ending && withoutPayload(notes.ending).event
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

type Started = NonNullable<CallNotes['started']>
type Payload = Pick<InvocationRecord, 'message' | 'inputText' | 'result' | 'logs'>

function sharedFields(
  started: Started,
  { ending, inputValidation = notValidated }: CallNotes,
  { tool, origin }: CallFacts,
  snapshotId: string | undefined,
): Omit<InvocationRecord, keyof Payload> {
  return {
    id: started.id,
    ref: tool.ref,
    source: tool.source,
    tool: tool.name,
    origin,
    startedAt: Date.parse(started.startedAt),
    durationMs: ending?.timing.durationMs ?? 0,
    outcome: outcomeOf(ending),
    inputVerdict: inputValidation.verdict,
    outputVerdict: ending?.validation.verdict ?? 'unchecked',
    schemaHash: tryHash(tool.inputSchema),
    snapshotId: snapshotId ?? null,
  }
}

function keptPayload(started: Started, notes: CallNotes, facts: CallFacts): Payload {
  const { inputValidation = notValidated, ending: whole } = notes
  const { tool } = facts
  const fields = secretFieldsOf(tool.inputSchema)
  const logs = notes.logEvents()
  const found = allSecrets(secretsIn(facts.inputValue, fields), secretsInAnswers(logs))
  const secrets = [...(found ?? []), ...(facts.secrets ?? [])]
  const hide = createMasker(secrets)
  const input = keptInput(started.inputText, fields, secrets)
  const cut: ('input' | 'result' | 'logs')[] = input.cut ? ['input'] : []
  const ending = whole && (found === null ? withoutPayload(whole) : keptEnding(whole, hide))
  if (ending?.cut) cut.push('result')
  if (notes.cut) cut.push('logs')
  const result = {
    inputMasked: input.masked,
    secretMarker: input.marker,
    cut,
    variables: facts.variables && keptVariables(facts.variables, hide),
    inputValidation: keptValidation(inputValidation, fields, hide),
    timeoutMs: started.timeoutMs,
    ending: ending?.event,
  }
  return {
    message: whole?.type === 'failure' ? hide(whole.message) : null,
    inputText: input.text,
    result,
    logs: found === null ? [] : JSON.parse(maskJson(withoutAnswerSecrets(logs), hide)),
  }
}

/** Null where one of them is too many. */
function allSecrets(...lists: readonly (readonly string[] | null)[]): readonly string[] | null {
  return lists.some(list => list === null) ? null : lists.flatMap(list => list ?? [])
}

/** Of what the user answered, and of the addresses that the server wanted opened. */
function secretsInAnswers(logs: readonly LogEvent[]): readonly string[] | null {
  const perEvent = logs.map(event => {
    if (event.type === 'question' && event.question.mode === 'url')
      return secretsOfAddress(event.question.url)
    return event.type === 'answer' ? secretsIn(event.answer.content, fieldsOfAnswer(event.id, logs)) : []
  })
  return allSecrets(...perEvent)
}

/** Short secrets too, which no masker finds in a text; of an address to open only the place. */
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
  const asked = logs.find(event => event.type === 'question' && event.question.id === id)
  return asked?.type === 'question' && asked.question.mode === 'form'
    ? secretFieldsOf(asked.question.schema)
    : noFields
}

function outcomeOf(ending: EndedEvent | undefined): InvocationOutcome {
  if (ending === undefined) return 'unfinished'
  if (ending.type === 'failure') return ending.reason
  return ending.isError === true ? 'tool-error' : 'ok'
}

function keptInput(text: string, fields: SecretFields, secrets: readonly string[]) {
  const input = leaveOutOfText(text, fields, { secrets })
  if (input === undefined) return { text: '', masked: true, cut: false }
  const { kept, marker } = input
  const cut = kept.length > maxInputCharacters
  return { text: cut ? beginning(kept, maxInputCharacters / 16) : kept, masked: kept !== text, marker, cut }
}

/** Characters; a longer value is not kept. */
const maxVariableCharacters = 20_000

/** Null in the place of a secret, and of a value that is too long. */
function keptVariables(
  variables: Readonly<Record<string, string>>,
  hide: (text: string) => string,
): Record<string, string | null> {
  const kept = Object.entries(variables).map(([name, value]) => {
    const isSecret = isSecretName(name) || isSecretValue(value) || hide(value) !== value
    return [name, isSecret || value.length > maxVariableCharacters ? null : value] as const
  })
  return Object.fromEntries(kept)
}

function keptEnding(ending: EndedEvent, mask: (text: string) => string): { event: EndedEvent; cut: boolean } {
  try {
    const json = maskJson(ending, mask)
    if (json.length <= maxResultCharacters) return { event: JSON.parse(json), cut: false }
    const short = maskJson(cutEnding(ending), mask)
    return { event: JSON.parse(short), cut: true }
  } catch {
    return withoutPayload(ending)
  }
}

/** For a payload that JSON cannot hold (nested too deeply), or whose secrets are too many to take out. */
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

/** The issues show the beginning of what stands at a place: not where that is secret. */
function keptValidation(
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

/** The ending of a call that came to none. */
export function cancelledEnding({ startedAt }: Started, message: string): EndedEvent {
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

/* What is kept of a result that is larger than history wants to hold: its beginning, and a word about the rest. */

/** Characters of JSON up to which a result is kept whole. */
const maxResultCharacters = 5 * 1024 * 1024
/** Characters kept of each part of a larger one. */
const maxPartCharacters = 64 * 1024
const maxBlocks = 20

/** The text's beginning with a marker, or the text itself. */
function beginning(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : `${text.slice(0, longest)}… [cut: history keeps ${longest} of ${text.length} characters]`
}

/** An ending of at most about 2 MiB, made of one that is over the limit. */
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
      // A block of a kind that no protocol names yet.
      return { type: 'text', text: '[cut: a block of an unknown kind]' }
  }
}
