import { ChevronDown, Eye, Gauge, TriangleAlert } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import type { CatalogRow as Row, ToolSummary } from '../../../core/catalog/rows.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { getCallWords } from '../../ui/call-words.ts'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './catalog-row.module.css'
import { Highlight } from './highlight.tsx'

interface CatalogRowProps {
  readonly row: Row | undefined
  readonly index: number
  readonly top: number
  /** Whether it is the active row of the keyboard. */
  readonly active: boolean
  /** Whether the source can be called at all: if not, its rows do not repeat that. */
  readonly sourceCallable: boolean
  /** For a source: a readable description of its origin. */
  readonly origin: string | undefined
  /** For a tool that generated tests have called: its contract score. */
  readonly score: number | 'not tested' | undefined
  /** Whether its tool is open. */
  readonly selected: boolean
}

const idPrefix = 'catalog-row-'

export function rowElementId(index: number): string {
  return `${idPrefix}${index}`
}

/** Returns the position of the row that an event of the tree comes from. */
export function rowIndexAt(target: EventTarget): number | undefined {
  const row = target instanceof Element && target.closest(`[id^="${idPrefix}"]`)
  return row ? Number(row.id.slice(idPrefix.length)) : undefined
}

/** Returns whether an event of the tree comes from the number of warnings in a row. */
export function isAtWarnings(target: EventTarget): boolean {
  return target instanceof Element && target.closest('[data-warnings]') !== null
}

/** Returns the row's `aria-level`: 1 for a source, more for the rows below it. */
function toAriaLevel(row: Row): number {
  return row.kind === 'source' ? 1 : Math.min(row.depth, 40) + 2
}

/** One row of the tree, 30 px high. The tree handles its keys and clicks, and keeps the focus. */
export const CatalogRow = memo(function CatalogRow(props: CatalogRowProps) {
  const { row, index, top, active, selected } = props
  const depth = row && row.kind !== 'source' ? Math.min(row.depth, 12) : 0
  // Custom properties are not in React's CSSProperties.
  const style = { top, '--depth': depth } as CSSProperties
  const tool = row?.kind === 'tool' ? row.tool.ref : undefined
  return (
    <div
      role="treeitem"
      id={rowElementId(index)}
      tabIndex={-1}
      aria-level={row ? toAriaLevel(row) : 1}
      aria-selected={selected}
      aria-expanded={row && row.kind !== 'tool' ? !row.collapsed : undefined}
      aria-label={row ? undefined : 'Loading'}
      data-testid={tool === undefined ? undefined : 'catalog-row'}
      data-tool={tool}
      data-active={active || undefined}
      className={join(
        'hoverable',
        styles.row,
        row && row.kind !== 'tool' && (row.kind === 'source' ? styles.source : styles.branch),
        !row && styles.loading,
      )}
      style={style}
    >
      {row?.kind === 'tool' && (
        <ToolLine row={row} score={props.score} sourceCallable={props.sourceCallable} />
      )}
      {row && row.kind !== 'tool' && <FoldLine row={row} origin={props.origin} />}
    </div>
  )
})

interface ToolLineProps {
  readonly row: Extract<Row, { kind: 'tool' }>
  readonly score: CatalogRowProps['score']
  readonly sourceCallable: boolean
}

function ToolLine({ row, score, sourceCallable }: ToolLineProps) {
  const { summary, title = '', icon } = row.tool
  const label = visibleName(row.label)
  const { noun, icon: Icon } = getCallWords(row.tool)
  return (
    <>
      {row.tool.kind !== undefined && <Icon size={13} className={styles.kind} role="img" aria-label={noun} />}
      {icon !== undefined && <img src={icon} alt="" width={14} height={14} className={styles.icon} />}
      <code className="truncate">
        <Highlight text={label} ranges={label === row.label ? row.labelMatches : []} />
      </code>
      <span className={join('note truncate grow', styles.summary)}>
        <span className={styles.summaryText}>
          {summary === undefined ? title : <Highlight text={summary} ranges={row.summaryMatches} />}
        </span>
      </span>
      {typeof score === 'number' && (
        <span className={styles.score} title={`contract score ${score} of 100`}>
          <Gauge size={11} role="img" aria-label="contract score" />
          {score}
        </span>
      )}
      {row.warnings !== undefined && <WarningCount count={row.warnings} />}
      <ToolMarks tool={row.tool} viewOnly={!row.tool.callable && sourceCallable} />
    </>
  )
}

/**
 * A click on it opens the list of the warnings. The tree handles the click, as all clicks on its rows. One element, whose
 * icon is in the style sheet: many rows have it.
 */
function WarningCount({ count }: { readonly count: number }) {
  const words = plural(count, 'portability warning')
  return (
    <span
      className={styles.warnings}
      data-warnings
      role="img"
      aria-label={words}
      title={`${words}: click to read in the Reference tab`}
    >
      {formatCount(count)}
    </span>
  )
}

interface FoldLineProps {
  readonly row: Exclude<Row, { kind: 'tool' }>
  readonly origin: string | undefined
}

function FoldLine({ row, origin }: FoldLineProps) {
  return (
    <>
      <ChevronDown size={14} aria-hidden className={join(styles.chevron, row.collapsed && styles.folded)} />
      {row.kind === 'source' && <b>{row.source}</b>}
      {row.kind === 'group' && <code className="truncate">{visibleName(row.label)}</code>}
      {row.kind === 'surface' && <span className="muted">{row.label}</span>}
      <span className={styles.count}>{formatCount(row.matched)}</span>
      {row.kind === 'source' && <span className={join(styles.count, 'truncate grow')}>{origin}</span>}
    </>
  )
}

interface ToolMarksProps {
  readonly tool: Pick<ToolSummary, 'annotations'>
  readonly viewOnly: boolean
}

/** Icons for the tool's annotations, which are hints from the source and not promises. */
function ToolMarks({ tool, viewOnly }: ToolMarksProps) {
  const { readOnlyHint, destructiveHint } = tool.annotations ?? {}
  const mark =
    destructiveHint === true ? effectMarks.destructive : readOnlyHint === true && effectMarks['read-only']
  return (
    <>
      {viewOnly && <Badge>view only</Badge>}
      {mark && (
        <span className={mark.className} title={`${mark.label}: declared by the source (unverified)`}>
          <mark.icon size={13} role="img" aria-label={mark.label} />
        </span>
      )}
    </>
  )
}

const effectMarks = {
  'read-only': { icon: Eye, label: 'read-only', className: styles.readOnly },
  destructive: { icon: TriangleAlert, label: 'destructive', className: styles.destructive },
}
