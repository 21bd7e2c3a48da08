/**
 * Questions whose answers the server fetches later: it asks the client to make a task of its request, as a client can ask
 * a server (MCP 2025-11-25, basic/utilities/tasks: requestor and receiver may be either side).
 */
import { randomUUID } from 'node:crypto'
import {
  type Client,
  type JSONRPCMessage,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client'
import { isObject, own } from '../../core/json/json.ts'
import type { TaskStatus } from '../../core/tool/task.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import type { AskQuestion } from './call-questions.ts'
import { anything, type ClientOffer } from './lenient-client.ts'

/** The SDK rejects a task as the answer to these requests, so those that ask for one get another method. */
const taskPrefix = 'task:'
const mayBeTask: readonly string[] = ['elicitation/create', 'sampling/createMessage']

/** Returns a request that asks for a task with its method changed, and another message unchanged. */
export function markTaskRequest<Message extends JSONRPCMessage>(message: Message): Message {
  if (!('method' in message) || !('id' in message) || !mayBeTask.includes(message.method)) return message
  const { params } = message
  if (!isObject(params) || !isObject(own(params, 'task'))) return message
  return { ...message, method: `${taskPrefix}${message.method}` }
}

/** A server that never fetches its answers loses the oldest ones. */
const maxTasks = 100
const maxTtlMs = 3_600_000
const pollInterval = 1_000

interface QuestionTask {
  readonly description: { readonly taskId: string; readonly createdAt: string; readonly ttl: number }
  status: TaskStatus
  lastUpdatedAt: string
  readonly stop: AbortController
  readonly result: Promise<object>
}

export class QuestionTasks {
  private readonly tasks = new Map<string, QuestionTask>()

  /** Answers the requests of the client's server that concern tasks. */
  constructor(client: Client, ask: AskQuestion, { sampling }: Pick<ClientOffer, 'sampling'>) {
    client.setRequestHandler(`${taskPrefix}elicitation/create`, { params: anything }, async params =>
      this.create(params, signal => ask('elicitation', params, signal)),
    )
    if (sampling)
      client.setRequestHandler(`${taskPrefix}sampling/createMessage`, { params: anything }, async params =>
        this.create(params, signal => ask('sampling', params, signal)),
      )
    client.setRequestHandler('tasks/get', { params: anything }, async params => describe(this.find(params)))
    client.setRequestHandler('tasks/result', { params: anything }, async params => {
      const { result, description } = this.find(params)
      const related = { 'io.modelcontextprotocol/related-task': { taskId: description.taskId } }
      return { ...(await result), _meta: related }
    })
    client.setRequestHandler('tasks/cancel', { params: anything }, async params => {
      const task = this.find(params)
      if (task.status !== 'input_required')
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `The task is already ${task.status}`)
      update(task, 'cancelled')
      task.stop.abort()
      return describe(task)
    })
  }

  private create(params: unknown, ask: (signal: AbortSignal) => Promise<object>): { readonly task: object } {
    const wanted = isObject(params) ? own(params, 'task') : undefined
    const ttl = isObject(wanted) ? own(wanted, 'ttl') : undefined
    const createdAt = new Date().toISOString()
    const stop = new AbortController()
    const task: QuestionTask = {
      description: {
        taskId: randomUUID(),
        createdAt,
        ttl: Math.min(typeof ttl === 'number' && ttl > 0 ? ttl : maxTtlMs, maxTtlMs),
      },
      status: 'input_required',
      lastUpdatedAt: createdAt,
      stop,
      result: runWithSignals([stop.signal], ask),
    }
    task.result.then(
      () => update(task, 'completed'),
      () => update(task, 'failed'),
    )
    if (this.tasks.size >= maxTasks) this.removeOldest()
    const { taskId, ttl: lifetimeMs } = task.description
    this.tasks.set(taskId, task)
    setTimeout(() => this.tasks.delete(taskId), lifetimeMs).unref()
    return { task: describe(task) }
  }

  /** Removes the oldest answer; a question only if all are open. */
  private removeOldest(): void {
    const [first] = this.tasks.keys()
    const answered = [...this.tasks].find(([, { status }]) => status !== 'input_required')
    const oldest = answered?.[0] ?? first
    if (oldest !== undefined) this.tasks.delete(oldest)
  }

  private find(params: unknown): QuestionTask {
    const taskId = isObject(params) ? own(params, 'taskId') : undefined
    const task = this.tasks.get(String(taskId))
    if (task === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Task not found')
    return task
  }
}

function update(task: QuestionTask, status: TaskStatus): void {
  if (task.status === 'cancelled') return
  task.status = status
  task.lastUpdatedAt = new Date().toISOString()
}

const describe = ({ description, status, lastUpdatedAt }: QuestionTask) => ({
  ...description,
  status,
  lastUpdatedAt,
  pollInterval,
})
