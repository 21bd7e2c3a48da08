import type { FailureReason } from '../../../core/invocation.ts'
import type { Tone } from '../../ui/badge.tsx'
import type { EndedEvent, InvocationState } from './invocation.ts'

const reasons: Record<FailureReason, string> = {
  exit: 'failed',
  timeout: 'timed out',
  cancelled: 'cancelled',
  'too-large': 'too large',
  spawn: 'could not start',
  network: 'connection failed',
  'tool-error': 'tool error',
  'bad-output': 'unreadable output',
  'not-found': 'not found',
}

/** The status in a word or three, and its tone. */
export function statusOf(invocation: InvocationState): { readonly text: string; readonly tone: Tone } {
  const { ending } = invocation
  if (!ending) return { text: 'running', tone: 'info' }
  const exit = ending.exitCode === undefined ? '' : `, exit ${ending.exitCode}`
  if (ending.type === 'failure') {
    const tone = ending.reason === 'cancelled' ? 'warn' : 'bad'
    return { text: `${reasons[ending.reason]}${exit}`, tone }
  }
  if (ending.isError) return { text: `tool error${exit}`, tone: 'bad' }
  return { text: `done${exit}`, tone: 'ok' }
}

/** What came back, in characters of JSON or text. */
export function sizeOf(ending: EndedEvent): number {
  if (ending.raw !== undefined) return new Blob([ending.raw]).size
  let size = 0
  for (const block of ending.content) {
    if (block.type === 'text') size += block.text.length
    else if (block.type === 'image' || block.type === 'audio') size += block.data.length
  }
  return size
}
