/** One call of a tool, prompt, resource, template or skill: progress and questions, then its result or failure. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import {
  isInputRequiredResult,
  LOG_LEVEL_META_KEY,
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
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { LogLevel } from '../../core/tool/log-line.ts'
import { type CallTask, getTaskSupport, leavesTask, readTask, tasksExtension } from '../../core/tool/task.ts'
import type { Callable, ManifestTool } from '../../core/tool/tool.ts'
import { expandTemplate } from '../../core/tool/uri-template.ts'
import { cancelledHint, type FailureEvent, failure } from '../sources/run-failure.ts'
import type { CallInput, CallOptions } from '../sources/source.ts'
import { relateToCall } from '../wire/emit.ts'
import { CallClock, type StopReason } from './call-clock.ts'
import { CallQuestions, maxQuestions, type QuestionKind, toReply } from './call-questions.ts'
import { cancelTask, followTask, leaveTask, runWithDelay, TaskEnded } from './call-task.ts'
import { rememberInput } from './exact-json.ts'
import { readServerResult } from './keep-results.ts'
import { anything, type ClientOffer, isModern } from './lenient-client.ts'
import { describeHttpError, type McpConnection } from './mcp-connection.ts'
import { readAnswer } from './read-result.ts'
import { readSkill } from './read-skill.ts'

/** The MCP SDK and many servers process a message by recursion: a deeper one would overflow their stack. */
const maxInputDepth = 500

/** The SDK's timeout while CallClock runs: the longest that a timer accepts. */
const noTimeout = 2 ** 31 - 1
/** Milliseconds before the next round if the server asked no question. */
const roundPauseMs = 250

export interface McpCall extends CallOptions {
  /** Milliseconds of the time limit that have passed before this. */
  readonly waitedMs: number
  /** The setting of the source; the client that made the call may set another one. */
  readonly logLevel?: LogLevel | undefined
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
  const { method, params: asked } = buildRequest(tool, input.value)
  const first = { ...asked, ...taskParams(connection, tool, call), ...callerMeta(connection, call) }
  const isTaskMaker = mayBeTask(connection, call, first)
  // If nothing pauses, resets or shares the limit, the SDK's own timeout and the caller's signal suffice: a CallClock costs
  // more than the message itself.
  const clock =
    answer !== undefined || (isReported && longestMs !== undefined) || isTaskMaker
      ? new CallClock({ timeoutMs, waitedMs, longestMs }, signal)
      : undefined
  const { offer } = connection
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
  const buildLimits = (limitMs: number) => ({
    signal: stopSignal,
    timeout: limitMs,
    maxTotalTimeout: limitMs,
    ...relateToCall(call.callId),
    ...(isReported && { onprogress: (given: GivenProgress) => reportProgress(given) }),
  })
  const send = (params: typeof first, limitMs: number, signal: AbortSignal): Promise<unknown> => {
    const how = { ...buildLimits(limitMs), signal, allowInputRequired: true }
    return tool.kind === undefined && usesParameterHeaders(tool)
      ? connection.client.callTool(
          { ...params, name: tool.name },
          { ...how, toolDefinition: pickDefinition(tool) },
        )
      : connection.client.request({ method, params }, anything, how)
  }
  let task: CallTask | undefined
  const follow = (created: CallTask) => {
    const { client } = connection
    questions.taskId = created.taskId
    return followTask(created, {
      isModern: isModern(connection.protocol),
      signal: stopSignal,
      send: async (method, params, signal) =>
        readServerResult(
          await client.request({ method, params }, anything, { ...buildLimits(leftMs()), signal }),
        ),
      answer: requests => answersTo(requests, questions, offer, stopSignal),
      report(changed) {
        if (task !== undefined) clock?.addProgress()
        task = changed
        emit({ type: 'task', task })
      },
    })
  }
  try {
    if (call.taskId !== undefined)
      return readAnswer(tool, await follow({ taskId: call.taskId, status: 'working' }))
    if (tool.kind === 'skill')
      return await readSkill(tool, input.value, {
        client: connection.client,
        isPinned: call.isPinned,
        limits: { signal: stopSignal, timeoutMs: leftMs(), callId: call.callId },
      })
    let params: typeof first = first
    for (let round = 1; ; round++) {
      // A person may have answered for long, and what is sent again is another call.
      const refused = round === 1 ? undefined : await call.confirmList?.()
      if (refused !== undefined) return refused
      const limitMs = leftMs()
      if (limitMs <= 0) return stopped('timeout', timeoutMs)
      const sent = (stop: AbortSignal) => send(params, limitMs, stop)
      const found = await (isTaskMaker ? runWithDelay(stopSignal, sent) : sent(stopSignal)).catch(thrown =>
        consented(thrown, questions),
      )
      if (found === retry) continue
      if (!isInputRequiredResult(found)) {
        const answer = readServerResult(found)
        const created = tool.kind === undefined ? readCreatedTask(answer, connection, first) : undefined
        return readAnswer(tool, created === undefined ? answer : await follow(created))
      }
      if (round > maxQuestions) return stopped('too-many-questions', timeoutMs)
      const { inputRequests = {}, requestState } = found
      const inputResponses = await answersTo(inputRequests, questions, offer, stopSignal)
      if (inputResponses === undefined)
        await setTimeoutPromise(Math.min(roundPauseMs, leftMs()), undefined, { signal: stopSignal })
      // Each round is independent: the state and the answers of the previous one are not sent again.
      params = { ...first, ...withoutUndefined({ inputResponses, requestState }) }
    }
  } catch (thrown) {
    const wanted = signInError?.(thrown)?.toShape()
    const reason = clock?.reason ?? stoppedBy(thrown, signal)
    const ending =
      wanted !== undefined
        ? failure('sign-in-needed', wanted.detail, wanted.hint)
        : reason === undefined
          ? toFailureEvent(thrown, connection)
          : stopped(reason, timeoutMs)
    // The task has ended with its error, or with its server.
    const hasEnded = thrown instanceof TaskEnded || thrown instanceof ProtocolError
    if (task === undefined || hasEnded || connection.ending() !== undefined) return ending
    const isOurs = thrown instanceof RefusedRequest || (reason !== undefined && reason !== 'timeout')
    if (!isOurs || ending.reason === 'timeout' || signal.reason === leavesTask)
      return leaveTask(connection, task, ending)
    return cancelTask(connection, task, { ending, emit })
  } finally {
    clock?.end()
    questions.end()
    asking.delete(questions)
  }
}

