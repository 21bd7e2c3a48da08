import type { SourceState } from '../../../core/api/sources.ts'
import { formatCount, formatDuration, formatTime } from '../../ui/format.ts'
import styles from './source-page.module.css'

/** What is known of a source, as pairs. */
export function SourceFacts({ source }: { readonly source: SourceState }) {
  const read = source.refreshedAt && formatTime(source.refreshedAt, new Date())
  const took = source.durationMs === undefined ? '' : ` in ${formatDuration(source.durationMs)}`
  const server = source.serverInfo && `${source.serverInfo.name} ${source.serverInfo.version}`
  const { hiddenTools = 0 } = source
  const elsewhere = hiddenTools > 0 ? ` (${formatCount(hiddenTools)} more are shown with their bridge)` : ''
  const facts = [
    ['Source', source.label],
    ['Kind', source.kind],
    ['Format', source.format],
    ['Server', server],
    ['Protocol', source.protocol],
    ['Tools', `${formatCount(source.toolCount)}${elsewhere}`],
    [
      'Calls',
      (source.status === 'ready' || source.status === 'degraded') &&
        (source.callable ? 'can be called' : 'view only'),
    ],
    ['List read', read && `${read}${took}`],
  ] as const
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} style={{ display: 'contents' }}>
              <dt className="muted">{name}</dt>
              <dd>{name === 'Source' ? <code>{value}</code> : value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
