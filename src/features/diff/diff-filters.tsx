import { X } from 'lucide-react'
import { type Ref, useMemo } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { Button } from '../../ui/button.tsx'
import { FilterField } from '../../ui/filter-field.tsx'
import { Segments } from '../../ui/segments.tsx'
import { ShortcutKeys } from '../../ui/shortcuts/kbd.tsx'
import { directionLabels, directions } from './change-kind.ts'
import { useDiffSearch } from './diff-search.ts'

interface DiffFiltersProps {
  readonly changes: readonly Change[]
  /** The text field. */
  readonly ref: Ref<HTMLInputElement>
}

/** By direction, by text, and the one tool that is shown alone. */
export function DiffFilters({ changes, ref }: DiffFiltersProps) {
  const [{ direction, tool, q = '' }, go] = useDiffSearch()
  const present = useMemo(() => new Set(changes.map(change => change.direction)), [changes])
  const choices = directions.filter(each => present.has(each) || each === direction)
  return (
    <div className="row wrap" style={{ marginTop: 12 }}>
      <Segments
        legend="Direction"
        choices={[
          { value: 'all', label: 'All' },
          ...choices.map(each => ({ value: each, label: directionLabels[each] })),
        ]}
        value={direction ?? 'all'}
        onChange={next => go({ direction: next === 'all' ? undefined : next }, { replace: true })}
      />
      <FilterField
        ref={ref}
        label="Filter changes"
        placeholder="Filter by tool, path, words"
        value={q}
        onChange={next => go({ q: next || undefined }, { replace: true })}
      >
        <ShortcutKeys id="search" />
      </FilterField>
      {tool !== undefined && (
        <Button aria-label={`Only tool ${tool}: show all again`} onClick={() => go({ tool: undefined })}>
          <code className="truncate">{tool}</code> <X size={12} aria-hidden />
        </Button>
      )}
    </div>
  )
}
