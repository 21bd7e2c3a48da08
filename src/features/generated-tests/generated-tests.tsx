import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Square } from 'lucide-react'
import { useId, useState } from 'react'
import { type GeneratedPlan, type GeneratedReport, isTested } from '../../../core/checks/generated-checks.ts'
import { useBackend } from '../../api/backend.ts'
import { scoresQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge, Spinner } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatAge, formatCount, formatDuration, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { useNow } from '../../ui/use-now.ts'
import { useStore } from '../../ui/value-store.ts'
import { FindingList } from './finding-list.tsx'
import { Plan } from './generated-plan.tsx'
import {
  closeRun,
  getRunStore,
  planRun,
  type RunLimits,
  type RunTarget,
  setRunLimits,
  startRun,
  stopRun,
  type TestRun,
} from './generated-run.ts'
import styles from './generated-tests.module.css'
import { CoverageCard, ScoreCard, ScoreNumber } from './score.tsx'

const title = 'Generated tests'

interface GeneratedTestsProps {
  readonly target: RunTarget
  /** Fills the form of a tool with an input, as JSON text, and shows it. */
  readonly onTry: (ref: string, inputText: string) => void
}

/**
 * Calls a tool, or the tools of a source, with inputs made from the schemas: lists them first, then shows the findings,
 * the coverage and the score.
 */
export function GeneratedTests({ target, onTry }: GeneratedTestsProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const run = useStore(getRunStore(target))
  const start = async (confirmed: boolean) => {
    await startRun(backend, target, confirmed)
    await client.invalidateQueries({ queryKey: scoresQuery(backend).queryKey })
  }
  const { state, plan, report, findings } = run
  return (
    <section className={join('stack', styles.section)} aria-label={title} data-testid="generated-tests">
      <h2>{title}</h2>
      {(state === 'idle' || state === 'ended') && (
        <Start
          target={target}
          limits={run.limits}
          isFirst={state === 'idle'}
          onStart={() => void planRun(backend, target)}
        />
      )}
      {state === 'planning' && (
        <p className="row" role="status">
          <Spinner /> Generating inputs…
          <Button onClick={() => stopRun(backend, target)}>{commonTexts.cancel}</Button>
        </p>
      )}
      {state === 'planned' && plan && (
        <Plan
          key={plan.id}
          plan={plan}
          isOfSource={'source' in target}
          onRun={start}
          onClose={() => closeRun(target)}
        />
      )}
      {(state === 'running' || state === 'stopping') && (
        <Progress run={run} onStop={() => stopRun(backend, target)} />
      )}
      <ErrorNote error={run.error} />
      {report && <Report report={report} plan={plan} findings={findings.length} />}
      {findings.length > 0 && (
        <FindingList findings={findings} isOfSource={'source' in target} onTry={onTry} />
      )}
    </section>
  )
}

interface StartProps {
  readonly target: RunTarget
  readonly limits: RunLimits
  readonly isFirst: boolean
  readonly onStart: () => void
}

