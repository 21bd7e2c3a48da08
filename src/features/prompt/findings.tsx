import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clientTitles, type LintSeverity, lintClients } from '../../../core/lint/finding.ts'
import type { RuleSummary } from '../../../core/lint/report.ts'
import { useBackend } from '../../api/backend.ts'
import { lintQuery } from '../../api/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ToggleChips } from '../../ui/toggle-chips.tsx'
import styles from './findings.module.css'
import { lintQueryOf, parseClients, usePromptSearch } from './prompt-search.ts'

const tones: Readonly<Record<LintSeverity, Tone>> = { error: 'bad', warning: 'warn', info: 'info' }

/** What the chosen clients would refuse or alter, client by client. */
export function Findings() {
  const backend = useBackend()
  const [search, go] = usePromptSearch()
  const { data, error } = useQuery(lintQuery(backend, lintQueryOf(search)))
  const clients = parseClients(search.client)
  if (!backend.has('POST /api/lint')) return null
  return (
    <section className={styles.findings} aria-label="Portability">
      <h2>Portability</h2>
      <div className={styles.clients}>
        <ToggleChips
          legend="Clients to check for"
          choices={lintClients.map(value => ({ value, label: value, title: clientTitles[value] }))}
          pressed={clients}
          onChange={next => go({ client: next.join(',') || undefined })}
        />
      </div>
      <ErrorNote error={error} />
      {data && (
        <p className="muted" role="status">
          {plural(data.counts.error, 'error')}, {plural(data.counts.warning, 'warning')},{' '}
          {plural(data.counts.info, 'note')} in {plural(data.toolCount, 'tool')}
        </p>
      )}
      {data &&
        clients.map(client => {
          const rules = data.rules.filter(rule => rule.clients.includes(client))
          return (
            <section key={client} className={styles.client} aria-label={clientTitles[client]}>
              <h3>{clientTitles[client]}</h3>
              {rules.length === 0 && <p className="muted">Takes all of them as they are.</p>}
              {rules.map(rule => (
                <Rule key={rule.rule} rule={rule} />
              ))}
            </section>
          )
        })}
    </section>
  )
}

function Rule({ rule }: { readonly rule: RuleSummary }) {
  const { title, severity, tools, count, source, findings } = rule
  return (
    <details className={styles.rule}>
      <summary className="row">
        <Badge tone={tones[severity]}>{severity}</Badge>
        <span className="grow">{title}</span>
        <span className={join('note', styles.count)}>{plural(tools, 'tool')}</span>
      </summary>
      <p className={join('note', styles.source)}>
        <a href={source} target="_blank" rel="noreferrer">
          Where the client says so
        </a>
        {count > findings.length && ` · the first ${findings.length} of ${count}`}
      </p>
      <ul>
        {findings.map(({ ref, name, path, message, remedy }) => (
          <li key={`${ref ?? ''} ${path} ${message}`} className={styles.finding}>
            {ref !== undefined && (
              <Link to="/" search={{ tool: ref, tab: 'schema' }} title={ref}>
                <code>{name}</code>
              </Link>
            )}
            <p>{message}</p>
            {path !== '' && <code className={join('muted', styles.path)}>{path}</code>}
            <p className="muted">{remedy}</p>
          </li>
        ))}
      </ul>
    </details>
  )
}
