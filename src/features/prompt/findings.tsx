import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clientTitles, type LintSeverity, lintClients } from '../../../core/lint/finding.ts'
import type { RuleSummary } from '../../../core/report/lint-report.ts'
import { useBackend } from '../../api/backend.ts'
import { lintQuery } from '../../api/queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ToggleChips } from '../../ui/toggle-chips.tsx'
import styles from './findings.module.css'
import { clientsOf, keepClients, lintQueryOf, usePromptSearch } from './prompt-search.ts'
import { texts } from './texts.ts'

const tones: Readonly<Record<LintSeverity, Tone>> = { error: 'bad', warning: 'warn', info: 'info' }

/** What the chosen clients refuse or alter: a line for each rule, the worst first. */
export function Findings() {
  const backend = useBackend()
  const [search, go] = usePromptSearch()
  const { data, error } = useQuery(lintQuery(backend, lintQueryOf(search)))
  const clients = clientsOf(search)
  if (!backend.has('POST /api/lint')) return null
  return (
    <section className={styles.findings} aria-label={texts.portability}>
      <h2>{texts.portability}</h2>
      <div className={styles.clients}>
        <ToggleChips
          legend="Clients to check for"
          choices={lintClients.map(value => ({ value, label: value, title: clientTitles[value] }))}
          pressed={clients}
          onChange={next => {
            keepClients(next)
            go({ client: next.join(',') || undefined })
          }}
        />
      </div>
      <ErrorNote error={error} />
      {data && (
        <p className="muted" role="status">
          {plural(data.counts.error, 'error')}, {plural(data.counts.warning, 'warning')},{' '}
          {plural(data.counts.info, 'note')} in {plural(data.toolCount, 'tool')}
        </p>
      )}
      {data?.rules.map(rule => (
        <Rule key={rule.rule} rule={rule} namesClients={clients.length > 1} />
      ))}
    </section>
  )
}

interface RuleProps {
  readonly rule: RuleSummary
  /** Whether several clients are checked for. */
  readonly namesClients: boolean
}

function Rule({ rule, namesClients }: RuleProps) {
  const { title, clients, severity, tools, count, source, findings } = rule
  return (
    <details className={styles.rule}>
      <summary className="row">
        <Badge tone={tones[severity]}>{severity}</Badge>
        <span className="grow">{title}</span>
        <span className={join('note', styles.count)}>{plural(tools, 'tool')}</span>
      </summary>
      <p className={join('note', styles.source)}>
        {namesClients && `${clients.join(', ')} · `}
        {source !== undefined && (
          <a href={source} target="_blank" rel="noreferrer">
            Source of the rule
          </a>
        )}
        {count > findings.length && ` · the first ${findings.length} of ${count}`}
      </p>
      <ul>
        {findings.map(({ ref, name, path, message, remedy }) => (
          <li key={`${ref ?? ''} ${path} ${message}`} className={styles.finding}>
            {ref !== undefined && (
              <Link to="/" search={{ tool: ref, tab: 'reference' }} title={ref}>
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
