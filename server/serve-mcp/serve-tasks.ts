/**
 * Tasks for the clients of `toolscope mcp`. A client of 2025-11-25 asks for a task (SEP-1686). A client of 2026-07-28
 * receives one if the source made one, and the client declares the extension `io.modelcontextprotocol/tasks` (SEP-2663).
 */
import { randomUUID } from 'node:crypto'
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type JSONRPCRequest,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type Result,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { toErrorMessage } from '../../core/errors.ts'
import { isObject, own, type UnknownObject, withoutUndefined } from '../../core/json/json.ts'
import { type CallTask, hasTaskEnded, type TaskStatus, tasksExtension } from '../../core/tool/task.ts'
import { listenForAbort } from '../process/run-with-limit.ts'
import {
  anything,
  type ClientOfCall,
  createAsker,
  type McpRequest,
  type PolledCall,
  type SendToClient,
  sendRequest,
  type TaskCall,
} from './pass-questions.ts'

/** Milliseconds that a task is remembered after it began, unless its client wants less. */
export const maxTaskMs = 3_600_000
/** If a client has more tasks, the oldest that ended is forgotten. */
const maxTasks = 200
const pollMs = 500
const maxMessageLength = 300

interface TaskResult {
  readonly isError?: boolean
  readonly content?: readonly UnknownObject[]
  readonly _meta?: Readonly<Record<string, unknown>>
}

class ServedTask<Found extends TaskResult, Call extends TaskCall<Found>> {
  readonly taskId: string = randomUUID()
  readonly call: Call
  private readonly createdAt = new Date().toISOString()
  private readonly ttl: number
  private readonly onChange: () => void
  private lastUpdatedAt = this.createdAt
  private statusMessage: string | undefined
  private end: TaskStatus | undefined
  private result: Found | undefined
  private error: UnknownObject | undefined

  constructor(call: Call, ttl: number, onChange: (task: ServedTask<Found, Call>) => void) {
    this.call = call
    this.ttl = ttl
    this.onChange = () => onChange(this)
    call.ending.then(
      result => {
        this.result = result
        const text = result.isError === true ? result.content?.[0]?.text : undefined
        this.finish(result.isError === true ? 'failed' : 'completed', text)
      },
      (thrown: unknown) => {
        const message = toErrorMessage(thrown)
        const code = thrown instanceof ProtocolError ? thrown.code : ProtocolErrorCode.InternalError
        this.error = { code, message }
        this.finish('failed', message)
      },
    )
  }

  get status(): TaskStatus {
    return this.end ?? (this.call.isAsking() ? 'input_required' : 'working')
  }

  /** Reports a change: a question, an answer, or another message of the source. */
  change(message = this.statusMessage): void {
    if (this.end !== undefined) return
    this.statusMessage = message
    this.lastUpdatedAt = new Date().toISOString()
    this.onChange()
  }

  cancel(): void {
    this.finish('cancelled', 'Cancelled by its client.')
    this.call.cancel()
  }

  describeLegacy(): Record<string, unknown> {
    const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttl } = this
    const state = { taskId, status, createdAt, lastUpdatedAt, ttl, pollInterval: pollMs }
    return withoutUndefined({ ...state, statusMessage })
  }

  describeModern(): Record<string, unknown> {
    const { taskId, statusMessage, createdAt, lastUpdatedAt, ttl } = this
    // For the extension, only a request that failed is a failed task: a result with isError is a result.
    const status = this.status === 'failed' && this.result !== undefined ? 'completed' : this.status
    const state = { taskId, status, createdAt, lastUpdatedAt, ttlMs: ttl, pollIntervalMs: pollMs }
    return withoutUndefined({ ...state, statusMessage })
  }

  /** Returns the member of an answer to `tasks/get` that belongs to the status, after an end. */
  describeEnd(): Record<string, unknown> {
    if (this.status === 'cancelled') return {}
    return withoutUndefined({ result: this.result, error: this.error })
  }

  private finish(end: TaskStatus, message: unknown): void {
    if (this.end !== undefined) return
    this.end = end
    this.statusMessage = typeof message === 'string' ? message.slice(0, maxMessageLength) : undefined
    this.lastUpdatedAt = new Date().toISOString()
    this.onChange()
  }
}

/** The tasks of one client. */
class ClientTasks<Found extends TaskResult, Call extends TaskCall<Found>> {
  private readonly tasks = new Map<string, ServedTask<Found, Call>>()
  private readonly onChange: (task: ServedTask<Found, Call>) => void

  constructor(onChange: (task: ServedTask<Found, Call>) => void = () => {}) {
    this.onChange = onChange
  }

