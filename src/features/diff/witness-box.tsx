import { useState } from 'react'
import type { Witness } from '../../../core/diff/change.ts'
import { Button, useCopy } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './change-item.module.css'
import { formatPointer } from './change-title.ts'
import { printValue } from './print-value.ts'
import { texts } from './texts.ts'
import { LongText, VisibleText } from './visible-text.tsx'

/** Short names of the two sides: `3.5.2` and `3.20.0`, or `before` and `after`. */
export interface SideNames {
  readonly before: string
  readonly after: string
}

interface WitnessBoxProps {
  readonly direction: 'input' | 'output'
  readonly witness: Witness
  readonly names: SideNames
  /** Opens the tool with the input; absent if the new version is not open. */
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** The words for a witness, by the side that accepts it: first for the old side, then for the new one. */
const verbs = {
  input: { before: ['worked in', 'fails in'], after: ['failed in', 'works in'] },
  output: { before: [texts.possibleIn, 'no longer in'], after: ['not promised by', texts.possibleIn] },
} as const

/** The counterexample: a value that one side accepts and the other refuses, and the error of the refusing side. */
export function WitnessBox({ direction, witness, names, onTry }: WitnessBoxProps) {
  const [error, setError] = useState<unknown>()
  const [copied, copy] = useCopy()
  const { acceptedBy, path, error: refusal, value } = witness
  const [verbBefore, verbAfter] = verbs[direction][acceptedBy]
  // An input breaks when the new schema refuses it, an output when the old schema does.
  const breaks = acceptedBy === (direction === 'input' ? 'before' : 'after')
  const location = formatPointer(path)
  return (
    <section
      className={join(styles.witness, breaks && styles.breaks)}
      aria-label={direction === 'input' ? 'Input that proves it' : 'Output that proves it'}
    >
      <div className={styles.witnessText}>
        <p>
          <b data-tone={acceptedBy === 'before' ? 'ok' : 'plain'} className={styles.toned}>
            {verbBefore} {names.before}
          </b>{' '}
          ·{' '}
          <b data-tone={breaks ? 'bad' : 'ok'} className={styles.toned}>
            {verbAfter} {names.after}
          </b>{' '}
          <span className="muted">
            <VisibleText text={`${location} ${refusal}`.trim()} />
          </span>
        </p>
        <pre className="wrapped">
          <LongText text={printValue(value)} />
        </pre>
        <ErrorNote error={error} />
      </div>
      <div className={styles.witnessActions}>
        {onTry && (
          <Button
            title="Opens the tool with this input in its form, which replaces the entered one. Nothing is called."
            onClick={() => {
              setError(undefined)
              onTry(JSON.stringify(value, null, 2)).catch(setError)
            }}
          >
            Try in {names.after}
          </Button>
        )}
        <Button look="quiet" onClick={() => copy(JSON.stringify(value, null, 2))}>
          {copied ? commonTexts.copied : commonTexts.copy}
        </Button>
      </div>
    </section>
  )
}
