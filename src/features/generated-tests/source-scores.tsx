import { useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import type { ScorePart } from '../../../core/checks/contract-score.ts'
import type { ToolScore } from '../../../core/checks/generated-checks.ts'
import { visibleName } from '../../../core/text/plain-text.ts'
import { useBackend } from '../../api/backend.ts'
import { scoresQuery } from '../../api/queries.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './generated-tests.module.css'
import { GeneratedTests } from './generated-tests.tsx'
import { ScoreNumber, scoreRows, toPercent } from './score.tsx'

const title = 'Contract scores'

interface SourceScoresProps {
  readonly source: Pick<SourceState, 'name' | 'callable' | 'toolCount'>
  /** Fills the form of a tool with an input, as JSON text, and shows it. */
  readonly onTry: (ref: string, inputText: string) => void
}

/** On a source's page: the scores of its tools, and the tests that give them. */
export function SourceScores({ source: { name, callable, toolCount }, onTry }: SourceScoresProps) {
  const backend = useBackend()
  const { data } = useQuery(scoresQuery(backend))
  const tools = data?.tools.filter(tool => tool.source === name) ?? []
  const own = data?.sources.find(each => each.source === name)
  return (
    <>
      {tools.length > 0 && (
        <section className="stack" aria-label={title}>
          <h2 className="row">
            {title} {own && <ScoreNumber score={own.score} />}
          </h2>
          <ScoreTable tools={tools} />
        </section>
      )}
      {callable && toolCount > 0 && backend.has('POST /api/generated-checks') && (
        <GeneratedTests target={{ source: name }} onTry={onTry} />
      )}
    </>
  )
}

type ColumnId = 'name' | 'total' | ScorePart

interface ScoreSorting {
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
  const [sorting, setSorting] = useState<ScoreSorting>({ id: 'total', isDescending: false })
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
                </button>{' '}
                {isOutdated && <Badge title="Its schemas have changed since the run">outdated</Badge>}
              </th>
              <td>
                <ScoreNumber score={score} />
              </td>
              {scoreRows.map(([part]) => {
                const share = score.parts[part]
                return (
                  <td key={part}>
                    {share === undefined ? <span className="faint">–</span> : `${toPercent(share)}%`}
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

interface ScoreHeadProps {
  readonly id: ColumnId
  readonly label: string
  readonly title: string | undefined
  readonly sorting: ScoreSorting
  readonly onSort: (sorting: ScoreSorting) => void
}

/** A column heading. The first click puts the worst tools first, the next one the best. */
function Head({ id, label, title, sorting, onSort }: ScoreHeadProps) {
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
function sortTools(tools: readonly ToolScore[], { id, isDescending }: ScoreSorting): readonly ToolScore[] {
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
