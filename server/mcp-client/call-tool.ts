/**
 * One call of a tool, prompt, resource or template: progress and questions while it runs, then its result or failure.
 */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import {
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import { type AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, jsonText, own, withoutUndefined } from '../../core/json/json.ts'
import { measureDepth } from '../../core/json/json-text.ts'
import { formatTimeLimit, longestCallMs } from '../../core/text/duration.ts'
import type { ContentBlock, SessionEvent } from '../../core/tool/invocation.ts'
import type { Callable, ManifestTool } from '../../core/tool/tool.ts'
import { expandTemplate } from '../../core/tool/uri-template.ts'
import { cancelledHint, type FailureEvent, failure } from '../sources/run-failure.ts'
import type { CallInput, CallOptions } from '../sources/source.ts'
import { CallClock, type StopReason } from './call-clock.ts'
import { CallQuestions, maxQuestions } from './call-questions.ts'
import { rememberInput } from './exact-json.ts'
import { readServerResult } from './keep-results.ts'
import { anything } from './lenient-client.ts'
import { describeHttpError, type McpConnection } from './mcp-connection.ts'
import { readBlock, readResult } from './read-result.ts'

/** The MCP SDK and many servers process a message by recursion: a deeper one would overflow their stack. */
const maxInputDepth = 500

/** The SDK's timeout while CallClock runs: the longest that a timer accepts. */
const noTimeout = 2 ** 31 - 1
/** Milliseconds before the next round if the server asked no question. */
const roundPauseMs = 250

export interface McpCall extends CallOptions {
  /** Milliseconds of the time limit that have passed before this. */
  readonly waitedMs: number
  /** Receives each event before the ending. */
  readonly emit: (event: SessionEvent) => void
  /** The calls of this connection that can be asked something, the newest last. */
  readonly asking: Set<CallQuestions>
  /** Returns the sign-in error of a failed request, if it failed because of a missing sign-in. */
  readonly signInError?: (thrown: unknown) => AppError | undefined
}

/** Makes the call, answers the server's questions, and resolves to the ending. Never rejects. */
export async function callMcpTool(
  connection: McpConnection,
  tool: Callable,
  input: CallInput,
  call: McpCall,
): Promise<SessionEvent> {
  const { signal, timeoutMs, waitedMs, answer, emit, asking, signInError } = call
  const longestMs = call.progressResetsTimeout === true ? longestCallMs(timeoutMs) : undefined
  const isReported = call.withoutProgress !== true
  if (measureDepth(input.text) > maxInputDepth)
    return failure(
      'too-large',
      `The input is nested more than ${maxInputDepth} levels deep; it was not sent.`,
      'An MCP server would be ended by it, and with it the calls of others.',
    )
  rememberInput(input.value, input.text)
  // If nothing pauses or resets the limit, the SDK's own timeout and the caller's signal suffice: a CallClock costs
  // more than the message itself.
  const clock =
    answer !== undefined || (isReported && longestMs !== undefined)
      ? new CallClock({ timeoutMs, waitedMs, longestMs }, signal)
      : undefined
  const server = connection.client.getServerVersion()?.name
  const stopSignal = clock?.signal ?? signal
  const questions = new CallQuestions({ answer }, { emit, clock, server, signal: stopSignal })
  asking.add(questions)
  const deadline = performance.now() + timeoutMs - waitedMs
  const leftMs = () => (clock ? noTimeout : deadline - performance.now())
  const reportProgress = (given: GivenProgress) => {
    clock?.addProgress()
    emit(progressEvent(given))
  }
  const { method, params: first } = buildRequest(tool, input.value)
  const send = (params: typeof first, limitMs: number): Promise<unknown> => {
    const how = {
      signal: stopSignal,
      timeout: limitMs,
      maxTotalTimeout: limitMs,
      allowInputRequired: true,
      ...(isReported && { onprogress: (given: GivenProgress) => reportProgress(given) }),
    }
    return tool.kind === undefined && usesParameterHeaders(tool)
      ? connection.client.callTool(
          { ...params, name: tool.name },
          { ...how, toolDefinition: pickDefinition(tool) },
        )
      : connection.client.request({ method, params }, anything, how)
  }
  try {
    let params = first
    for (let round = 1; ; round++) {
      const limitMs = leftMs()
      if (limitMs <= 0) return stopped('timeout', timeoutMs)
      const found = await send(params, limitMs).catch(thrown => consented(thrown, questions))
      if (found === retry) continue
      if (!isInputRequiredResult(found)) return readAnswer(tool, readServerResult(found))
      if (round > maxQuestions) return stopped('too-many-questions', timeoutMs)
      const { inputRequests = {}, requestState } = found
      const inputResponses = await answersTo(inputRequests, questions, stopSignal)
      if (inputResponses === undefined)
        await setTimeoutPromise(Math.min(roundPauseMs, leftMs()), undefined, { signal: stopSignal })
      // Each round is independent: the state and the answers of the previous one are not sent again.
      params = { ...first, ...withoutUndefined({ inputResponses, requestState }) }
    }
  } catch (thrown) {
    const wanted = signInError?.(thrown)?.toShape()
    if (wanted !== undefined) return failure('sign-in-needed', wanted.detail, wanted.hint)
    const reason = clock?.reason ?? stoppedBy(thrown, signal)
    return reason === undefined ? toFailureEvent(thrown, connection) : stopped(reason, timeoutMs)
  } finally {
    clock?.end()
    questions.end()
    asking.delete(questions)
  }
}

/** The server requested something that Toolscope does not offer. */
class RefusedRequest extends Error {}

/**
 * Returns the answers by name; undefined if the server asked nothing. Throws RefusedRequest, and if the signal is
 * aborted.
 */
async function answersTo(
  requests: Readonly<Record<string, unknown>>,
  questions: CallQuestions,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const names = Object.keys(requests).slice(0, maxQuestions + 1)
  const answers: [string, unknown][] = []
  // One after another, because a person answers one at a time.
  for (const name of names) {
    const request = requests[name]
    const method = isObject(request) ? own(request, 'method') : undefined
    if (!isObject(request) || method !== 'elicitation/create')
      throw new RefusedRequest(questions.refuse(String(method)))
    answers.push([name, await questions.answer(own(request, 'params'), { name })])
    signal.throwIfAborted()
  }
  return answers.length === 0 ? undefined : Object.fromEntries(answers)
}

const retry = Symbol('retry')

/**
 * A server of the old era can refuse a call until the user has visited some URLs: if the user consents to each, the
 * call is repeated.
 */
async function consented(thrown: unknown, questions: CallQuestions): Promise<typeof retry> {
  if (!(thrown instanceof UrlElicitationRequiredError) || thrown.elicitations.length === 0) throw thrown
  for (const elicitation of thrown.elicitations) {
    const { action } = await questions.answer({ ...elicitation, mode: 'url' })
    if (action !== 'accept') throw thrown
  }
  return retry
}

/** The SDK has one error for cancellation and timeout. */
function stoppedBy(thrown: unknown, signal: AbortSignal): StopReason | undefined {
  if (signal.aborted) return 'cancelled'
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout ? 'timeout' : undefined
}

/** Omits the output schema: with it, the SDK would reject a result that does not match. */
function pickDefinition(tool: ManifestTool) {
  return { name: tool.name, inputSchema: tool.inputSchema as { type: 'object' } }
}

interface GivenProgress {
  progress: number
  total?: number | undefined
  message?: string | undefined
}

function progressEvent(given: GivenProgress): SessionEvent {
  return {
    type: 'progress',
    progress: given.progress,
    ...withoutUndefined({ total: given.total, message: given.message }),
  }
}

export function toFailureEvent(
  thrown: unknown,
  connection: Pick<McpConnection, 'ending' | 'refusal'> | undefined,
): FailureEvent {
  if (thrown instanceof RefusedRequest) return failure('tool-error', thrown.message)
  const refusal = connection?.refusal()
  if (refusal !== undefined) return failure('network', `${refusal.detail}.`)
  const message = toErrorMessage(thrown)
  if (
    thrown instanceof ProtocolError &&
    !(thrown.code === ProtocolErrorCode.InternalError && connection?.ending())
  )
    return {
      ...failure(
        isUnknownTool(thrown) ? 'not-found' : 'tool-error',
        `The server answered with error ${thrown.code}: ${message}`.slice(0, 1_000),
        thrown.code === ProtocolErrorCode.InvalidParams
          ? 'It refused the input, or no longer knows the tool: refresh the source.'
          : undefined,
      ),
      ...(thrown.data === undefined ? {} : { meta: { error: thrown.data } }),
    }
  const ending = connection?.ending()
  if (ending !== undefined)
    return failure(
      'network',
      `The server ${ending} during the call.`,
      'It is restarted automatically; what it wrote last is shown with this call.',
    )
  if (thrown instanceof SdkHttpError)
    return {
      ...failure('network', `The server ${describeHttpError(thrown)}.`),
      meta: { status: thrown.status },
    }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.ConnectionClosed)
    return failure('network', 'The connection to the server ended during the call.')
  return failure('network', message.slice(0, 500))
}

