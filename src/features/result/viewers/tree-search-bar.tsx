import { Search } from 'lucide-react'
import { FilterField } from '../../../ui/filter-field.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { texts } from '../texts.ts'
import styles from './tree.module.css'
import type { TreeFilter } from './tree-search.ts'

interface TreeSearchBarProps {
  readonly text: string
  readonly onText: (text: string) => void
  readonly filter: TreeFilter | undefined
  /** Moves the focus to the first match. */
  readonly onEnter: () => void
}

/** Searches the keys and values of the tree below it. */
export function TreeSearchBar({ text, onText, filter, onEnter }: TreeSearchBarProps) {
  const keys = new Map([
    ['Enter', onEnter],
    ['ArrowDown', onEnter],
  ])
  return (
    <search className={join('row', styles.search)}>
      <FilterField
        label={texts.searchKeysAndValues}
        placeholder={texts.searchKeysAndValues}
        value={text}
        onChange={onText}
        icon={<Search size={13} aria-hidden />}
        keys={keys}
        className={styles.field}
      />
      <span className="muted" aria-live="polite" data-testid="tree-matches">
        {filter && countText(filter)}
      </span>
    </search>
  )
}

function countText({ matches, more }: TreeFilter): string {
  if (matches.size === 0) return 'Nothing found'
  return more ? `The first ${formatCount(matches.size)} matches` : plural(matches.size, 'match', 'matches')
}
