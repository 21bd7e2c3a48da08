import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { ScorePart } from '../../../core/checks/contract-score.ts'
import type { ToolScore } from '../../../core/checks/generated-checks.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useBackend } from '../../api/backend.ts'
import { scoresQuery } from '../../api/queries.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import styles from './generated-tests.module.css'
import { ScoreNumber, scoreRows, toPercent } from './score.tsx'

const title = 'Contract scores'

/** On a source's page: the scores of its tools. Nothing if generated tests have called none of them. */
export function SourceScores({ source }: { readonly source: string }) {
  const { data } = useQuery(scoresQuery(useBackend()))
  const tools = data?.tools.filter(tool => tool.source === source) ?? []
  const own = data?.sources.find(each => each.source === source)
  if (tools.length === 0) return null
  return (
    <section className="stack" aria-label={title}>
      <h2 className="row">
        {title} {own && <ScoreNumber score={own.score} />}
      </h2>
      <ScoreTable tools={tools} />
    </section>
  )
}

type ColumnId = 'name' | 'total' | ScorePart

interface Sorting {
  readonly id: ColumnId
  readonly isDescending: boolean
}

const columns = [
  ['name', 'Tool', undefined],
  ['total', 'Score', undefined],
  ...scoreRows,
] as const satisfies readonly (readonly [ColumnId, string, string | undefined])[]

/** The tools that generated tests have called, with a column for each part of their scores. */
function ScoreTable({ tools }: { readonly tools: readonly ToolScore[] }) {
  const go = useWorkbenchNavigate()
  const [sorting, setSorting] = useState<Sorting>({ id: 'total', isDescending: false })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <section className={styles.scroll} aria-label="Scores of the tools" tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(([id, label, title]) => (
              <Head key={id} id={id} label={label} title={title} sorting={sorting} onSort={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortTools(tools, sorting).map(({ ref, source, score, isOutdated }) => (
            <tr key={ref}>
              <th scope="row">
                <button
                  type="button"
                  className="link mono"
                  onClick={() => go({ tool: ref, tab: 'examples', about: undefined })}
                >
                  {visibleName(ref.slice(source.length + 1))}
                </button>
              </th>
              <td>
                <ScoreNumber score={score} />
                {isOutdated && <span className="muted"> · before the last change</span>}
              </td>
              {scoreRows.map(([part]) => {
                const share = score.parts[part]
                return (
                  <td key={part}>
                    {share === undefined ? <span className="faint">–</span> : `${toPercent(share)} %`}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface HeadProps {
  readonly id: ColumnId
  readonly label: string
  readonly title: string | undefined
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

/** A column heading. The first click puts the worst tools first, the next one the best. */
function Head({ id, label, title, sorting, onSort }: HeadProps) {
  const isOwn = sorting.id === id
  const Arrow = sorting.isDescending ? ArrowDown : ArrowUp
  return (
    <th
      scope="col"
      title={title}
      aria-sort={isOwn ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className={styles.sort}
        onClick={() => onSort({ id, isDescending: isOwn && !sorting.isDescending })}
      >
        {label}
        {isOwn && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  )
}

/** Returns the tools in sorted order: equal ones by name, those without the value last. */
export function sortTools(tools: readonly ToolScore[], { id, isDescending }: Sorting): readonly ToolScore[] {
  const byName = (left: ToolScore, right: ToolScore) => left.ref.localeCompare(right.ref, 'en')
  if (id === 'name')
    return tools.toSorted((left, right) => (isDescending ? byName(right, left) : byName(left, right)))
  const readValue = ({ score }: ToolScore) => {
    if (id !== 'total') return score.parts[id]
    return score.total === 'not tested' ? undefined : score.total
  }
  return tools.toSorted((left, right) => {
    const [a, b] = [readValue(left), readValue(right)]
    const order =
      a === undefined || b === undefined
        ? Number(a === undefined) - Number(b === undefined)
        : isDescending
          ? b - a
          : a - b
    return order || byName(left, right)
  })
}