/** Returns a function for calls without a user: their progress is not displayed, and their questions are declined. */
export function callAlone(
  connection: McpConnection,
  { timeoutMs }: Pick<McpCall, 'timeoutMs'>,
): (tool: Callable, input: CallInput, signal: AbortSignal) => Promise<SessionEvent> {
  return (tool, input, signal) => {
    const alone = { waitedMs: 0, withoutProgress: true, emit: () => {}, asking: new Set<CallQuestions>() }
    return callMcpTool(connection, tool, input, { ...alone, timeoutMs, signal })
  }
}

/** Returns the members of the request that ask for a task: where the tool must be a task, or the caller wants one. */
function taskParams({ client, protocol }: McpConnection, tool: Callable, { asTask }: McpCall) {
  const support = tool.kind === undefined && !isModern(protocol) ? getTaskSupport(tool) : 'forbidden'
  if (support === 'forbidden' || (support === 'optional' && asTask !== true)) return {}
  return client.getServerCapabilities()?.tasks?.requests?.tools?.call === undefined ? {} : { task: {} }
}

/** Returns `_meta` with what the request says of the client that made the call. */
function callerMeta({ protocol }: McpConnection, call: McpCall): { _meta?: Record<string, unknown> } {
  const logLevel = call.caller?.logLevel ?? call.logLevel
  const level = isModern(protocol) && logLevel !== undefined ? { [LOG_LEVEL_META_KEY]: logLevel } : {}
  const meta = { ...call.caller?.trace, ...level }
  return Object.keys(meta).length === 0 ? {} : { _meta: meta }
}

/** Whether the call may go on in several requests, which share its time limit. */
function mayBeTask({ client }: McpConnection, { taskId }: McpCall, params: object): boolean {
  const { extensions } = client.getServerCapabilities() ?? {}
  return taskId !== undefined || 'task' in params || extensions?.[tasksExtension] !== undefined
}

/** Returns the task that a server returns instead of the result: 2025-11-25 nests it, the extension marks the result as one. */
function readCreatedTask(answer: unknown, { protocol }: McpConnection, params: object): CallTask | undefined {
  if (!isObject(answer)) return undefined
  if (isModern(protocol)) return own(answer, 'resultType') === 'task' ? readTask(answer) : undefined
  // Another result may have a member of this name.
  return 'task' in params ? readTask(own(answer, 'task')) : undefined
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
  { sampling, roots }: ClientOffer,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const names = Object.keys(requests).slice(0, maxQuestions + 1)
  const answers: [string, unknown][] = []
  // One after another, because a person answers one at a time.
  for (const name of names) {
    const request = requests[name]
    const method = isObject(request) ? own(request, 'method') : undefined
    if (method === 'roots/list') {
      answers.push([name, { roots }])
      continue
    }
    const kind = questionKinds.get(method)
    if (!isObject(request) || kind === undefined || (kind === 'sampling' && !sampling))
      throw new RefusedRequest(questions.refuse(String(method)))
    const answer = await questions.answer(own(request, 'params'), { kind, name })
    signal.throwIfAborted()
    answers.push([name, reply(kind, answer)])
  }
  return answers.length === 0 ? undefined : Object.fromEntries(answers)
}

/** The modern era has no answer for a sampling that is declined: the call ends. */
function reply(kind: QuestionKind, answer: Parameters<typeof toReply>[1]): unknown {
  try {
    return toReply(kind, answer)
  } catch (thrown) {
    throw new RefusedRequest(toErrorMessage(thrown))
  }
}

const questionKinds = new Map<unknown, QuestionKind>([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
])

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
  if (thrown instanceof RefusedRequest || thrown instanceof TaskEnded)
    return failure('tool-error', thrown.message)
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

/** Whether the tool's input schema uses `x-mcp-header`. Checked once per tool, because every call needs it. */
function usesParameterHeaders(tool: ManifestTool): boolean {
  const before = known.get(tool)
  if (before !== undefined) return before
  // If a schema is nested too deep to serialise, the SDK could not walk through it either.
  const found = jsonText(tool.inputSchema)?.includes('"x-mcp-header"') === true
  known.set(tool, found)
  return found
}

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
