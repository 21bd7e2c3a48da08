import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check, Copy, Download } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import type { PromptAnswer, PromptQuery } from '../../../core/api/prompt.ts'
import { clientTitles, type LintSeverity, lintClients } from '../../../core/lint/lint-finding.ts'
import { promptFormatTitles } from '../../../core/prompt/prompt-formats.ts'
import type { RuleSummary } from '../../../core/report/lint-report.ts'
import { useBackend } from '../../api/backend.ts'
import { lintQuery, promptQuery } from '../../api/queries.ts'
import { Badge, Loading, Spinner, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { saveFile } from '../../ui/text-file.ts'
import { TextLines, WrappedText } from '../../ui/text-lines.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { ToggleChips } from '../../ui/toggle-buttons.tsx'
import { Choice } from './choice.tsx'
import styles from './prompt.module.css'
import { keepClients, readClients, toLintQuery, toPromptQuery, usePromptSearch } from './prompt-search.ts'
import { Weight } from './weight.tsx'

/** The prompt that an agent gets for a set of tools: the text, its weight, and the clients that refuse it. */
export function PromptPage() {
  const backend = useBackend()
  const [search] = usePromptSearch()
  const query = toPromptQuery(search)
  const { data, error, isFetching } = useQuery(promptQuery(backend, query))
  // Deferred, so that typing continues while thousands of rows render.
  const answer = useDeferredValue(data)
  if (!backend.has('POST /api/prompt')) return <EmptyState title="Prompt preview is not available here" />
  return (
    <section className={styles.page} aria-label="Prompt" aria-busy={isFetching}>
      <h1 className="visually-hidden">Prompt preview</h1>
      <aside className={join('column', styles.choice)} aria-label="Tools and form">
        <Choice answer={answer} />
      </aside>
      <div className={join('column', styles.middle)}>
        <ErrorNote error={error} />
        {!answer && !error && <Loading>Counting…</Loading>}
        {answer && <PromptText answer={answer} query={query} busy={isFetching} />}
      </div>
      <aside className={styles.weight} aria-label="Size and portability">
        {answer && <Weight answer={answer} />}
        <Findings />
      </aside>
    </section>
  )
}

/** Longer lines are cut: one line of megabytes would freeze the layout. */
const maxLineCharacters = 5_000

interface PromptTextProps {
  readonly answer: PromptAnswer
  readonly query: PromptQuery
  readonly busy: boolean
}

/** The exact prompt. Only the beginning of a very long one is shown; Copy and Download take all of it. */
function PromptText({ answer, query, busy }: PromptTextProps) {
  const backend = useBackend()
  const [copied, copy] = useCopy()
  const { preview, cut, characters, format } = answer
  const lines = useMemo(() => preview.split('\n').map(line => line.slice(0, maxLineCharacters)), [preview])
  const fullText = async () => (cut ? backend.requestText('POST /api/prompt/text', { body: query }) : preview)
  const fileName = `prompt-${format}${answer.compact ? '-compact' : ''}.${format === 'text' ? 'txt' : 'json'}`
  return (
    <>
      <div className={join('row wrap', styles.bar)}>
        <h2>{promptFormatTitles[format]}</h2>
        <span className="muted">{formatCount(characters)} characters as sent</span>
        {busy && <Spinner />}
        <span className="end row">
          <Button onClick={async () => copy(await fullText())}>
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />} {commonTexts.copy}
          </Button>
          <Button onClick={async () => saveFile(await fullText(), fileName)}>
            <Download size={14} aria-hidden /> Download
          </Button>
          <span className="visually-hidden" aria-live="polite">
            {copied ? commonTexts.copied : ''}
          </span>
        </span>
      </div>
      {cut && (
        <p className={join('small', styles.notice)}>Preview, shortened. Copy and Download give everything.</p>
      )}
      {format === 'text' ? (
        <WrappedText label="The prompt" testId="prompt-text">
          {preview}
        </WrappedText>
      ) : (
        <TextLines lines={lines} label="The prompt" testId="prompt-text" />
      )}
    </>
  )
}

const tones: Readonly<Record<LintSeverity, Tone>> = { error: 'bad', warning: 'warn', info: 'info' }

/** The problems that the chosen clients have with the tools: a line for each rule, the worst first. */
function Findings() {
  const backend = useBackend()
  const [search, go] = usePromptSearch()
  const { data, error } = useQuery(lintQuery(backend, toLintQuery(search)))
  const clients = readClients(search)
  if (!backend.has('POST /api/lint')) return null
  return (
    <section className={styles.findings} aria-label="Portability">
      <h2>Portability</h2>
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
  /** Whether several clients are checked. */
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
