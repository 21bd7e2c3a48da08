/** Passes on what the servers of sources say at any time: log messages, and that what was asked at an address is done. */
import type { LoggingLevel, Server } from '@modelcontextprotocol/server'
import type { ServerNotification } from '../sources/source.ts'

export interface SourceNotification {
  readonly source: string | undefined
  readonly notification: ServerNotification
}

/** A client that reads too slowly loses the log messages beyond these. */
const maxUnsent = 1_000

export type LogMessage = readonly [level: LoggingLevel, data: unknown, logger: string | undefined]
type Send = (...message: LogMessage) => Promise<void>

/** Sends log messages one after another. A client that loses some receives their number. */
export class LogQueue {
  private readonly send: Send
  private unsentCount = 0
  private lostCount = 0
  private last = Promise.resolve()

  constructor(send: Send) {
    this.send = send
  }

  push(...message: LogMessage): void {
    if (this.unsentCount >= maxUnsent) {
      this.lostCount += 1
      return
    }
    this.unsentCount += 1
    this.last = this.last.then(async () => {
      await this.send(...message).catch(() => {})
      this.unsentCount -= 1
      if (this.unsentCount > 0 || this.lostCount === 0) return
      const sentence = `${this.lostCount} log messages are left out, because the client reads too slowly.`
      this.lostCount = 0
      await this.send('warning', sentence, 'toolscope').catch(() => {})
    })
  }

  /** Resolves when everything so far was sent. */
  sent(): Promise<void> {
    return this.last
  }
}

type TakeLog = (...message: LogMessage) => void

/** The running calls of a connection that send the log messages of their sources. */
export class CallLogs {
  private readonly calls = new Map<string, Set<TakeLog>>()

  /** Returns a function that ends it. */
  add(source: string, log: TakeLog): () => void {
    const calls = this.calls.get(source) ?? new Set()
    this.calls.set(source, calls.add(log))
    return () => void calls.delete(log)
  }

  /** Returns the newest running call of a source. */
  newest(source: string | undefined): TakeLog | undefined {
    return [...(this.calls.get(source ?? '') ?? [])].at(-1)
  }
}

/**
 * Returns a function that sends notifications to a legacy client, which has set the level of the log messages.
 *
 * @param logs the calls that send the messages instead: their streams are open, while the client may not have opened the
 *   stream of the connection
 */
export function sendToConnection(
  server: Server,
  logs: CallLogs | false = false,
): (said: SourceNotification) => void {
  const queue = new LogQueue((level, data, logger) =>
    server.sendLoggingMessage(
      { level, data, ...(logger === undefined ? {} : { logger }) },
      server.transport?.sessionId,
    ),
  )
  return said => {
    const { method, params } = said.notification
    if (method === 'notifications/message') {
      const log = (logs && logs.newest(said.source)) || ((...message) => queue.push(...message))
      log(...readLog(said))
    } else server.notification({ method, params }).catch(() => {})
  }
}

/** Returns a log message, which the SDK has checked. A server that names no logger is named by its source. */
export function readLog({ notification, source }: SourceNotification): LogMessage {
  const { level, data, logger = source } = notification.params
  return [level as LoggingLevel, data, logger as string | undefined]
}
