/** The lines of a source's log. */

/** The levels of `notifications/message`, the least severe first (RFC 5424; MCP, server/utilities/logging). */
export const logLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LogLevel = (typeof logLevels)[number]

/** `message`: the server's `notifications/message` · `output`: stderr, and stray lines on stdout · `toolscope`: ours. */
export const logOrigins = ['message', 'output', 'toolscope'] as const

/** Hostile text, except of lines of `toolscope`. */
export interface LogLine {
  /** Counts up within the log, from 1. */
  readonly number: number
  /** When it was received, ISO 8601. */
  readonly time: string
  readonly origin: (typeof logOrigins)[number]
  /** Only of a message. */
  readonly level?: LogLevel
  /** The part of the server that wrote the message. */
  readonly logger?: string
  /** At most 8,000 characters. A message may have several lines. */
  readonly text: string
}

export const isLogLevel = (value: unknown): value is LogLevel => logLevels.some(level => level === value)

/** Whether a line has this level or a more severe one. A line without a level has none of them. */
export function hasLevel({ level }: Pick<LogLine, 'level'>, lowest: LogLevel): boolean {
  return level !== undefined && logLevels.indexOf(level) >= logLevels.indexOf(lowest)
}
