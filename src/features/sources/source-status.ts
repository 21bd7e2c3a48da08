import type { SourceState, SourceStatus } from '../../../core/api/sources.ts'
import { formatCount, plural } from '../../ui/format.ts'
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

/** A source that waits for a sign-in has not failed. */
const needsSignIn = ({ error }: SourceState) => error?.code === 'sign-in-needed'

/** Returns the state of a source as the tone of its dot. The text next to it says the same. */
export const healthTone = (source: SourceState) => (needsSignIn(source) ? 'warn' : tones[source.status])

/** Returns the text next to a source's name: its number of entries as in the tree, or why it has none. */
export function healthText(source: SourceState): string {
  const { status } = source
  const count = formatCount(countEntries(source).reduce((sum, [number]) => sum + number, 0))
  if (status === 'opening' || status === 'starting') return `${status}…`
  if (status === 'stopped' || status === 'failed') return statusWord(source)
  if (needsSignIn(source)) return `${count} · ${statusWord(source)}`
  return status === 'degraded' ? `${count} · degraded` : count
}

function countEntries({ toolCount, surface }: SourceState): (readonly [number, string])[] {
  const { prompts = 0, resources = 0, templates = 0, skills = 0 } = surface ?? {}
  return [
    [toolCount, 'tool'],
    [prompts, 'prompt'],
    [resources + templates, 'resource'],
    [skills, 'skill'],
  ]
}

const statusTexts = {
  opening: 'is being opened',
  starting: 'is being started',
  ready: 'is ready',
  degraded: 'has problems',
  failed: 'failed',
} as const satisfies Record<Exclude<SourceStatus, 'stopped'>, string>

/** Returns the status as one word; a source that runs no process is closed rather than stopped. */
export function statusWord(source: SourceState): string {
  if (needsSignIn(source)) return 'sign-in needed'
  return source.status === 'stopped' ? sourceWords(source.kind).stopped : source.status
}

/** Returns the words after its name in a sentence: `is stopped`. */
export function stateWords(source: SourceState): string {
  const { status, kind } = source
  if (needsSignIn(source)) return 'needs sign-in'
  return status === 'stopped' ? `is ${sourceWords(kind).stopped}` : statusTexts[status]
}

/** Returns the state of a source with what it lists: `acme is ready, 15 tools, 4 prompts`. */
export function healthSentence(source: SourceState): string {
  const listed = countEntries(source).filter(([number, noun]) => number > 0 || noun === 'tool')
  const counts = listed.map(([number, noun]) => plural(number, noun))
  return `${source.name} ${stateWords(source)}, ${counts.join(', ')}`
}

/** The words for start and stop: a program or a server is stopped, a file, a folder or an address is closed. */
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

const closable: ReadonlySet<string> = new Set([
  'manifest-file',
  'functions-directory',
  'bridge-url',
  'recording',
  'tap',
])

/** @param kind of SourceState; an address whose kind is not known yet counts as running */
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
  recording: 'recording',
  tap: 'recorded by tap',
  'bridge-url': 'bridge',
}

/** Returns the kind of a source in a few words: `MCP, stdio 2025-11-25`. */
export function kindText({ kind, label, protocol }: SourceState): string {
  if (kind !== 'mcp-server') return kinds[kind] ?? kind
  const transport = /^https?:/i.test(label) ? 'HTTP' : 'stdio'
  return ['MCP,', transport, protocol].filter(Boolean).join(' ')
}

/** Sorts failed sources first, then those that wait for the user; the others stay in order. */
export function byAttention(sources: readonly SourceState[]): SourceState[] {
  const rank = (source: SourceState) => (needsSignIn(source) ? 1 : source.status === 'failed' ? 0 : 2)
  return [...sources].sort((a, b) => rank(a) - rank(b))
}

/** Returns whether only the user can help. */
export const needsAttention = (source: SourceState) =>
  needsSignIn(source) || source.status === 'failed' || source.trusted === false

/** Returns why it does not run. */
export const stoppedText = ({ trusted, kind }: SourceState) =>
  trusted === false ? 'It does not run until you trust what it starts.' : sourceWords(kind).stoppedText

/** Returns the beginning of an error's text, for a line of a list. */
export const shortenError = (text: string) => text.split('\n', 1)[0]?.slice(0, 300) ?? ''
