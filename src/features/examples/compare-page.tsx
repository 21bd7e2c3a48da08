import { CircleAlert, CircleCheck, CircleSlash, EqualNot, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { CompareLine, VisiblePair } from '../../../core/api/compare.ts'
import { type RequestTo, useBackend } from '../../api/backend.ts'
import { useSources } from '../../api/use-sources.ts'
import { Badge, Loading, type Tone } from '../../ui/badge.tsx'
import { formatDuration } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-editor.tsx'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { ScrollRegion, TextBox } from '../../ui/scroll.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { SplitPane, StackedPane, useNarrow } from '../../ui/split-pane.tsx'
import { DifferenceTable } from '../../ui/table.tsx'
import { CompareBar } from './compare-bar.tsx'
import styles from './compare-page.module.css'
import { texts } from './texts.ts'

const sameAnswerFromBoth = 'Same answer from both'

/** The page at `/compare`: sends the same inputs to two open sources and shows where their results differ. */
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
        onStart={request => void start(request)}
        onCancel={cancel}
      />
      {comparison && !isCancelledEarly(comparison) ? <Result comparison={comparison} /> : <Start />}
    </section>
  )
}

/** Cancelled before the plan was known. */
const isCancelledEarly = ({ state, plan }: CompareState) => state === 'cancelled' && plan === undefined

function Start() {
  return (
    <EmptyState title="The same inputs, two sources">
      The saved examples of the first source, or of the second if the first has none, are sent to both. The
      page lists each location where the answers differ. Only read-only tools are called. To compare with a
      staging address or a new version of a server, add it as a source first.
    </EmptyState>
  )
}

