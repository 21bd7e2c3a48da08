/** An open MCP server: one connection, which is renewed when it is lost, and the calls that run over it. */

import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { AppError, toAppError, toErrorMessage } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { LogLevel, LogLine } from '../../core/tool/log-line.ts'
import type { Callable, Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import type { HiddenCatalog } from '../hidden-catalog/hidden-catalog.ts'
import { EventQueue } from '../process/events.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import type { ServerSignIn } from '../sign-in/server-sign-in.ts'
import { listNotRead, withStderr } from '../sources/run-failure.ts'
import type {
  ArgumentText,
  CallInput,
  CallOptions,
  ListScope,
  ResourceChanges,
  Session,
  SourceContext,
} from '../sources/source.ts'
import { answerServer } from './answer-server.ts'
import type { CallQuestions } from './call-questions.ts'
import { callAlone, callMcpTool, toFailureEvent } from './call-tool.ts'
import { completeArgument } from './complete-argument.ts'
import { FreshLists } from './fresh-lists.ts'
import { readServerResult } from './keep-results.ts'
import { anything, type ClientOffer } from './lenient-client.ts'
import type { PageLimits } from './list-pages.ts'
import { isSameList, listAll } from './list-tools.ts'
import {
  answersPing,
  connectError,
  defaultAnswerTimeoutMs,
  isForgotten,
  type McpConnection,
  type McpConnectionEvents,
  sendLogLevel,
} from './mcp-connection.ts'
import { sendText } from './send-text.ts'
import { ServerLog } from './server-log.ts'
import { Subscriptions } from './subscriptions.ts'
import { waitForConnection } from './wait-for-connection.ts'

/** Milliseconds before each new try to connect; after the last one the server stays down until it is needed again. */
const backoffMs = [500, 1_000, 2_000, 4_000, 8_000, 16_000]
/** A connection that lasted this long resets the waits. */
const stableMs = 30_000

export interface McpSessionParts {
  readonly label: string
  readonly problems: readonly ManifestProblem[]
  /** Files of the server's program. */
  readonly watch?: () => readonly string[]
  readonly secrets: readonly string[]
  /** See Session; absent for an address. */
  readonly confirmVariables?: NodeJS.ProcessEnv
  /** The sign-in of a remote server that may require one. */
  readonly signIn?: ServerSignIn | undefined
  /** See ConnectionEvents; 60 s unless given. */
  readonly answerTimeoutMs: number | undefined
  readonly offer: ClientOffer
  readonly hiddenCatalog: HiddenCatalog
  /** The setting `logLevel` when the source is opened. */
  readonly logLevel: LogLevel | undefined
  connect(events: McpConnectionEvents, signal: AbortSignal): Promise<McpConnection>
}

export class McpSession implements Session {
  readonly kind: string = 'mcp-server'
  readonly label: string
  readonly problems: readonly ManifestProblem[]
  readonly renews = true
  starts = 0
  private running = 0
  readonly signIn?: ServerSignIn
  private readonly parts: McpSessionParts
  private readonly answerTimeoutMs: number
  private readonly context: SourceContext
  private readonly serverLog = new ServerLog()
  private readonly closing = new AbortController()
  /** The running calls, the newest last. */
  private readonly asking = new Set<CallQuestions>()
  private connection: McpConnection | undefined
  private connecting: Promise<McpConnection> | undefined
  readonly lists = new FreshLists()
  /** The latest list, and that of the server's own tools. */
  private listed: Manifest | undefined
  private ownListed: Manifest | undefined
  private listedBy: McpConnection | undefined
  private readonly resources = new Subscriptions(
    uri => this.context.resourceChanged?.(uri),
    client => this.connection?.client === client,
  )
  /** The lowest level of the messages that the server sends; undefined: the server decides. */
  private logLevel: LogLevel | undefined
  private connectedAt = 0
  private tries = 0
  private retry: NodeJS.Timeout | undefined

  constructor(parts: McpSessionParts, context: SourceContext) {
    this.parts = parts
    this.answerTimeoutMs = parts.answerTimeoutMs ?? defaultAnswerTimeoutMs
    this.context = context
    this.label = parts.label
    this.problems = parts.problems
    if (parts.signIn !== undefined) this.signIn = parts.signIn
    this.logLevel = parts.logLevel
  }

  about() {
    const server = this.connection?.client.getServerVersion()
    const serverInfo = server && { name: server.name, version: server.version }
    const { foundBy } = this.parts.hiddenCatalog
    const { protocol } = this.connection ?? {}
    const { freshness } = this.lists
    return withoutUndefined({ protocol, serverInfo, signIn: this.signIn?.state, freshness, foundBy })
  }

  /** The secrets change with each sign-in and each renewal. */
  get secrets(): readonly string[] {
    return [...this.parts.secrets, ...(this.signIn?.secrets ?? [])]
  }

  get watch(): readonly string[] {
    return this.parts.watch?.() ?? []
  }

  hasExpiredList(): boolean {
    return this.lists.hasExpired
  }

  confirmVariables(): NodeJS.ProcessEnv | undefined {
    return this.parts.confirmVariables
  }

  busy(): boolean {
    return this.running > 0
  }

  async isAlive(signal: AbortSignal, timeoutMs: number): Promise<boolean> {
    const { connection } = this
    if (connection === undefined) return false
    const isAnswering = await answersPing(connection, signal, timeoutMs)
    if (!isAnswering) this.onLost(connection)
    return isAnswering && this.connection === connection
  }

  log(): string {
    return this.serverLog.text()
  }

  logLines(): readonly LogLine[] {
    return this.serverLog.lines()
  }

  async setLogLevel(level: LogLevel | undefined): Promise<void> {
    this.logLevel = level
    if (this.connection !== undefined)
      await sendLogLevel(this.connection, level, this.serverLog, this.answerTimeoutMs)
  }

  async manifest(signal: AbortSignal, scope: ListScope = 'all'): Promise<Manifest> {
    if (scope === 'all') this.lists.expireAll()
    const from = this.serverLog.position
    const connection = await this.connected()
    try {
      const read = await runWithSignals([signal, this.closing.signal], stop => {
        const limits = { signal: stop, timeoutMs: this.answerTimeoutMs }
        return listAll(connection.client, limits, {
          before: this.listed,
          ownBefore: this.ownListed,
          lists: this.lists,
          unfold: own => this.unfold(connection, own, limits),
        })
      })
      const listed = { ...read, problems: [...this.parts.problems, ...read.problems] }
      if (this.listed === undefined || !isSameList(this.listed, listed)) this.listed = listed
      this.listedBy = connection
      return this.listed
    } catch (thrown) {
      const log = this.serverLog.text(from)
      const wanted = this.signIn?.errorOf(thrown)
      throw (
        wanted ??
        connection.refusal() ??
        connectError(thrown, this.label, connection.ending(), log, connection.ownsProcess)
      )
    }
  }

  private unfold(connection: McpConnection, own: Manifest, limits: PageLimits): Promise<Manifest> {
    this.ownListed = own
    const { hiddenCatalog } = this.parts
    return hiddenCatalog.unfold(own, this.listed, callAlone(connection, limits), limits)
  }

  async *call(tool: Callable, input: CallInput, options: CallOptions): AsyncGenerator<SessionEvent> {
    const queue = new EventQueue<SessionEvent>()
    this.running += 1
    const ending = this.run(tool, input, options, event => queue.push(event)).finally(() => {
      this.running -= 1
      queue.end()
    })
    yield* queue
    yield await ending
  }

  get resourceChanges(): ResourceChanges | undefined {
    const uris = this.resources.list(this.connection?.client)
    return uris && { uris, set: (...change) => this.subscribe(...change) }
  }

  private async subscribe(uri: string, isWanted: boolean): Promise<void> {
    const connection = await this.connected()
    await this.resources
      .set(connection.client, uri, isWanted, this.answerTimeoutMs)
      .catch((thrown: unknown) => {
        throw new AppError('source-failed', `the server refused it: ${toErrorMessage(thrown).slice(0, 300)}`)
      })
  }

  async complete(entry: Callable, text: ArgumentText, signal: AbortSignal): Promise<readonly string[]> {
    return completeArgument((await this.connected()).client, entry, text, signal)
  }

  async readResource(uri: string, signal: AbortSignal): Promise<unknown> {
    const { client } = await this.connected()
    const limits = { signal, timeout: this.answerTimeoutMs }
    return readServerResult(
      await client.request({ method: 'resources/read', params: { uri } }, anything, limits),
    )
  }

  async send(...[text, author]: Parameters<NonNullable<Session['send']>>): Promise<void> {
    sendText((await this.connected()).client, text, this.answerTimeoutMs, author)
  }

  async close(): Promise<void> {
    this.closing.abort()
    clearTimeout(this.retry)
    const last = this.connection ?? (await this.connecting?.catch(() => undefined))
    await last?.close()
  }

  private async run(
    tool: Callable,
    input: CallInput,
    options: CallOptions,
    emit: (event: SessionEvent) => void,
  ): Promise<SessionEvent> {
    const from = this.serverLog.position
    const started = performance.now()
    // A task of the first try is followed by the second, which must not call again.
    let { taskId } = options
    const noteTask = (event: SessionEvent) => {
      if (event.type === 'task') taskId = event.task.taskId
      emit(event)
    }
    const once = async (): Promise<{ connection?: McpConnection; ending: SessionEvent }> => {
      const { asking } = this
      const waitedMs = () => performance.now() - started
      const connection = this.connection ?? (await waitForConnection(this.connected(), options, waitedMs()))
      if ('type' in connection) return { ending: connection }
      // Another connection may lead to another server, whose list may have been read after the comparison.
      const isCompared = connection === this.listedBy && options.comparedStarts === this.starts
      const refused = isCompared ? undefined : await options.confirmList?.()
      if (refused !== undefined) return { ending: refused }
      // A source without a pin has no list to read.
      if (options.confirmList !== undefined && connection !== this.listedBy && connection !== this.connection)
        return { ending: listNotRead }
      const signInError = (thrown: unknown) => this.signIn?.errorOf(thrown)
      const known = { logLevel: this.logLevel, taskId, asking, signInError, waitedMs: waitedMs() }
      const running = { ...options, ...known, emit: noteTask }
      const ending = await this.parts.hiddenCatalog.call(
        tool,
        input,
        (...sent) => callMcpTool(connection, ...sent, running),
        emit,
      )
      return { connection, ending }
    }
    const first = await once()
    if (first.connection === undefined || !isForgotten(first.ending)) return this.explained(first, from)
    await this.drop(first.connection)
    return this.explained(await once(), from)
  }

  /** Adds the server's last output to a broken call, and handles the lost connection. */
  private async explained(
    { connection, ending }: { connection?: McpConnection; ending: SessionEvent },
    from: number,
  ): Promise<SessionEvent> {
    if (ending.type !== 'failure') return ending
    if (ending.reason === 'sign-in-needed')
      this.context.down?.(
        new AppError(ending.reason, ending.message, withoutUndefined({ hint: ending.hint })),
      )
    if (ending.reason !== 'network') return ending
    if (connection === undefined) return withStderr(ending, this.serverLog.text(from))
    await this.settle(connection)
    if (connection.ending() === undefined && ending.meta?.status === undefined) this.onLost(connection)
    // Checks again, because the server may have ended in the meantime.
    const said = connection.ending() === undefined ? ending : toFailureEvent(new Error(), connection)
    return withStderr(said, this.serverLog.text(from))
  }

  private async drop(connection: McpConnection): Promise<void> {
    if (this.connection === connection) this.connection = undefined
    await connection.close()
  }

  /** The last output of a crashed server arrives shortly after its pipe has closed. */
  private async settle(connection: McpConnection): Promise<void> {
    for (
      let waited = 0;
      connection.ownsProcess && waited < 300 && connection.ending() === undefined;
      waited += 20
    )
      await setTimeoutPromise(20)
  }

  private connected(): Promise<McpConnection> {
    if (this.connection !== undefined) return Promise.resolve(this.connection)
    clearTimeout(this.retry)
    this.connecting ??= this.connect().finally(() => {
      this.connecting = undefined
    })
    return this.connecting
  }

  private async connect(): Promise<McpConnection> {
    const events: McpConnectionEvents = {
      log: this.serverLog,
      answerTimeoutMs: this.answerTimeoutMs,
      resourceChanged: uri => this.resources.changed(uri),
      notified: notification => this.context.notified?.(notification),
      listsChanged: methods => {
        this.lists.expire(methods)
        this.context.changed?.('the server says that its lists have changed')
      },
      lost: connection => this.onLost(connection),
      onQuestion: (...question) => answerServer(this.asking, this.serverLog, ...question),
      offer: this.parts.offer,
      refused: method => [...this.asking].at(-1)?.refuse(method),
    }
    const connection = await this.parts.connect(events, this.closing.signal)
    if (this.closing.signal.aborted) {
      await connection.close()
      throw toAppError(new Error('the source was closed'))
    }
    this.connection = connection
    this.starts += 1
    this.lists.expireAll()
    this.connectedAt = Date.now()
    void this.resources.renew(connection.client, this.answerTimeoutMs)
    void sendLogLevel(connection, this.logLevel, this.serverLog, this.answerTimeoutMs)
    return connection
  }

  private onLost(connection: McpConnection): void {
    if (this.connection !== connection || this.closing.signal.aborted) return
    this.connection = undefined
    // Ends the calls that still wait for an answer.
    void connection.close()
    if (Date.now() - this.connectedAt > stableMs) this.tries = 0
    const text = this.serverLog.text().trim().slice(-4_000)
    const refusal = connection.refusal()
    // The server would send the same message again, so there is no retry.
    if (refusal !== undefined) {
      this.context.down?.(refusal)
      return
    }
    const error = connectError(new Error('the connection was lost'), this.label, undefined, text, false)
    this.context.down?.(error)
    this.scheduleRetry(error)
  }

  private scheduleRetry(error: AppError): void {
    const wait = backoffMs[this.tries]
    if (wait === undefined) {
      this.serverLog.line(`given up after ${this.tries} tries: ${error.detail}`)
      return
    }
    this.tries += 1
    this.retry = setTimeout(() => {
      this.connected().then(
        () => this.context.changed?.('connected again'),
        thrown => {
          const again = toAppError(thrown)
          this.context.down?.(again)
          // A retry cannot sign the user in.
          if (!this.closing.signal.aborted && again.code !== 'sign-in-needed') this.scheduleRetry(again)
        },
      )
    }, wait)
    this.retry.unref()
  }
}
