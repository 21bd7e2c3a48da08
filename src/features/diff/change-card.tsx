import { ArrowRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { Change, Direction, Verdict, Witness } from '../../../core/diff/change.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './change-card.module.css'
import { SeverityBadge } from './severity-badge.tsx'
import { LongText, VisibleText } from './visible-text.tsx'
import { WordDiff } from './word-diff.tsx'

interface ChangeCardProps {
  readonly id: string
  readonly change: Change
  /** Opens the tool with an input; absent where there is no such tool to open. */
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** One change: how bad, where, what, and how that is known. */
export const ChangeCard = memo(function ChangeCard({ id, change, onTry }: ChangeCardProps) {
  const { direction, path, message, fingerprint, words, cues = [], witness, tools } = change
  const location = locationOf(change)
  const hasValues = words === undefined && !isInMessage(change)
  return (
    <article
      id={id}
      className={styles.card}
      tabIndex={-1}
      aria-labelledby={`${id}-head`}
      data-testid="change"
    >
      <header id={`${id}-head`} className={styles.head}>
        <SeverityBadge change={change} />
        {location && (
          <code className={styles.location} title={path}>
            <VisibleText text={location} />
          </code>
        )}
        <span className={styles.message}>
          <VisibleText text={message} />
        </span>
        <code className={styles.fingerprint} title="Fingerprint: names this change in an ignore file">
          {fingerprint}
        </code>
      </header>
      <div className={styles.body}>
        {words && <WordDiff words={words} cued={cues.length > 0} />}
        {cues.length > 0 && (
          <ul className={styles.cues} aria-label="What the added words do">
            {cues.map(cue => (
              <li key={cue}>
                ▲ <VisibleText text={cue} />
              </li>
            ))}
          </ul>
        )}
        {hasValues && <BeforeAfter before={change.before} after={change.after} />}
        {tools && <FoldedTools tools={tools} />}
        <Proof change={change} />
        {witness && (
          <WitnessBox
            direction={direction}
            witness={witness}
            onTry={direction === 'input' ? onTry : undefined}
          />
        )}
      </div>
    </article>
  )
})

/** Whether there are no values to show beside the message, or it holds them already: `false → true`. */
function isInMessage({ before, after, message }: Change): boolean {
  return [before, after].every(value => {
    if (value === undefined) return true
    if (typeof value === 'object') return false
    const text = String(value)
    return text.length < 60 && message.includes(text)
  })
}

/** Where in the tool: `input /strategy/batch`, `annotations.destructiveHint`, `description`. */
function locationOf({ direction, path }: Change): string {
  if (direction === 'input' || direction === 'output') return path === '' ? direction : `${direction} ${path}`
  return path
}

const verdictWords = {
  proved: 'proved',
  refuted: 'refuted',
  unknown: 'undecided',
  invalid: 'no valid schema',
} as const satisfies Record<Verdict, string>

/** How the verdict was reached, and for which callers it is true. */
export function Proof({ change }: { readonly change: Change }) {
  const { strict, declared, reason } = change
  if (strict === undefined && declared === undefined && !reason) return null
  const main = declared ?? strict
  const differ = strict !== undefined && declared !== undefined && strict !== declared
  return (
    <div className={styles.proof}>
      {reason && (
        <p>
          {main && main !== 'refuted' && <b>{verdictWords[main]}: </b>}
          <VisibleText text={reason} />
        </p>
      )}
      {differ && (
        <p>
          For callers that send only declared fields: <b>{verdictWords[declared]}</b>. For every caller:{' '}
          <b>{verdictWords[strict]}</b>.
        </p>
      )}
      {!reason && !differ && main === 'proved' && <p>proved: nothing that fitted before is refused now</p>}
    </div>
  )
}

interface WitnessBoxProps {
  readonly direction: Direction
  readonly witness: Witness
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** The counterexample: a value that one side takes and the other refuses, and what the refusing side says. */
export function WitnessBox({ direction, witness, onTry }: WitnessBoxProps) {
  const [error, setError] = useState<unknown>()
  const { title, refusal, breaks } = describeWitness(direction, witness)
  return (
    <section className={breaks ? styles.breaks : styles.tells} aria-label={title}>
      <div className={styles.witnessBoxHead}>
        <b>{title}</b>
        {onTry && (
          <Button
            title="Opens the tool with this input in its form, in place of what is entered there. It does not call it."
            onClick={() => {
              setError(undefined)
              onTry(JSON.stringify(witness.value, null, 2)).catch(setError)
            }}
          >
            Try this input <ArrowRight size={14} aria-hidden />
          </Button>
        )}
      </div>
      <pre className={styles.value}>
        <LongText text={printValue(witness.value)} />
      </pre>
      <p className={styles.refusal}>
        <VisibleText text={refusal} />
      </p>
      <ErrorNote error={error} />
    </section>
  )
}

export interface WitnessWords {
  readonly title: string
  /** Who refuses it, where and why. */
  readonly refusal: string
  /** Whether it breaks a caller or a reader; otherwise it only shows what is new. */
  readonly breaks: boolean
}

/** Describes a witness. An input breaks when the new schema refuses it, an output when the old schema does. */
export function describeWitness(direction: Direction, { acceptedBy, path, error }: Witness): WitnessWords {
  const refusing = acceptedBy === 'before' ? 'new' : 'old'
  const refusal = `${refusing} schema: ${path === '' ? 'the value' : path} ${error}`
  if (direction === 'output')
    return acceptedBy === 'after'
      ? { title: 'An answer that is new and that an old reader refuses', refusal, breaks: true }
      : { title: 'An answer that came before and comes no more', refusal, breaks: false }
  return acceptedBy === 'before'
    ? { title: 'A call that worked before and fails now', refusal, breaks: true }
    : { title: 'A call that failed before and works now', refusal, breaks: false }
}

/** The part that changed, before beside after (above it where the page is narrow). */
export function BeforeAfter({ before, after }: { readonly before: unknown; readonly after: unknown }) {
  return (
    <div className={styles.pair}>
      <Side label="before" value={before} />
      <Side label="after" value={after} />
    </div>
  )
}

function Side({ label, value }: { readonly label: string; readonly value: unknown }) {
  return (
    <figure className={styles.side}>
      <figcaption className={styles.label}>{label}</figcaption>
      {value === undefined ? (
        <p className={styles.absent}>absent</p>
      ) : (
        <pre className={styles.beforeAfterValue}>
          <LongText text={printValue(value)} />
        </pre>
      )}
    </figure>
  )
}

/** The tools in which one and the same change was found. */
export function FoldedTools({ tools }: { readonly tools: readonly string[] }) {
  return (
    <p className="muted" style={{ overflowWrap: 'anywhere' }}>
      In <LongText text={tools.join(', ')} />
    </p>
  )
}

const printed = new WeakMap<object, string>()

/** Formats a part of a schema or a witness as JSON to read. Never throws: a value that nests too deep gives a note. */
export function printValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent'
  const known = printed.get(value)
  if (known !== undefined) return known
  let text: string
  try {
    text = JSON.stringify(value, null, 2)
  } catch {
    text = '(nested too deeply to be shown)'
  }
  // Small values read best in one line. Line ends inside strings are escaped: only layout is joined.
  const line = text.length < 400 ? text.replace(/\n\s*/g, ' ') : text
  const result = line.length <= 90 ? line : text
  printed.set(value, result)
  return result
}
