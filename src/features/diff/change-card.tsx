import { ArrowRight } from 'lucide-react'
import { memo, useState } from 'react'
import type { Change, Verdict, Witness } from '../../../core/diff/change.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
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
          <code title={path}>
            <VisibleText text={location} />
          </code>
        )}
        <span className={styles.message}>
          <VisibleText text={message} />
        </span>
        <code className="faint" title="Fingerprint: names this change in an ignore file">
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
        {words === undefined && !isInMessage(change) && <BeforeAfter change={change} />}
        {tools && (
          <p className="muted">
            In <LongText text={tools.join(', ')} />
          </p>
        )}
        <Proof change={change} />
        {witness && (
          <WitnessBox
            direction={direction === 'output' ? 'output' : 'input'}
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
function Proof({ change }: { readonly change: Change }) {
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
  readonly direction: 'input' | 'output'
  readonly witness: Witness
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** What a witness shows, by the side that accepts it. */
const witnessTitles = {
  input: {
    before: 'A call that worked before and fails now',
    after: 'A call that failed before and works now',
  },
  output: {
    before: 'An answer that came before and comes no more',
    after: 'An answer that is new and that an old reader refuses',
  },
} as const

/** The counterexample: a value that one side takes and the other refuses, and what the refusing side says. */
function WitnessBox({ direction, witness, onTry }: WitnessBoxProps) {
  const [error, setError] = useState<unknown>()
  const { acceptedBy, path, error: refusal, value } = witness
  const title = witnessTitles[direction][acceptedBy]
  // An input breaks when the new schema refuses it, an output when the old schema does.
  const breaks = acceptedBy === (direction === 'input' ? 'before' : 'after')
  return (
    <section className={join(styles.witness, breaks && styles.breaks)} aria-label={title}>
      <div className={join('row wrap', styles.witnessHead)}>
        <b>{title}</b>
        {onTry && (
          <Button
            title="Opens the tool with this input in its form, in place of what is entered there. It does not call it."
            onClick={() => {
              setError(undefined)
              onTry(JSON.stringify(value, null, 2)).catch(setError)
            }}
          >
            Try this input <ArrowRight size={14} aria-hidden />
          </Button>
        )}
      </div>
      <pre className="wrapped">
        <LongText text={printValue(value)} />
      </pre>
      <p className={join('note', styles.refusal)}>
        <VisibleText
          text={`${acceptedBy === 'before' ? 'new' : 'old'} schema: ${path || 'the value'} ${refusal}`}
        />
      </p>
      <ErrorNote error={error} />
    </section>
  )
}

/** The part that changed, before beside after (above it where the page is narrow). */
function BeforeAfter({ change }: { readonly change: Change }) {
  return (
    <div className={styles.pair}>
      {(['before', 'after'] as const).map(side => (
        <figure key={side} className={styles.side}>
          <figcaption className={styles.label}>{side}</figcaption>
          {change[side] === undefined ? (
            <p className={styles.absent}>absent</p>
          ) : (
            <pre className={join('wrapped', styles.beforeAfterValue)}>
              <LongText text={printValue(change[side])} />
            </pre>
          )}
        </figure>
      ))}
    </div>
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
