import type { SourceState, SourceStatus } from '../../../core/api.ts'
import { formatCount } from '../../lib/format.ts'

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
  if (source.status === 'stopped') return 'stopped'
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
  stopped: 'is stopped',
} as const satisfies Record<SourceStatus, string>

export function healthSentence(source: SourceState): string {
  return `${source.name} ${statusTexts[source.status]}, ${formatCount(source.toolCount)} tools`
}