  /** Makes a task of a call. Throws ProtocolError and cancels the call if too many run. */
  add(call: Call, ttl: number): ServedTask<Found, Call> {
    if (this.tasks.size >= maxTasks) {
      const ended = [...this.tasks.values()].find(hasTaskEnded)
      if (ended === undefined) {
        call.cancel()
        const sentence = `${maxTasks} tasks run. Wait until one ends, or cancel one.`
        throw new ProtocolError(ProtocolErrorCode.InternalError, sentence)
      }
      this.tasks.delete(ended.taskId)
    }
    const task = new ServedTask<Found, Call>(call, ttl, this.onChange)
    this.tasks.set(task.taskId, task)
    setTimeout(() => this.remove(task), ttl).unref()
    return task
  }

  /** Returns the task that the params of a request name. Throws ProtocolError `InvalidParams`. */
  find(params: unknown): ServedTask<Found, Call> {
    const taskId = isObject(params) ? own(params, 'taskId') : undefined
    const task = this.tasks.get(String(taskId))
    if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found')
    return task
  }

  list(): ServedTask<Found, Call>[] {
    return [...this.tasks.values()]
  }

  close(): void {
    for (const task of this.list()) this.remove(task)
  }

  private remove(task: ServedTask<Found, Call>): void {
    this.tasks.delete(task.taskId)
    if (!hasTaskEnded(task)) task.cancel()
  }
}

/** The call behind a task of 2025-11-25: its questions are sent while a request waits for the result. */
class WaitedCall<Found> implements TaskCall<Found> {
  readonly ending: Promise<Found>
  onChange: (message?: string) => void = () => {}
  taskId = ''
  private readonly stop = new AbortController()
  /** The requests that wait for the result. */
  private readonly waiting = new Set<McpRequest>()
  private readonly onRequest = new Set<() => void>()
  private askingCount = 0

  /** @param notify sends a notification that belongs to no request */
  constructor(
    first: McpRequest,
    capabilities: ClientCapabilities | undefined,
    notify: (notification: { method: string; params: Record<string, unknown> }) => Promise<unknown>,
    begin: (client: ClientOfCall) => Promise<Found>,
  ) {
    const progressToken = first._meta?.progressToken
    this.ending = begin({
      signal: this.stop.signal,
      ask: createAsker(capabilities, (...parts) => this.send(...parts)),
      log: () => {},
      onTask: ({ statusMessage }) => this.onChange(statusMessage),
      progress: async progress => {
        // The token is valid as long as the task (2025-11-25, basic/utilities/tasks).
        if (progressToken === undefined) return
        const params = { progressToken, ...progress, _meta: this.relatedMeta() }
        await notify({ method: 'notifications/progress', params })
      },
    })
    this.ending.catch(() => {})
  }

  cancel(): void {
    this.stop.abort()
  }

  isAsking(): boolean {
    return this.askingCount > 0
  }

  relatedMeta(): Record<string, unknown> {
    return { [RELATED_TASK_META_KEY]: { taskId: this.taskId } }
  }

  /** Resolves to the result. The request passes the questions until then. */
  async waitWith(request: McpRequest): Promise<Found> {
    this.waiting.add(request)
    for (const resolve of this.onRequest) resolve()
    try {
      return await this.ending
    } finally {
      this.waiting.delete(request)
    }
  }

  private async send(...[asked, question, signal]: Parameters<SendToClient>): Promise<unknown> {
    this.askingCount += 1
    this.onChange()
    try {
      for (;;) {
        const request = await this.nextRequest(signal)
        try {
          return await sendRequest(request, this.relatedMeta())(asked, question, signal)
        } catch (thrown) {
          // The client stopped waiting, and can wait again.
          if (!request.signal.aborted || signal.aborted) throw thrown
          this.waiting.delete(request)
        }
      }
    } finally {
      this.askingCount -= 1
      this.onChange()
    }
  }

  private nextRequest(signal: AbortSignal): Promise<McpRequest> {
    const find = () => [...this.waiting].find(request => !request.signal.aborted)
    const found = find()
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve, reject) => {
      const end = () => {
        this.onRequest.delete(onRequest)
        stopListening()
      }
      const onRequest = () => {
        const request = find()
        if (request === undefined) return
        end()
        resolve(request)
      }
      this.onRequest.add(onRequest)
      const stopListening = listenForAbort([signal], reason => {
        this.onRequest.delete(onRequest)
        reject(reason)
      })
    })
  }
}

/** Answers the requests of one client of the legacy era that concern its tasks. */
export class LegacyTasks<Found extends TaskResult> {
  private readonly server: Server
  private readonly tasks: ClientTasks<Found, WaitedCall<Found>>