/** Returns the failure of a call that was ended before its server answered. @param timeoutMs its time limit */
export function stopped(reason: StopReason, timeoutMs: number): FailureEvent {
  switch (reason) {
    case 'cancelled':
      return failure('cancelled', 'Cancelled (server notified)', cancelledHint)
    case 'timeout':
      return failure('timeout', notified)
    case 'longest-time':
      return failure(
        'timeout',
        `Progress reset it until the longest time of such a call, ${formatTimeLimit(longestCallMs(timeoutMs))}. ${notified}`,
      )
    case 'too-many-questions':
      return failure(
        'tool-error',
        `The server asked more than ${maxQuestions} questions; the call was ended.`,
        'A server may not ask without end. Look at what it asked, in the log of the call.',
      )
  }
}

const notified = 'The server was notified.'

const isUnknownTool = (error: ProtocolError) =>
  error.code === ProtocolErrorCode.MethodNotFound ||
  /unknown tool|tool .{0,200} not found/i.test(error.message)

const known = new WeakMap<ManifestTool, boolean>()

/**
 * Returns whether the tool's input schema uses `x-mcp-header`. It is checked once per tool, because every call needs
 * it.
 */
function usesParameterHeaders(tool: ManifestTool): boolean {
  const before = known.get(tool)
  if (before !== undefined) return before
  // If a schema is nested too deep to serialise, the SDK could not walk through it either.
  const found = jsonText(tool.inputSchema)?.includes('"x-mcp-header"') === true
  known.set(tool, found)
  return found
}