/** The limits of the next run, and the button that lists its inputs. */
function Start({ target, limits, isFirst, onStart }: StartProps) {
  const refused = useRefusal('POST /api/generated-checks')
  return (
    <>
      {isFirst && (
        <p className="muted">
          {'ref' in target ? 'Calls it' : 'Calls its read-only tools'} with inputs made from the schema: one
          at each boundary, and for each constraint one that breaks only this constraint. You see them first.
        </p>
      )}
      {isFirst && 'ref' in target && <LastScore toolRef={target.ref} />}
      <form
        className={join('row wrap', styles.limits)}
        aria-label="Limits of the tests"
        onSubmit={event => {
          event.preventDefault()
          onStart()
        }}
      >
        <Button type="submit" refused={refused}>
          <FlaskConical size={14} aria-hidden /> {isFirst ? 'Generate tests' : 'Generate again'}
        </Button>
        <NumberField
          label="At most"
          unit="calls"
          min={1}
          max={20_000}
          value={limits.maxCalls}
          onChange={maxCalls => setRunLimits(target, { maxCalls })}
        />
        <NumberField
          label="Seed"
          min={0}
          max={2_147_483_647}
          value={limits.seed}
          onChange={seed => setRunLimits(target, { seed })}
        />
      </form>
    </>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly unit?: string
  readonly min: number
  readonly max: number
  readonly value: number
  readonly onChange: (value: number) => void
}

/** A field for a whole number. Text that is not one between the limits stays in the field and changes nothing. */
function NumberField({ label, unit, min, max, value, onChange }: NumberFieldProps) {
  const id = useId()
  const [text, setText] = useState(String(value))
  const isValid = (given: string) => /^\d+$/.test(given) && Number(given) >= min && Number(given) <= max
  return (
    <span className="row">
      <label htmlFor={id} className="note">
        {label}
      </label>
      <input
        id={id}
        className={join('text-field', styles.number)}
        inputMode="numeric"
        value={text}
        title={`${formatCount(min)} to ${formatCount(max)}`}
        aria-invalid={isValid(text) ? undefined : true}
        autoComplete="off"
        onChange={event => {
          setText(event.target.value)
          if (isValid(event.target.value)) onChange(Number(event.target.value))
        }}
      />
      {unit !== undefined && <span className="note">{unit}</span>}
    </span>
  )
}

/** The score of the tool's last run, which the store keeps. */
function LastScore({ toolRef }: { readonly toolRef: string }) {
  const { data } = useQuery(scoresQuery(useBackend()))
  const now = useNow()
  const last = data?.tools.find(({ ref }) => ref === toolRef)
  if (last === undefined) return null
  return (
    <p data-testid="last-score">
      Last run, {formatAge(last.time, new Date(now))}: contract score <ScoreNumber score={last.score} /> ·{' '}
      {plural(last.findings, 'finding')} · {last.coveragePercent}% of the schema covered
      {last.isOutdated && <span className="muted"> · its schemas have changed since</span>}
    </p>
  )
}

interface RunProgressProps {
  readonly run: TestRun
  readonly onStop: () => void
}

function Progress({ run: { state, plan, progress, findings }, onStop }: RunProgressProps) {
  const total = plan?.inputs ?? 0
  const sent = progress?.inputs ?? 0
  const isShrinking = total > 0 && sent >= total
  const isStopping = state === 'stopping'
  return (
    <div className="stack">
      <div className="row">
        <progress
          className={styles.progress}
          max={Math.max(1, total)}
          value={sent}
          aria-label="Inputs that were sent"
        />
        <Button onClick={onStop} disabled={isStopping}>
          <Square size={14} aria-hidden /> {isStopping ? 'Stopping…' : 'Stop'}
        </Button>
      </div>
      <p className="note" role="status">
        {formatCount(sent)} of {plural(total, 'input')} · {plural(progress?.calls ?? 0, 'call')} ·{' '}
        {plural(findings.length, 'finding')}
        {isShrinking && ' · looking for the smallest inputs that fail'}
      </p>
    </div>
  )
}

const endings: Readonly<Record<GeneratedReport['ending'], string>> = {
  done: '',
  'max-calls': 'It ended early: the maximum of calls was reached.',
  time: 'It ended early: its time was up.',
  stopped: 'Stopped.',
}

interface RunReportProps {
  readonly report: GeneratedReport
  readonly plan: GeneratedPlan | undefined
  readonly findings: number
}

/** The result of a run in a sentence, then its score and coverage. */
function Report({ report, plan, findings }: RunReportProps) {
  const { tools, sources, sent, calls, durationMs, coveragePercent, seed, ending } = report
  const [first] = tools
  const score = tools.length > 1 ? sources[0]?.score : first?.score
  const isWhole = sent.sent >= sent.planned
  const cut = tools.filter(tool => tool.cut !== undefined)
  const isCalled = (ref: string) => tools.some(tool => tool.ref === ref)
  return (
    <>
      <p role="status" data-testid="generated-outcome">
        {findings === 0 ? (
          <Badge tone={isWhole && tools.some(isTested) ? 'ok' : 'plain'}>no findings</Badge>
        ) : (
          <Badge tone="bad">{plural(findings, 'finding')}</Badge>
        )}{' '}
        {isWhole
          ? plural(sent.sent, 'input')
          : `only ${formatCount(sent.sent)} of ${plural(sent.planned, 'input')}`}
        , {plural(calls, 'call')} in {formatDuration(durationMs)},{' '}
        {tools.some(isTested) && `${coveragePercent}% of the schema covered, `}seed {seed}. {endings[ending]}
      </p>
      {cut.map(tool => (
        <p key={tool.ref} className="note">
          {tools.length > 1 ? `${tool.ref}: not` : 'Not'} all inputs were sent: {tool.cut}.
        </p>
      ))}
      {score && (
        <div className={styles.cards}>
          <ScoreCard score={score} />
          <CoverageCard
            coverages={tools.map(({ coverage }) => coverage)}
            unknowns={plan?.tools.flatMap(({ ref, unknowns }) => (isCalled(ref) ? unknowns : [])) ?? []}
          />
        </div>
      )}
    </>
  )
}