  constructor(server: Server) {
    this.server = server
    this.tasks = new ClientTasks(task => {
      const params = task.describeLegacy()
      server.notification({ method: 'notifications/tasks/status', params }).catch(() => {})
    })
    const find = (params: unknown) => this.tasks.find(params)
    server.setRequestHandler('tasks/get', { params: anything }, async params => find(params).describeLegacy())
    server.setRequestHandler('tasks/list', { params: anything }, async () => ({
      tasks: this.tasks.list().map(task => task.describeLegacy()),
    }))
    server.setRequestHandler('tasks/result', { params: anything }, async (params, { mcpReq }) => {
      const { call } = find(params)
      const result: TaskResult = await call.waitWith(mcpReq)
      const marked: Record<string, unknown> = { ...result, _meta: { ...result._meta, ...call.relatedMeta() } }
      return marked
    })
    server.setRequestHandler('tasks/cancel', { params: anything }, async params => {
      const task = find(params)
      if (hasTaskEnded(task)) {
        const sentence = `The task cannot be cancelled: it is already ${task.status}.`
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, sentence)
      }
      task.cancel()
      return task.describeLegacy()
    })
  }

  /** Begins a call as a task, and returns the answer to its request. */
  create(
    request: McpRequest,
    ttl: number,
    capabilities: ClientCapabilities | undefined,
    begin: (client: ClientOfCall) => Promise<Found>,
  ): object {
    const call = new WaitedCall(request, capabilities, said => this.server.notification(said), begin)
    const task = this.tasks.add(call, ttl)
    call.taskId = task.taskId
    call.onChange = message => task.change(message)
    return { task: task.describeLegacy() }
  }

  close(): void {
    this.tasks.close()
  }
}

/** The tasks of the clients of 2026-07-28. Only a client that received the random id of a task can name it. */
export class ModernTasks<Found extends TaskResult> {
  private readonly tasks = new ClientTasks<Found, PolledCall<Found>>()

  /** Answers the requests that concern tasks, on a server of one request or connection. */
  serve(server: Server): void {
    const find = (params: unknown, { envelope }: McpRequest) => {
      const declared = (envelope as { [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities } | undefined)?.[
        CLIENT_CAPABILITIES_META_KEY
      ]
      if (!declaresTasks(declared))
        throw new MissingRequiredClientCapabilityError({
          requiredCapabilities: { extensions: { [tasksExtension]: {} } },
        })
      return this.tasks.find(params)
    }
    server.setRequestHandler('tasks/get', { params: anything }, async (params, { mcpReq }) => {
      const task = find(params, mcpReq)
      const requests = task.status === 'input_required' ? { inputRequests: task.call.takeRequests() } : {}
      return { ...task.describeModern(), ...task.describeEnd(), ...requests }
    })
    server.setRequestHandler('tasks/update', { params: anything }, async (params, { mcpReq }) => {
      // The SDK takes the answers out of the params of every request.
      find(params, mcpReq).call.answerSome(mcpReq.inputResponses)
      return {}
    })
    server.setRequestHandler('tasks/cancel', { params: anything }, async (params, { mcpReq }) => {
      const task = find(params, mcpReq)
      if (!hasTaskEnded(task)) task.cancel()
      return {}
    })
  }

  /** Makes a task of a running call. Returns the answer to its request, and a function that reports its changes. */
  create(call: PolledCall<Found>): { readonly created: object; readonly change: (task?: CallTask) => void } {
    const task = this.tasks.add(call, maxTaskMs)
    return {
      created: { resultType: 'task', ...task.describeModern() },
      change: source => task.change(source?.statusMessage),
    }
  }
}

export const declaresTasks = (capabilities: ClientCapabilities | undefined) =>
  capabilities?.extensions?.[tasksExtension] !== undefined

/** The SDK's server rejects a task as the answer to a call; this one passes it on. */
export class TaskServer extends Server {
  protected override _wrapHandler(method: string, handler: RequestHandler): RequestHandler {
    if (method !== 'tools/call') return super._wrapHandler(method, handler)
    return async (request, context) => {
      let created: Result | undefined
      const wrapped = super._wrapHandler(method, async (...given) => {
        const result = await handler(...given)
        if (!isCreatedTask(result)) return result
        created = result
        return { content: [] }
      })
      const result = await wrapped(request, context)
      return created ?? result
    }
  }
}

type RequestHandler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

const isCreatedTask = (result: { readonly [key: string]: unknown }) =>
  own(result, 'content') === undefined &&
  (isObject(own(result, 'task')) || own(result, 'resultType') === 'task')
