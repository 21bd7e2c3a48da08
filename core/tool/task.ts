/**
 * Tasks of MCP servers: a server can answer a call with a task, which it continues after the request has ended. The
 * revision 2025-11-25 has them (SEP-1686), and the extension `io.modelcontextprotocol/tasks` of 2026-07-28 (SEP-2663).
 */
import { isObject, own, withoutUndefined } from '../json/json.ts'
import type { ManifestTool } from './tool.ts'

export const tasksExtension = 'io.modelcontextprotocol/tasks'

export const taskStatuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const
export type TaskStatus = (typeof taskStatuses)[number]

/** A task as its server last described it. Its texts are hostile. */
export interface CallTask {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  /** ISO 8601, by the clock of the server. */
  readonly createdAt?: string
  readonly lastUpdatedAt?: string
  /** Milliseconds after `createdAt` until the server may forget the task; absent if it does not say. */
  readonly ttlMs?: number
  /** Milliseconds between two looks that the server asks for. */
  readonly pollIntervalMs?: number
}

const maxIdLength = 1_000
const maxMessageLength = 2_000

/** Reads a task with the field names of either era. Returns undefined if the value does not describe a task. */
export function readTask(value: unknown): CallTask | undefined {
  if (!isObject(value)) return undefined
  const taskId = own(value, 'taskId')
  const status = taskStatuses.find(each => each === own(value, 'status'))
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > maxIdLength || status === undefined)
    return undefined
  const readText = (key: string) => {
    const text = own(value, key)
    return typeof text === 'string' && text !== '' ? text.slice(0, maxMessageLength) : undefined
  }
  const readMs = (key: string) => {
    const given = own(value, `${key}Ms`) ?? own(value, key)
    return typeof given === 'number' && Number.isFinite(given) && given >= 0 ? given : undefined
  }
  return {
    taskId,
    status,
    ...withoutUndefined({
      statusMessage: readText('statusMessage'),
      createdAt: readText('createdAt'),
      lastUpdatedAt: readText('lastUpdatedAt'),
      ttlMs: readMs('ttl'),
      pollIntervalMs: readMs('pollInterval'),
    }),
  }
}

/** The reason of an abort that ends a call and leaves its task to the server: its caller or its source is closed. */
export const leavesTask = Symbol('leavesTask')

/** The member of the `meta` of a call that ended before its task: the id of the task. */
export const leftTask = 'toolscope/task'

/** Whether the task has ended: its status does not change any more. */
export const hasTaskEnded = ({ status }: Pick<CallTask, 'status'>) =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

/** Returns the milliseconds between two looks at the task: those that its server asks for, between 100 ms and 30 s. */
export function getPollMs({ pollIntervalMs = 1_000 }: CallTask): number {
  return Math.min(Math.max(pollIntervalMs, 100), 30_000)
}

/** Returns a line for the user: `working: Gathering sources…`. */
export function describeTask({ status, statusMessage }: CallTask): string {
  const words = status.replace('_', ' ')
  return statusMessage === undefined ? words : `${words}: ${statusMessage}`
}

/** Returns whether a tool must, can or must not be called as a task (MCP 2025-11-25, `execution.taskSupport`). */
export function getTaskSupport({
  extra,
}: Pick<ManifestTool, 'extra'>): 'required' | 'optional' | 'forbidden' {
  const execution = extra && own(extra, 'execution')
  const support = isObject(execution) ? own(execution, 'taskSupport') : undefined
  return support === 'required' || support === 'optional' ? support : 'forbidden'
}
