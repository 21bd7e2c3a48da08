import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FlaskConical, Play, Square } from 'lucide-react'
import { useId, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { GeneratedPlan, GeneratedReport, PlannedInput } from '../../../core/checks/generated-checks.ts'
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
import {
  closeRun,
  type GeneratedRun,
  getRunStore,
  planRun,
  type RunLimits,
  setRunLimits,
  startRun,
  stopRun,
} from './generated-run.ts'
import styles from './generated-tests.module.css'
import { CoverageCard, ScoreCard, ScoreNumber } from './score.tsx'

const title = 'Generated tests'

interface GeneratedTestsProps {
  readonly tool: ToolDetail
  /** Fills the form with an input, as JSON text. */
  readonly onTry: (inputText: string) => void
}

/** Calls a tool with inputs made from its schema: lists them first, then shows the findings, the coverage and the score. */
export function GeneratedTests({ tool: { ref }, onTry }: GeneratedTestsProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const run = useStore(getRunStore(ref))
  const start = async (confirmed: boolean) => {
    await startRun(backend, ref, confirmed)
    await client.invalidateQueries({ queryKey: scoresQuery(backend).queryKey })
  }
  const { state, plan, report, findings } = run
  return (
    <section className={join('stack', styles.section)} aria-label={title} data-testid="generated-tests">
      <h2>{title}</h2>
      {(state === 'idle' || state === 'ended') && (
        <Start
          toolRef={ref}
          limits={run.limits}
          isFirst={state === 'idle'}
          onStart={() => void planRun(backend, ref)}
        />
      )}
      {state === 'planning' && (
        <p className="row" role="status">
          <Spinner /> Generating inputs…
          <Button onClick={() => stopRun(backend, ref)}>{commonTexts.cancel}</Button>
        </p>
      )}
      {state === 'planned' && plan && (
        <Plan key={plan.id} plan={plan} onRun={start} onClose={() => closeRun(ref)} />
      )}
      {(state === 'running' || state === 'stopping') && (
        <Progress run={run} onStop={() => stopRun(backend, ref)} />
      )}
      <ErrorNote error={run.error} />
      {report && <Report report={report} findings={findings.length} />}
      {findings.length > 0 && <FindingList toolRef={ref} findings={findings} onTry={onTry} />}
    </section>
  )
}

interface StartProps {
  readonly toolRef: string
  readonly limits: RunLimits
  readonly isFirst: boolean
  readonly onStart: () => void
}

/** The limits of the next run, and the button that lists its inputs. */
function Start({ toolRef, limits, isFirst, onStart }: StartProps) {
  const refused = useRefusal('POST /api/generated-checks')
  return (
    <>
      {isFirst && (
        <p className="muted">
          Inputs at each boundary of the schema, and one for each constraint that breaks only this constraint.
          Nothing is called before you have seen them.
        </p>
      )}
      {isFirst && <LastScore toolRef={toolRef} />}
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
          onChange={maxCalls => setRunLimits(toolRef, { maxCalls })}
        />
        <NumberField
          label="Seed"
          min={0}
          max={2_147_483_647}
          value={limits.seed}
          onChange={seed => setRunLimits(toolRef, { seed })}
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
      {plural(last.findings, 'finding')} · {last.coveragePercent} % of the schema covered
      {last.isOutdated && <span className="muted"> · its schemas have changed since</span>}
    </p>
  )
}

interface PlanProps {
  readonly plan: GeneratedPlan
  readonly onRun: (confirmed: boolean) => void
  readonly onClose: () => void
}

/** What will be sent, and the confirmation of a tool that is not declared read-only. */
function Plan({ plan, onRun, onClose }: PlanProps) {
  const [isConfirmed, setConfirmed] = useState(false)
  const [tool] = plan.tools
  const [risk] = plan.skipped
  const refused = useRefusal('POST /api/generated-checks')
  const count = Math.min(plan.inputs, plan.maxCalls)
  const canRun = tool !== undefined && plan.inputs > 0 && risk?.needs !== 'nothing'
  return (
    <form
      className={join('stack', styles.panel)}
      aria-label="Inputs to be sent"
      onSubmit={event => {
        event.preventDefault()
        onRun(isConfirmed)
      }}
    >
      {tool && (
        <>
          <p>
            <b>{plural(plan.inputs, 'input')}</b>: {formatCount(tool.valid)} that the schema allows,{' '}
            {formatCount(tool.invalid)} that it forbids.
            {plan.inputs > plan.maxCalls && ` At most ${formatCount(plan.maxCalls)} calls are made.`}
          </p>
          {tool.problem !== undefined && <p className="notice">Nothing can be sent: {tool.problem}.</p>}
          {tool.unconfirmed > 0 && (
            <p className="note">
              {plural(tool.unconfirmed, 'more input')} {tool.unconfirmed === 1 ? 'is' : 'are'} not sent: two
              validators disagree about {tool.unconfirmed === 1 ? 'it' : 'them'}.
            </p>
          )}
        </>
      )}
      {risk === undefined ? (
        <p className="note">Its source declares the tool read-only and not open-world (unverified).</p>
      ) : (
        <Risk reason={risk.reason} needs={risk.needs} isConfirmed={isConfirmed} onConfirm={setConfirmed} />
      )}
      {tool?.inputs && tool.inputs.length > 0 && <InputList inputs={tool.inputs} />}
      <div className="row wrap">
        {canRun && (
          <Button
            type="submit"
            look={risk === undefined ? 'primary' : 'danger'}
            disabled={risk !== undefined && !isConfirmed}
            refused={refused}
          >
            <Play size={14} aria-hidden /> Call with {plural(count, 'input')}
          </Button>
        )}
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
      </div>
    </form>
  )
}

interface RiskProps {
  /** Part of a sentence. */
  readonly reason: string
  readonly needs: GeneratedPlan['skipped'][number]['needs']
  readonly isConfirmed: boolean
  readonly onConfirm: (isConfirmed: boolean) => void
}

function Risk({ reason, needs, isConfirmed, onConfirm }: RiskProps) {
  if (needs === 'nothing') return <p className="notice">This tool is not called: {reason}.</p>
  return (
    <div className={join('stack', 'notice')}>
      <p>
        <b>This tool may change things:</b> {reason}. Each call with a made-up input may write, delete, or
        reach other systems, and nothing undoes it.
      </p>
      <label className="row">
        <input type="checkbox" checked={isConfirmed} onChange={event => onConfirm(event.target.checked)} />I
        accept this risk
      </label>
    </div>
  )
}

/** The inputs of a dry run, in the order in which they are sent. */
function InputList({ inputs }: { readonly inputs: readonly PlannedInput[] }) {
  return (
    <details>
      <summary>List the inputs</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
      <section className={styles.inputs} aria-label="Generated inputs" tabIndex={0}>
        <ol>
          {inputs.map(({ inputText, kind, why, note }) => (
            <li key={inputText} className={styles.input}>
              <Badge tone={kind === 'valid' ? 'ok' : 'warn'}>
                {kind === 'valid' ? 'allowed' : 'forbidden'}
              </Badge>
              <span>
                {why}
                {note !== undefined && <span className="muted"> One validator decided: {note}.</span>}
              </span>
              <code className="faint small truncate" title={inputText.slice(0, maxTitleLength)}>
                {inputText.slice(0, maxLineLength)}
              </code>
            </li>
          ))}
        </ol>
      </section>
    </details>
  )
}

/** Characters of an input in its line, and in its tooltip. */
const maxLineLength = 300
const maxTitleLength = 2_000

interface ProgressProps {
  readonly run: GeneratedRun
  readonly onStop: () => void
}

function Progress({ run: { state, plan, progress, findings }, onStop }: ProgressProps) {
  const total = plan?.inputs ?? 0
  const sent = progress?.inputs ?? 0
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

interface ReportProps {
  readonly report: GeneratedReport
  readonly findings: number
}

/** The result of a run in a sentence, then its score and coverage. */
function Report({ report, findings }: ReportProps) {
  const [tool] = report.tools
  return (
    <>
      <p role="status" data-testid="generated-outcome">
        {findings === 0 ? (
          <Badge tone={report.ending === 'done' ? 'ok' : 'plain'}>no findings</Badge>
        ) : (
          <Badge tone="bad">{plural(findings, 'finding')}</Badge>
        )}{' '}
        {plural(tool?.inputs ?? 0, 'input')}, {plural(report.calls, 'call')} in{' '}
        {formatDuration(report.durationMs)}, {report.coveragePercent} % of the schema covered, seed{' '}
        {report.seed}. {endings[report.ending]}
      </p>
      {tool?.cut !== undefined && <p className="note">Not all inputs were sent: {tool.cut}.</p>}
      {tool && (
        <div className={styles.cards}>
          <ScoreCard score={tool.score} />
          <CoverageCard coverage={tool.coverage} />
        </div>
      )}
    </>
  )
}
