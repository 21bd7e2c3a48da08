/** The first stage of a call: looks up its tool, session, limits and secrets. */
import { randomUUID } from 'node:crypto'
import { defaultCallTimeoutMs } from '../../core/api/call-settings.ts'
import type { InvocationOrigin } from '../../core/api/history-filters.ts'
import { AppError } from '../../core/errors.ts'
import { secretValues } from '../../core/tool/mask.ts'
import { leavesTask } from '../../core/tool/task.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { CallTarget } from '../catalog/catalog.ts'
import { listenForAbort } from '../process/run-with-limit.ts'
import { secretsOfSource } from '../sources/masked.ts'
import type { CallInput, CallOptions, Session } from '../sources/source.ts'
import type { AnswerSettings } from './answer-question.ts'
import { createTrace } from './read-trace.ts'

/** Finds a tool by its reference. Throws AppError `tool-not-found`. */
export interface ToolLookup {
  callTarget(ref: string): CallTarget
}

export interface CallRequest {
  readonly ref: string
  readonly input: CallInput
  readonly origin: InvocationOrigin
  /** The name of the person that calls; undefined for the operator. */
  readonly person?: string | undefined
  /** Finds the tool among those that the person sees; the caller's own lookup if undefined. */
  readonly tools?: ToolLookup | undefined
  readonly options?: PreparationParts
  readonly signal: AbortSignal
}

export interface PreparationParts extends AnswerSettings {
  /** Milliseconds after which the call ends, regardless of the source. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds, if the source sets no limit; 60,000 by default. */
  readonly defaultTimeoutMs?: number | undefined
  /** Values of an agent's variables, by name. */
  readonly variables?: Readonly<Record<string, string>> | undefined
  /** Values that history must not contain. */
  readonly secrets?: readonly string[]
  /** The source does not have to report progress. */
  readonly withoutProgress?: boolean
  /** See CallOptions. */
  readonly asTask?: boolean | undefined
  readonly taskId?: string | undefined
  readonly caller?: CallOptions['caller']
  /** Neither input nor output is validated. */
  readonly withoutVerdicts?: boolean
  /** The hashes of differences from the pin that are accepted for this call. */
  readonly accept?: readonly string[] | undefined
  /**
   * The definition, or its hash, by which the caller chose the tool, made its input or asked for a confirmation. A call of
   * a pinned source is refused if it is neither the newest one nor approved.
   */
  readonly seen?: Tool | string | undefined
}

/** A call with everything that it needs to run. */
export interface PreparedCall
  extends Pick<CallTarget, 'tool' | 'manifest'>,
    Pick<CallRequest, 'input' | 'origin' | 'person'>,
    Pick<PreparationParts, 'asTask' | 'taskId' | 'caller' | 'accept' | 'seen'>,
    AnswerSettings {
  readonly id: string
  readonly keepsBackground: CallTarget['keepsBackground']
  /** ISO 8601, UTC. */
  readonly startedAt: string
  readonly run: NonNullable<Session['call']>
  /** How often the server of its source was started; undefined if it does not run between calls. */
  starts(): number | undefined
  readonly timeoutMs: number
  readonly progressResetsTimeout: boolean
  readonly variables: PreparationParts['variables']
  readonly withoutProgress: boolean
  readonly withoutVerdicts: boolean
  /**
   * The current secrets of the source's configuration, which are masked in its output. A sign-in may be renewed during
   * the call.
   */
  sourceSecrets(): readonly string[]
  /** All secrets that are known now; they are masked in history. */
  secrets(): readonly string[]
  /** Aborted by the caller, by `abandon`, before the session is closed, or when the program ends. Needs `begin`. */
  readonly signal: AbortSignal
  /** Starts to listen to what ends the call. Returns a function that stops listening. */
  begin(): () => void
  /** Whether the caller ended the call, or `abandon` did. */
  isCancelled(): boolean
  /** Ends the run because the caller stopped reading. */
  abandon(): void
}

/**
 * Throws AppError `tool-not-found` or `not-callable`.
 *
 * @param stopped aborts when the program ends
 */
export function prepareCall(
  { ref, input, origin, person, tools, options = {}, signal }: CallRequest,
  allTools: ToolLookup,
  stopped: AbortSignal,
): PreparedCall {
  const target = (tools ?? allTools).callTarget(ref)
  const { tool, session, closed, environment } = target
  if (!tool.callable || session.call === undefined)
    throw new AppError('not-callable', `"${tool.ref}" comes from ${tool.source}`)
  if (options.taskId !== undefined && (session.kind !== 'mcp-server' || tool.kind !== undefined))
    throw new AppError(
      'request-invalid',
      `"${tool.ref}" is not a tool of an MCP server, so it has no tasks`,
      {
        hint: 'Nothing was called.',
      },
    )
  const sourceSecrets = () => secretsOfSource(session, { environment })
  const given = [...secretValues(options.variables ?? {}), ...(options.secrets ?? [])]
  const stop = new AbortController()
  const isMcp = session.kind === 'mcp-server'
  const trace = isMcp ? (options.caller?.trace ?? createTrace()) : undefined
  let isAbandoned = false
  return {
    tool,
    manifest: target.manifest,
    keepsBackground: target.keepsBackground,
    id: randomUUID(),
    startedAt: new Date().toISOString(),
    input,
    origin,
    person,
    run: session.call.bind(session),
    starts: () => session.starts,
    timeoutMs: options.timeoutMs ?? target.timeoutMs ?? options.defaultTimeoutMs ?? defaultCallTimeoutMs,
    progressResetsTimeout: target.progressResetsTimeout ?? true,
    variables: options.variables,
    answers: options.answers,
    ask: options.ask,
    asTask: options.asTask,
    taskId: options.taskId,
    accept: options.accept,
    seen: options.seen,
    caller: isMcp ? { ...options.caller, trace } : undefined,
    withoutProgress: options.withoutProgress ?? false,
    withoutVerdicts: options.withoutVerdicts ?? false,
    sourceSecrets,
    secrets: () => [...sourceSecrets(), ...given],
    signal: stop.signal,
    isCancelled: () => signal.aborted || isAbandoned,
    begin: () =>
      listenForAbort([signal, closed, stopped], reason => stop.abort(signal.aborted ? reason : leavesTask)),
    abandon() {
      isAbandoned = true
      stop.abort(leavesTask)
    },
  }
}
