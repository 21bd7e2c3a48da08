import { useMemo, useRef } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import { markdownReport } from '../../../core/diff/report/markdown.ts'
import { Button } from '../../ui/button.tsx'
import { useCopy } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import { ChangeList, type TryWitness } from './change-list.tsx'
import { DiffCounts } from './diff-counts.tsx'
import { DiffFilters } from './diff-filters.tsx'
import styles from './diff-page.module.css'
import { parseKinds, useDiffSearch } from './diff-search.ts'
import { filterChanges, groupChanges, rowsOf } from './select-changes.ts'

interface DiffResultProps {
  readonly answer: DiffAnswer
  readonly onTry: TryWitness
}

/** The answer: counts first, then filters, then the changes by tool. */
export function DiffResult({ answer, onTry }: DiffResultProps) {
  const [search, go] = useDiffSearch()
  const text = useRef<HTMLInputElement>(null)
  const [copied, copy] = useCopy()
  const { report } = answer
  const { show, direction, tool, q = '', schemas } = search
  const changes = useMemo(
    () => filterChanges(report.changes, { kinds: parseKinds(show), direction, tool, text: q }),
    [report, show, direction, tool, q],
  )
  const groups = useMemo(() => groupChanges(changes), [changes])
  const rows = useMemo(() => rowsOf(groups, schemas), [groups, schemas])
  const copyMarkdown = () => {
    const { a, b } = answer
    const shown = { ...report, changes }
    copy(markdownReport({ a: a.label, b: b.label, report: shown, failOn: 'breaking', version: '' }))
  }
  const clear = () => go({ show: undefined, direction: undefined, tool: undefined, q: undefined })
  useShortcut('breaking-only', () => go({ show: show === 'breaking' ? undefined : 'breaking' }))
  useShortcut('copy-diff', copyMarkdown)
  useShortcut('search', () => text.current?.focus())

  const intro = (
    <>
      <div className={join('row wrap', styles.summary)}>
        <DiffCounts report={report} />
        <Button onClick={copyMarkdown}>{copied ? 'Copied' : 'Copy as Markdown'}</Button>
      </div>
      <DiffFilters ref={text} changes={report.changes} />
      <p className={join('note', styles.shown)} role="status">
        {formatCount(changes.length)} of {plural(report.changes.length, 'change')} ·{' '}
        {plural(report.compared, 'tool')} compared
        {report.ignored.length > 0 && ` · ${plural(report.ignored.length, 'change')} ignored by a file`}
      </p>
      {report.changes.length === 0 && (
        <EmptyState title="Nothing changed">Both sides have the same tools, schemas and texts.</EmptyState>
      )}
      {report.changes.length > 0 && changes.length === 0 && (
        <EmptyState title="No change matches" actions={<Button onClick={clear}>Clear the filters</Button>} />
      )}
    </>
  )
  return <ChangeList intro={intro} rows={rows} changeCount={changes.length} answer={answer} onTry={onTry} />
}
