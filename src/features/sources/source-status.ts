import type { SourceState, SourceStatus } from '../../../core/api/sources.ts'
import { formatCount } from '../../ui/format.ts'

/** How a source is, as the tone of its dot. The words beside it say the same. */
export const healthTones = {
  opening: 'plain',
  starting: 'plain',
  ready: 'ok',
  degraded: 'warn',
  failed: 'bad',
  stopped: 'plain',
} as const satisfies Record<SourceStatus, 'plain' | 'ok' | 'warn' | 'bad'>

/** What is beside a source's name: how many tools it has, or why it shows none. */
export function healthText(source: SourceState): string {
  const { status, toolCount } = source
  if (status === 'opening' || status === 'starting') return `${status}…`
  if (status === 'stopped' || status === 'failed') return statusWord(source)
  return status === 'degraded' ? `${formatCount(toolCount)} · degraded` : formatCount(toolCount)
}

const statusTexts = {
  opening: 'is being opened',
  starting: 'is being started',
  ready: 'is ready',
  degraded: 'has problems',
  failed: 'failed',
} as const satisfies Record<Exclude<SourceStatus, 'stopped'>, string>

/** The status as one word; a source of which nothing ever runs is closed rather than stopped. */
export function statusWord(source: SourceState): string {
  return source.status === 'stopped' ? sourceWords(source.kind).stopped : source.status
}

export function healthSentence(source: SourceState): string {
  const { name, status, kind, toolCount } = source
  const state = status === 'stopped' ? `is ${sourceWords(kind).stopped}` : statusTexts[status]
  return `${name} ${state}, ${formatCount(toolCount)} tools`
}

/** What starting and stopping is called: a program or a server is stopped, a file, a folder or an address is closed. */
export interface SourceWords {
  readonly stop: string
  readonly start: string
  readonly restart: string
  readonly stopped: string
  readonly stoppedText: string
}

const running: SourceWords = {
  stop: 'Stop',
  start: 'Start',
  restart: 'Restart',
  stopped: 'stopped',
  stoppedText: 'Nothing of it runs until you start it.',
}

const lying: SourceWords = {
  stop: 'Close',
  start: 'Open',
  restart: 'Reopen',
  stopped: 'closed',
  stoppedText: 'Its tools are not in the catalog until you open it.',
}

const closable: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory', 'bridge-url'])

/** @param kind of SourceState; an address of which it is not known yet what answers there counts as running */
export function sourceWords(kind: string): SourceWords {
  return closable.has(kind) ? lying : running
}
