import { Play } from 'lucide-react'
import { Fragment, useState } from 'react'
import type {
  GeneratedPlan,
  PlannedInput,
  PlannedTool,
  SkippedTool,
} from '../../../core/checks/generated-checks.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './generated-tests.module.css'

interface PlanProps {
  readonly plan: GeneratedPlan
  /** Whether all tools of a source are planned. */
  readonly isOfSource: boolean
  readonly onRun: (confirmed: boolean) => void
  readonly onClose: () => void
}

/** The inputs to be sent, and the confirmation of tools that are not called by default. */
export function Plan({ plan, isOfSource, onRun, onClose }: PlanProps) {
  const [isConfirmed, setConfirmed] = useState(false)
  const refused = useRefusal('POST /api/generated-checks')
  const canConfirm = ({ needs }: SkippedTool) => needs !== 'nothing' && !(isOfSource && needs === 'consent')
  const tools = plan.tools.filter(({ ref }) => {
    const risk = plan.skipped.find(each => each.ref === ref)
    return risk === undefined || ((isConfirmed || !isOfSource) && canConfirm(risk))
  })
  const sum = (count: (tool: PlannedTool) => number) => tools.reduce((total, tool) => total + count(tool), 0)
  const [valid, invalid] = [sum(tool => tool.valid), sum(tool => tool.invalid)]
  const inputs = valid + invalid
  const unconfirmed = sum(tool => tool.unconfirmed)
  const needsConsent = !isOfSource && plan.skipped.length > 0
  return (
    <form
      className={join('stack', styles.panel)}
      aria-label="Inputs to be sent"
      onSubmit={event => {
        event.preventDefault()
        onRun(isConfirmed)
      }}
    >
      <p>
        <b>{plural(inputs, 'input')}</b>
        {isOfSource && ` for ${plural(tools.length, 'tool')}`}: {formatCount(valid)} that the schema allows,{' '}
        {formatCount(invalid)} that it forbids.
        {inputs > plan.maxCalls && ` At most ${formatCount(plan.maxCalls)} calls are made.`}
      </p>
      {unconfirmed > 0 && (
        <p className="note">
          {plural(unconfirmed, 'more input')} {unconfirmed === 1 ? 'is' : 'are'} not sent: two validators
          disagree about {unconfirmed === 1 ? 'it' : 'them'}.
        </p>
      )}
      {tools.map(
        ({ ref, problem }) =>
          problem !== undefined && (
            <p key={ref} className="notice">
              {isOfSource ? `${ref}: no valid input` : 'No valid input'} was found: {problem}.
            </p>
          ),
      )}
      {plan.skipped.length === 0 ? (
        <p className="note">
          {isOfSource ? 'All are declared' : 'It is declared'} read-only and not open-world (unverified).
        </p>
      ) : (
        <Risk
          skipped={plan.skipped}
          isOfSource={isOfSource}
          canConfirm={plan.skipped.some(canConfirm)}
          isConfirmed={isConfirmed}
          onConfirm={setConfirmed}
        />
      )}
      <InputLists tools={tools} isOfSource={isOfSource} />
      <div className="row wrap">
        {(inputs > 0 || plan.skipped.some(canConfirm)) && (
          <Button
            type="submit"
            look={isConfirmed || needsConsent ? 'danger' : 'primary'}
            disabled={inputs === 0 || (needsConsent && !isConfirmed)}
            refused={refused}
          >
            <Play size={14} aria-hidden /> Call with {plural(Math.min(inputs, plan.maxCalls), 'input')}
          </Button>
        )}
        <Button onClick={onClose}>{commonTexts.cancel}</Button>
      </div>
    </form>
  )
}

interface RiskProps {
  readonly skipped: readonly SkippedTool[]
  readonly isOfSource: boolean
  /** Whether a confirmation is enough for one of them. */
  readonly canConfirm: boolean
  readonly isConfirmed: boolean
  readonly onConfirm: (isConfirmed: boolean) => void
}

function Risk({ skipped, isOfSource, canConfirm, isConfirmed, onConfirm }: RiskProps) {
  return (
    <div className={join('stack', 'notice')}>
      {isOfSource ? (
        <details>
          <summary>{plural(skipped.length, 'tool')} not called by default</summary>
          <ul>
            {skipped.map(({ ref, reason }) => (
              <li key={ref}>
                <code>{ref}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      ) : (
        <p>
          This tool is not called{canConfirm && ' by default'}, because {skipped[0]?.reason}.
        </p>
      )}
      {canConfirm && (
        <>
          <p>A call with a made-up input may write, delete or reach other systems, and nothing undoes it.</p>
          <label className="row">
            <input
              type="checkbox"
              checked={isConfirmed}
              onChange={event => onConfirm(event.target.checked)}
            />
            {isOfSource ? 'I accept this risk: call them too' : 'I accept this risk'}
          </label>
        </>
      )}
    </div>
  )
}

interface InputListsProps {
  readonly tools: readonly PlannedTool[]
  readonly isOfSource: boolean
}

/** The inputs of a dry run, in the order in which they are sent. */
function InputLists({ tools, isOfSource }: InputListsProps) {
  const [isOpen, setOpen] = useState(false)
  const all = tools.flatMap(({ ref, inputs = [] }) => inputs.map(input => ({ ref, input })))
  if (all.length === 0) return null
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>List the inputs</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
        <section className={styles.inputs} aria-label="Generated inputs" tabIndex={0}>
          <ol>
            {all.slice(0, maxListed).map(({ ref, input }, index) => (
              <Fragment key={`${ref} ${input.inputText}`}>
                {isOfSource && all[index - 1]?.ref !== ref && <li className={styles.tool}>{ref}</li>}
                <Input input={input} />
              </Fragment>
            ))}
          </ol>
          {all.length > maxListed && (
            <p className="muted">
              And {formatCount(all.length - maxListed)} more, which `toolscope check --generate --dry-run`
              lists.
            </p>
          )}
        </section>
      )}
    </details>
  )
}

/** The number of inputs that are listed. */
const maxListed = 1_000

/** Characters of an input in its line, and in its tooltip. */
const maxLineLength = 300
const maxTitleLength = 2_000

function Input({ input: { inputText, kind, why, note } }: { readonly input: PlannedInput }) {
  return (
    <li className={styles.input}>
      <Badge tone={kind === 'valid' ? 'ok' : 'warn'}>{kind === 'valid' ? 'allowed' : 'forbidden'}</Badge>
      <span>
        {why}
        {note !== undefined && <span className="muted"> {note}</span>}
      </span>
      <code className="faint small truncate" title={inputText.slice(0, maxTitleLength)}>
        {inputText.slice(0, maxLineLength)}
      </code>
    </li>
  )
}
