import {
  type ReactNode,
  type Ref,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import type { Change, DiffReport } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'
import { expiredIgnores, type IgnoreEntry, isExpired } from '../../../core/diff/team-rules.ts'
import { markdownReport } from '../../../core/report/diff-markdown.ts'
import { summarySentences } from '../../../core/report/diff-summary.ts'
import { textReport } from '../../../core/report/diff-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { ShortcutKeys } from '../../ui/kbd.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { EmptyState } from '../../ui/notes.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { useNarrow } from '../../ui/split-pane.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { ToggleChips } from '../../ui/toggle-buttons.tsx'
import { createStore } from '../../ui/value-store.ts'
import { SeverityBadge } from './change-item.tsx'
import styles from './diff-page.module.css'
import { parseSeverities, useDiffSearch } from './diff-search.ts'
import { Outline } from './outline.tsx'
import { Report, type ReportHandle } from './report.tsx'
import {
  buildDiffRows,
  filterChanges,
  groupIntoSections,
  type OpenTool,
  type ReportSection,
} from './report-sections.ts'
import { texts } from './texts.ts'
import { VisibleText } from './visible-text.tsx'

const filterToolsAndChanges = 'Filter tools and changes'

interface DiffResultProps {
  readonly answer: DiffAnswer
  readonly onOpen: OpenTool
  /** Whether the user has just compared: then the report takes the focus, once. */
  readonly focusWanted: RefObject<boolean>
}

/** The result: the outline of the tools next to the report, or folded above it on a narrow page. */
export function DiffResult({ answer, onOpen, focusWanted }: DiffResultProps) {
  const [{ show, tool, q = '', schemas }, go] = useDiffSearch()
  const filter = useRef<HTMLInputElement>(null)
  const details = useRef<HTMLDetailsElement>(null)
  const handle = useRef<ReportHandle>(null)
  const isNarrow = useNarrow(1023)
  const [currentStore] = useState(() => createStore<string | undefined>(undefined))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const { report } = answer
  const changes = useMemo(
    () => filterChanges(report.changes, { severities: parseSeverities(show), tool, text: q }),
    [report, show, tool, q],
  )
  const sections = useMemo(() => groupIntoSections(changes), [changes])
  const rows = useMemo(
    () => buildDiffRows(sections, { schemasOf: schemas, open, isAllOpen: q !== '' || show === 'info' }),
    [sections, schemas, open, q, show],
  )
  useShortcut('breaking-only', () => go({ show: show === 'breaking' ? undefined : 'breaking' }))
  useShortcut('search', () => {
    if (details.current) details.current.open = true
    filter.current?.focus()
  })
  useEffect(() => {
    if (!focusWanted.current) return
    focusWanted.current = false
    handle.current?.focus()
  })

  const fold = useCallback(
    ({ key }: ReportSection) =>
      setOpen(folded => {
        const next = new Set(folded)
        if (!next.delete(key)) next.add(key)
        return next
      }),
    [],
  )
  const showSchemas = useCallback((of: string | undefined) => go({ schemas: of }, { replace: true }), [go])
  const pick = useCallback((section: ReportSection) => {
    if (details.current) details.current.open = false
    handle.current?.show(section)
  }, [])
  const clear = () => go({ show: undefined, tool: undefined, q: undefined })
  const outline = (
    <>
      <OutlineFilters ref={filter} counts={report.counts} />
      <Outline sections={sections} currentStore={currentStore} onPick={pick} />
    </>
  )
  return (
    <div className={styles.result}>
      {isNarrow ? (
        <details ref={details} className={styles.disclosure}>
          <summary>
            {texts.tools} <span className="faint">· {formatCount(sections.length)}</span>
          </summary>
          {outline}
        </details>
      ) : (
        <aside aria-label="Outline" className={styles.outline}>
          {outline}
        </aside>
      )}
      <Report
        ref={handle}
        rows={rows}
        answer={answer}
        onOpen={onOpen}
        onFold={fold}
        onSchemas={showSchemas}
        onCurrent={currentStore.set}
        intro={
          <>
            <Summary answer={answer} visibleCount={changes.length} onShowAll={clear} />
            {report.changes.length > 0 && changes.length === 0 && (
              <EmptyState
                title="No changes match the filters"
                actions={<Button onClick={clear}>{commonTexts.clearFilters}</Button>}
              />
            )}
          </>
        }
      />
    </div>
  )
}

interface SummaryProps {
  readonly answer: DiffAnswer
  /** The number of changes that pass the filters. */
  readonly visibleCount: number
  readonly onShowAll: () => void
}

/** The result in up to three sentences; then the counts, the keys and the copy buttons. */
function Summary({ answer, visibleCount, onShowAll }: SummaryProps) {
  const { report } = answer
  const { changes, compared, counts } = report
  const [verdict, ...more] = useMemo(() => summarySentences(report), [report])
  const worst = counts.breaking > 0 ? 'bad' : counts.dangerous + counts.warning > 0 ? 'warn' : 'ok'
  return (
    <header className={styles.summary}>
      <p className={styles.sentence} data-testid="diff-summary">
        <b data-tone={worst}>{verdict}</b> {more.join(' ')}
      </p>
      <div className={styles.facts}>
        <span role="status">
          {plural(compared, 'tool')} compared · {plural(changes.length, 'difference')}
          {visibleCount < changes.length && ` · ${formatCount(visibleCount)} shown`}
        </span>
        {visibleCount < changes.length && (
          <button type="button" className="link" onClick={onShowAll}>
            Show all
          </button>
        )}
        <span className={styles.keys}>
          <ShortcutKeys id="next" /> <ShortcutKeys id="previous" /> next, previous{' '}
          <ShortcutKeys id="breaking-only" /> breaking only
        </span>
        <CopyAs answer={answer} />
      </div>
      <FollowedRules answer={answer} />
    </header>
  )
}

function CopyAs({ answer: { a, b, report } }: { readonly answer: DiffAnswer }) {
  const [copied, copy] = useCopy()
  const input = (visible: DiffReport) => ({
    a: a.label,
    b: b.label,
    report: visible,
    failOn: 'breaking' as const,
    version: '',
  })
  const copyMarkdown = () => copy(markdownReport(input(report)))
  useShortcut('copy-diff', copyMarkdown)
  return (
    <Menu trigger={<Button className={styles.copy}>{copied ? commonTexts.copied : 'Copy as…'}</Button>}>
      <MenuItem onSelect={copyMarkdown}>Markdown</MenuItem>
      <MenuItem onSelect={() => copy(textReport(input(report), { colour: false }))}>Text</MenuItem>
    </Menu>
  )
}

interface OutlineFiltersProps {
  readonly counts: DiffReport['counts']
  /** The text field. */
  readonly ref: Ref<HTMLInputElement>
}

/** Filters the tools and changes by text and by severity, in the outline and in the report. */
function OutlineFilters({ counts, ref }: OutlineFiltersProps) {
  const [{ q = '', show }, go] = useDiffSearch()
  const pressed = parseSeverities(show)
  const offered = severities.filter(severity => counts[severity] > 0 || pressed.includes(severity))
  return (
    <div className={styles.filters}>
      <FilterField
        ref={ref}
        label={filterToolsAndChanges}
        placeholder={filterToolsAndChanges}
        value={q}
        onChange={next => go({ q: next || undefined }, { replace: true })}
      >
        <ShortcutKeys id="search" />
      </FilterField>
      <ToggleChips
        legend="Show only"
        choices={offered.map(value => ({
          value,
          testId: `diff-count-${value}`,
          label:
            value === 'warning' ? plural(counts.warning, value) : `${formatCount(counts[value])} ${value}`,
        }))}
        pressed={pressed}
        onChange={next => go({ show: next.join(',') || undefined }, { replace: true })}
      />
    </div>
  )
}

/** The rules that the report follows, and the changes that they hid; nothing if toolscope.json names no rules. */
function FollowedRules({ answer: { rules: files, report } }: { readonly answer: DiffAnswer }) {
  const { rules, ignore } = files
  if (rules === undefined && ignore === undefined) return null
  const { ignored, unusedIgnores, switchedOff } = report
  const expired = ignore === undefined ? [] : expiredIgnores(ignore, unusedIgnores)
  const unused = unusedIgnores.flatMap(
    of => ignore?.entries.find(({ fingerprint }) => fingerprint === of) ?? [],
  )
  const offCount = Object.values(switchedOff).reduce((sum, count) => sum + count, 0)
  const line = [
    rules && `Rules: ${rules.file}`,
    offCount > 0 && `${formatCount(offCount)} switched off`,
    ignore && `ignored by ${ignore.file}: ${formatCount(ignored.length)}`,
    expired.length > 0 && `${formatCount(expired.length)} expired`,
    unused.length > 0 && `${formatCount(unused.length)} unused`,
  ]
  const findIgnoreEntry = ({ fingerprint }: Change) =>
    ignore?.entries.find(entry => entry.fingerprint === fingerprint && !isExpired(entry, ignore))
  return (
    <details className={styles.rules} data-testid="diff-rules">
      <summary>{capitalize(line.filter(Boolean).join(' · '))}</summary>
      <div className={styles.body}>
        <p className="muted">
          toolscope.json names these files. The command line, notices and the list of versions follow them
          too.
        </p>
        <Entries title="Ignored changes">
          {ignored.map(change => (
            <IgnoredChange key={change.fingerprint} change={change} entry={findIgnoreEntry(change)} />
          ))}
        </Entries>
        <Entries title="Expired: these changes count again">
          {expired.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} note={`ended on ${entry.expires}`} />
            </li>
          ))}
        </Entries>
        <Entries title="Unused: these entries match no change of this comparison">
          {unused.map(entry => (
            <li key={entry.fingerprint}>
              <Reason entry={entry} />
            </li>
          ))}
        </Entries>
        <Entries title="Severities that the rules set">
          {Object.entries(rules?.severities ?? {}).map(([rule, severity]) => (
            <li key={rule} className="row wrap">
              <code>{rule}</code>
              <span className="muted">
                {severity === 'off'
                  ? `off · ${plural(switchedOff[rule] ?? 0, 'change')} of this comparison`
                  : severity}
              </span>
            </li>
          ))}
        </Entries>
      </div>
    </details>
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A list under its title; nothing if the list is empty. */
function Entries({ title, children }: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

interface IgnoredChangeProps {
  readonly change: Change
  readonly entry: IgnoreEntry | undefined
}

function IgnoredChange({ change, entry }: IgnoredChangeProps) {
  return (
    <li>
      <p className="row wrap">
        <SeverityBadge change={change} />
        <code>{change.tool ?? change.tools?.join(', ') ?? 'manifest'}</code>
        {change.path !== '' && <code>{change.path}</code>}
        <VisibleText text={change.message} />
      </p>
      {entry && <Reason entry={entry} note={entry.expires && `until ${entry.expires}`} />}
    </li>
  )
}

interface ReasonProps {
  readonly entry: IgnoreEntry
  readonly note?: string | undefined
}

/** A reason from an ignore file. The file may come from a stranger, so its text is not trusted. */
function Reason({ entry: { fingerprint, reason }, note }: ReasonProps) {
  return (
    <p className="muted">
      <code>{fingerprint}</code> <VisibleText text={reason} /> {note && <Badge>{note}</Badge>}
    </p>
  )
}
