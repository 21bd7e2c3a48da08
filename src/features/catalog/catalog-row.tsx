import { ChevronDown } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import type { CatalogRow as Row } from '../../../core/api.ts'
import { formatCount } from '../../lib/format.ts'
import { join } from '../../ui/join.ts'
import styles from './catalog-row.module.css'
import { Highlight } from './highlight.tsx'
import { ToolBadges } from './tool-badges.tsx'

interface CatalogRowProps {
  readonly row: Row | undefined
  readonly index: number
  readonly top: number
  /** Where the keys are. */
  readonly active: boolean
  /** Whether its tool is the one that is open. */
  readonly selected: boolean
  readonly onPress: (index: number) => void
}

export function rowElementId(index: number): string {
  return `catalog-row-${index}`
}

/** Tree levels count from 1; a source is the first, and what hangs under it comes after. */
function levelOf(row: Row): number {
  return row.kind === 'source' ? 1 : Math.min(row.depth, 40) + 2
}

/** One line of the tree, 30 px high. Keys are the tree's business: the focus stays on the tree itself. */
export const CatalogRow = memo(function CatalogRow(props: CatalogRowProps) {
  const { row, index, top, active, selected, onPress } = props
  const depth = row && row.kind !== 'source' ? Math.min(row.depth, 12) : 0
  // Custom properties are not in React's CSSProperties.
  const style = { transform: `translateY(${top}px)`, '--depth': depth } as CSSProperties
  const common = {
    role: 'treeitem',
    id: rowElementId(index),
    style,
    'aria-selected': selected,
    'data-active': active || undefined,
    onClick: () => onPress(index),
  }
  if (!row)
    return (
      <div {...common} className={join(styles.row, styles.loading)} aria-level={1} aria-label="Loading" />
    )
  const level = levelOf(row)
  if (row.kind === 'tool') {
    return (
      <div
        {...common}
        className={styles.row}
        aria-level={level}
        data-testid="catalog-row"
        data-tool={row.tool.ref}
      >
        <code className={styles.name}>
          <Highlight text={row.label} ranges={row.labelMatches} />
        </code>
        <span className={styles.summary}>
          <Highlight
            text={row.tool.summary ?? row.tool.title ?? ''}
            ranges={row.tool.summary ? row.summaryMatches : []}
          />
        </span>
        <ToolBadges tool={row.tool} />
      </div>
    )
  }
  const chevron = (
    <ChevronDown size={14} aria-hidden className={join(styles.chevron, row.collapsed && styles.folded)} />
  )
  return (
    <div
      {...common}
      className={join(styles.row, row.kind === 'source' && styles.source)}
      aria-level={level}
      aria-expanded={!row.collapsed}
    >
      {chevron}
      {row.kind === 'source' ? (
        <b className="truncate">{row.source}</b>
      ) : (
        <code className={styles.name}>{row.label}</code>
      )}
      <span className={join(styles.count, 'faint')}>{formatCount(row.matched)}</span>
    </div>
  )
})