/* Builds the request for a tool, a prompt, a resource or a template, and reads its answer. */

/** An input that is not an object is sent unchanged: the user may want to test the server with it. */
function buildRequest(
  { kind, name, uri = '' }: Callable,
  value: unknown,
): { readonly method: string; readonly params: Record<string, unknown> } {
  if (kind === 'resource') return { method: 'resources/read', params: { uri } }
  if (kind === 'template')
    return { method: 'resources/read', params: { uri: expandTemplate(uri, isObject(value) ? value : {}) } }
  return { method: kind === 'prompt' ? 'prompts/get' : 'tools/call', params: { name, arguments: value } }
}

/** Keeps every block and message; content of an unknown shape becomes JSON text. */
function readAnswer({ kind }: Callable, answer: unknown): SessionEvent {
  if (kind === undefined) return readResult(answer)
  const key = kind === 'prompt' ? 'messages' : 'contents'
  const list = isObject(answer) ? own(answer, key) : undefined
  if (!isObject(answer) || !Array.isArray(list))
    return {
      ...failure('bad-output', `The server answered without a list of ${key}.`),
      content: [{ type: 'text', text: jsonText(answer) ?? '…' }],
    }
  const notes: string[] = []
  const read = kind === 'prompt' ? { content: readMessages(list, notes) } : readContents(list, notes)
  const meta = own(answer, '_meta')
  const description = own(answer, 'description')
  if (typeof description === 'string' && description !== '') notes.unshift(description.slice(0, 2_000))
  return {
    type: 'result',
    ...read,
    ...(isObject(meta) ? { meta } : {}),
    ...(notes.length === 0 ? {} : { note: notes.slice(0, 5).join(' · ') }),
  }
}

function readMessages(messages: readonly unknown[], notes: string[]): readonly ContentBlock[] {
  return messages.flatMap((message, index) => {
    const given = isObject(message) ? own(message, 'content') : undefined
    if (!isObject(message) || given === undefined) return [readBlock(message, index, notes)]
    const role = own(message, 'role')
    const blocks = Array.isArray(given) ? given : [given]
    return blocks.map((block: unknown) => ({
      ...readBlock(block, index, notes),
      ...(typeof role === 'string' ? { role: role.slice(0, 40) } : {}),
    }))
  })
}

/** A single content is shown in its own type; several are shown with their URIs. */
function readContents(contents: readonly unknown[], notes: string[]) {
  const blocks = contents.map((content, index) =>
    readBlock({ type: 'resource', resource: content }, index, notes),
  )
  const [only] = blocks
  if (blocks.length !== 1 || only?.type !== 'resource') return { content: blocks }
  const { uri, text, blob } = only.resource
  const mimeType = typeof only.resource.mimeType === 'string' ? only.resource.mimeType : ''
  const type = /^(image|audio)\//i.exec(mimeType)?.[1]?.toLowerCase()
  const isMedia = type === 'image' || type === 'audio'
  if (typeof text === 'string' || (typeof blob === 'string' && isMedia))
    notes.push([uri.slice(0, 500), mimeType].filter(Boolean).join(' · '))
  if (typeof text === 'string')
    return { content: [{ type: 'text', text } as const], ...parseStructuredContent(text, mimeType) }
  if (typeof blob === 'string' && isMedia) return { content: [{ type, data: blob, mimeType } as const] }
  return { content: blocks }
}

/** Returns the text as structured content if its type is JSON and it can be parsed. */
function parseStructuredContent(text: string, mimeType: string) {
  if (!/[/+]json\b/i.test(mimeType)) return {}
  try {
    return withoutUndefined({ structuredContent: JSON.parse(text) as unknown, raw: text })
  } catch {
    return {}
  }
}
