import type { SourceState, SourceStatus } from '../../../core/api/sources.ts'
import { formatCount } from '../../ui/format.ts'
import { commonTexts } from '../../ui/texts.ts'
import { texts } from './texts.ts'

const tones = {
  opening: 'plain',
  starting: 'plain',
  ready: 'ok',
  degraded: 'warn',
  failed: 'bad',
  stopped: 'plain',
} as const satisfies Record<SourceStatus, 'plain' | 'ok' | 'warn' | 'bad'>

/** A source that only waits for the user to sign in has not failed. */
const needsSignIn = ({ error }: SourceState) => error?.code === 'sign-in-needed'

/** How a source is, as the tone of its dot. The words beside it say the same. */
export const healthTone = (source: SourceState) => (needsSignIn(source) ? 'warn' : tones[source.status])

/** What is beside a source's name: how many tools it has, or why it shows none. */
export function healthText(source: SourceState): string {
  const { status, toolCount } = source
  if (status === 'opening' || status === 'starting') return `${status}…`
  if (status === 'stopped' || status === 'failed') return statusWord(source)
  if (needsSignIn(source)) return `${formatCount(toolCount)} · ${statusWord(source)}`
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
  if (needsSignIn(source)) return 'sign-in needed'
  return source.status === 'stopped' ? sourceWords(source.kind).stopped : source.status
}

/** What stands after its name in a sentence: `is stopped`. */
export function stateWords(source: SourceState): string {
  const { status, kind } = source
  if (needsSignIn(source)) return 'needs sign-in'
  return status === 'stopped' ? `is ${sourceWords(kind).stopped}` : statusTexts[status]
}

export const healthSentence = (source: SourceState) =>
  `${source.name} ${stateWords(source)}, ${formatCount(source.toolCount)} tools`

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
  stoppedText: 'It does not run until you start it.',
}

const lying: SourceWords = {
  stop: commonTexts.close,
  start: texts.open,
  restart: 'Reopen',
  stopped: 'closed',
  stoppedText: 'Its tools are not in the catalog until you open it.',
}

const closable: ReadonlySet<string> = new Set(['manifest-file', 'functions-directory', 'bridge-url'])

/** @param kind of SourceState; an address of which it is not known yet what answers there counts as running */
export function sourceWords(kind: string): SourceWords {
  return closable.has(kind) ? lying : running
}

const kinds: Readonly<Record<string, string>> = {
  'llms-program': '--llms program',
  incur: 'incur program',
  program: 'program',
  address: 'address',
  'functions-directory': 'llm-functions',
  'manifest-file': 'manifest',
  'bridge-url': 'bridge',
}

/** What a source is, in a few words: `MCP, stdio 2025-11-25`. */
export function kindText({ kind, label, protocol }: SourceState): string {
  if (kind !== 'mcp-server') return kinds[kind] ?? kind
  const transport = /^https?:/i.test(label) ? 'HTTP' : 'stdio'
  return ['MCP,', transport, protocol].filter(Boolean).join(' ')
}

/** Failed ones first, then those that wait for the user; the others stay in their order. */
export function byAttention(sources: readonly SourceState[]): SourceState[] {
  const rank = (source: SourceState) => (needsSignIn(source) ? 1 : source.status === 'failed' ? 0 : 2)
  return [...sources].sort((a, b) => rank(a) - rank(b))
}

/** Only the user can help it. */
export const needsAttention = (source: SourceState) =>
  needsSignIn(source) || source.status === 'failed' || source.trusted === false

/** Why nothing of it runs. */
export const stoppedText = ({ trusted, kind }: SourceState) =>
  trusted === false ? 'It does not run until you trust what it starts.' : sourceWords(kind).stoppedText

/** The beginning of an error's text, for a line of a list. */
export const firstLine = (text: string) => text.split('\n', 1)[0]?.slice(0, 300) ?? ''
