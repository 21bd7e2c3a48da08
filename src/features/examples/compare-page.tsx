import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { useSources } from '../../api/use-sources.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { Loading } from '../../ui/spinner.tsx'
import { SplitPane, StackedPane } from '../../ui/split-pane.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { CompareBar } from './compare-bar.tsx'
import styles from './compare-page.module.css'
import { PairDetail } from './pair-detail.tsx'
import { PairList } from './pair-list.tsx'
import { type Comparison, sortPairs, useComparison } from './use-comparison.ts'

/** The page at `/compare`: the same inputs sent to two open sources, and where their answers differ. */
export function ComparePage() {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const { comparison, start, cancel } = useComparison()
  if (!backend.has('POST /api/compare')) return <EmptyState title="Nothing can be called here" />
  const callable = sources.filter(source => source.callable && source.toolCount > 0)
  return (
    <section className="pane" aria-label="Compare two sources">
      <h1 className="visually-hidden">Compare two sources’ results</h1>
      <CompareBar
        sources={callable}
        running={comparison?.state === 'running'}
        onStart={asked => void start(asked)}
        onCancel={cancel}
      />
      {comparison && !isCancelledEarly(comparison) ? <Result comparison={comparison} /> : <Start />}
    </section>
  )
}

/** Before it was known what is sent. */
const isCancelledEarly = ({ state, plan }: Comparison) => state === 'cancelled' && plan === undefined

function Start() {
  return (
    <EmptyState title="The same inputs, two sources">
      The saved examples of the first source, or of the second if the first has none, are sent to both. The
      page lists each place where the answers differ. Only read-only tools are called. To compare with a
      staging address or a new version of a server, add it as a source first.
    </EmptyState>
  )
}

function Result({ comparison }: { readonly comparison: Comparison }) {
  const { plan, state, error, sides } = comparison
  const narrow = useNarrow()
  const [chosen, setChosen] = useState<string>()
  const pairs = sortPairs(comparison.pairs)
  const keyOf = ({ tool, name }: { tool: string; name: string }) => JSON.stringify([tool, name])
  const found = pairs.findIndex(pair => keyOf(pair) === chosen)
  // On a wide page the first pair is open until another is chosen.
  const at = found < 0 && !narrow ? 0 : found
  const open = pairs[at]
  const choose = (index: number) => {
    const pair = pairs[Math.max(0, Math.min(pairs.length - 1, index))]
    if (pair) setChosen(keyOf(pair))
  }
  useShortcut('next', () => choose(at + 1), pairs.length > 0)
  useShortcut('previous', () => choose(at - 1), pairs.length > 0)

  if (error !== undefined)
    return (
      <div className="padded">
        <ErrorNote error={error} />
      </div>
    )
  if (plan === undefined) return <Loading>Reading the examples…</Loading>
  if (plan.total + plan.problems.length === 0)
    return (
      <EmptyState title="No examples to run">
        Neither source has a saved example. “Save as example” below a tool’s form makes one; or repeat the
        newest calls.
      </EmptyState>
    )
  const list = <PairList comparison={{ ...comparison, pairs }} plan={plan} openAt={at} onOpen={choose} />
  const detail = open && <PairDetail key={keyOf(open)} pair={open} sides={sides} />
  if (narrow)
    return (
      <div className={styles.result}>
        {open ? (
          <StackedPane back="All pairs" onBack={() => setChosen(undefined)}>
            {detail}
          </StackedPane>
        ) : (
          list
        )}
      </div>
    )
  return (
    <div className={styles.result}>
      <SplitPane
        id="compare"
        panes={[
          { id: 'pairs', size: '27%', minSize: '240px', content: list },
          {
            id: 'answers',
            size: '73%',
            minSize: '320px',
            content: detail ?? <EmptyState title={state === 'running' ? 'Calling both…' : 'No pairs'} />,
          },
        ]}
      />
    </div>
  )
}