function Result({ comparison }: { readonly comparison: CompareState }) {
  const { plan, state, error, sides } = comparison
  const narrow = useNarrow()
  const [chosen, setChosen] = useState<string>()
  const pairs = sortPairs(comparison.pairs)
  const toPairKey = ({ tool, name }: { tool: string; name: string }) => JSON.stringify([tool, name])
  const found = pairs.findIndex(pair => toPairKey(pair) === chosen)
  // On a wide page the first pair is open until the user chooses another.
  const at = found < 0 && !narrow ? 0 : found
  const open = pairs[at]
  const choose = (index: number) => {
    const pair = pairs[Math.max(0, Math.min(pairs.length - 1, index))]
    if (pair) setChosen(toPairKey(pair))
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
  const detail = open && <PairDetail key={toPairKey(open)} pair={open} sides={sides} />
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

interface PairListProps {
  readonly comparison: CompareState
  readonly plan: NonNullable<CompareState['plan']>
  readonly openAt: number
  readonly onOpen: (index: number) => void
}

/** The sent inputs, each with its state, and the progress. */
function PairList({ comparison: { pairs, state }, plan, openAt, onOpen }: PairListProps) {
  const { total, problems, masks } = plan
  const ending = {
    running: `${pairs.length} of ${total} …`,
    done: '',
    cancelled: `cancelled at ${pairs.length} of ${total}`,
  }
  return (
    <div className="pane">
      <p className={styles.counts} role="status" data-testid="compare-counts">
        {[ending[state], countsText(pairs)].filter(text => text !== '').join(' · ')}
      </p>
      <ScrollRegion label="Pairs">
        <ul>
          {pairs.map(({ tool, name, status }, index) => (
            <li key={`${tool} ${name}`}>
              <button
                type="button"
                className={join('row hoverable', styles.row, index === openAt && styles.open)}
                aria-current={index === openAt || undefined}
                onClick={() => onOpen(index)}
              >
                <span className={join('column grow', styles.names)}>
                  <span className="mono truncate">{tool}</span>
                  <span className="note truncate">{name}</span>
                </span>
                <PairState status={status} />
              </button>
            </li>
          ))}
        </ul>
        {problems.length > 0 && (
          <section className={join('stack', styles.problems)} aria-label={texts.filesThatAreNotExamples}>
            <h2>{texts.filesThatAreNotExamples}</h2>
            {problems.map(({ file, message }) => (
              <p key={file}>
                <code>{file}</code> {message}
              </p>
            ))}
          </section>
        )}
      </ScrollRegion>
      <p className={join('note', styles.masks)}>
        {masks === undefined
          ? 'Do times and ids differ? Name them in a toolscope.masks.json next to toolscope.json.'
          : `Places named in ${masks} are left out.`}
      </p>
    </div>
  )
}

type CompareBody = RequestTo<'POST /api/compare'>['body']

/** The state of a comparison. */
interface CompareState {
  readonly sides: readonly [string, string]
  /** Absent until the server has sent the plan. */
  readonly plan?: Extract<CompareLine, { type: 'plan' }>
  readonly pairs: readonly VisiblePair[]
  readonly state: 'running' | 'done' | 'cancelled'
  readonly error?: unknown
}

/** Returns the last comparison of this page, with functions to start and cancel one. Leaving the page cancels it. */
function useComparison() {
  const backend = useBackend()
  const [comparison, setComparison] = useState<CompareState>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  const start = async (request: CompareBody) => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    let current: CompareState = { sides: [request.a, request.b], pairs: [], state: 'running' }
    const set = (change: Partial<CompareState>) => {
      current = { ...current, ...change }
      if (running.current === abort) setComparison(current)
    }
    set({})
    try {
      for await (const line of backend.requestLines('POST /api/compare', {
        body: request,
        signal: abort.signal,
      })) {
        if (line.type === 'plan') set({ plan: line })
        else set({ pairs: [...current.pairs, line] })
      }
      set({ state: 'done' })
    } catch (thrown) {
      set(abort.signal.aborted ? { state: 'cancelled' } : { state: 'done', error: thrown })
    }
  }
  return { comparison, start, cancel: () => running.current?.abort() }
}

const ranks = ['different', 'failed', 'same', 'skipped'] satisfies readonly VisiblePair['status'][]

/** Sorts different pairs first, then failed ones. */
function sortPairs(pairs: readonly VisiblePair[]): readonly VisiblePair[] {
  const toSortKey = ({ status, tool, name }: VisiblePair) => `${ranks.indexOf(status)} ${tool} ${name}`
  return pairs.toSorted((a, b) => (toSortKey(a) < toSortKey(b) ? -1 : 1))
}

const lineHeight = 18
/** Pixels. */
const estimateHeight = ({ a, b }: NonNullable<VisiblePair['answers']>) =>
  Math.min(560, (Math.max(...[a, b].map(text => text.split('\n').length)) + 1) * lineHeight)

interface PairDetailProps {
  readonly pair: VisiblePair
  readonly sides: readonly [string, string]
}

/** One pair: its outcome, the locations that differ, and both results side by side. */
function PairDetail({ pair, sides }: PairDetailProps) {
  const { tool, name, status, message, flag, differences, more = 0, durationsMs, answers } = pair
  const [a, b] = sides
  const rows = differences.map(({ path, a: expected, b: actual }) => ({ path, expected, actual }))
  return (
    <article className={join('page', styles.detail)} aria-label={`${name}, ${tool}`}>
      <header className="stack">
        <h2 className="name">{tool}</h2>
        <p className="row wrap">
          <PairState status={status} /> {name}
          {durationsMs && (
            <span className="faint">
              {a} {formatDuration(durationsMs.a)} · {b} {formatDuration(durationsMs.b)}
            </span>
          )}
        </p>
        <p>
          {message}
          {flag === 'allow-writes' && `. Tick “${texts.destructiveToolsToo}” to call it.`}
          {flag === 'allow-destructive' && (
            <>
              . It is not called from here; <code>toolscope compare --allow-destructive</code> calls it.
            </>
          )}
        </p>
      </header>
      {rows.length > 0 && <DifferenceTable differences={rows} more={more} sides={sides} />}
      {status === 'same' && answers && (
        <section className="stack" aria-label={sameAnswerFromBoth}>
          <h3>{sameAnswerFromBoth}</h3>
          <TextBox maxHeight={600}>{answers.b}</TextBox>
        </section>
      )}
      {status === 'different' && (
        <section className="stack" aria-label="Both answers">
          <h3>Both answers</h3>
          {answers ? (
            <div className={styles.editors} style={{ height: estimateHeight(answers) }}>
              <JsonDiff before={answers.a} after={answers.b} label={`Answers of ${a} and ${b}`} />
            </div>
          ) : (
            <p className="muted">One answer is too long to be shown.</p>
          )}
        </section>
      )}
    </article>
  )
}

type Status = VisiblePair['status']

const looks: Readonly<Record<Status, { tone: Tone; icon: LucideIcon; text: string }>> = {
  same: { tone: 'ok', icon: CircleCheck, text: 'same' },
  different: { tone: 'bad', icon: EqualNot, text: 'different' },
  failed: { tone: 'bad', icon: CircleAlert, text: 'failed' },
  skipped: { tone: 'plain', icon: CircleSlash, text: 'skipped' },
}

/** The state of a pair in a word. */
function PairState({ status }: { readonly status: Status }) {
  const { tone, icon, text } = looks[status]
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  )
}

/** Returns `1 different · 3 same`; a count of zero is omitted. */
function countsText(pairs: readonly VisiblePair[]): string {
  const counts = (Object.keys(looks) as Status[]).map(
    status => [pairs.filter(pair => pair.status === status).length, looks[status].text] as const,
  )
  return counts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${count} ${text}`)
    .join(' · ')
}
