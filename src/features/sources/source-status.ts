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

/** What stands beside a source's name: how many tools it has, or that it has none to give. */
export function healthText(source: SourceState): string {
  if (source.status === 'opening') return 'opening…'
  if (source.status === 'starting') return 'starting…'
  if (source.status === 'stopped') return sourceWords(source.kind).stopped
  if (source.status === 'failed') return 'failed'
  if (source.status === 'degraded') return `${formatCount(source.toolCount)} · degraded`
  return formatCount(source.toolCount)
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
  restart: 'Open anew',
  stopped: 'closed',
  stoppedText: 'Its tools are not in the catalog until you open it.',
}

const closable: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory', 'bridge-url'])

/** @param kind of SourceState; an address of which it is not known yet what answers there counts as running */
export function sourceWords(kind: string): SourceWords {
  return closable.has(kind) ? lying : running
}
