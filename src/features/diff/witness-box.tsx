import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { Direction, Witness } from '../../../core/diff/change.ts'
import { appErrorShape } from '../../api/request.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { LongText } from './long-text.tsx'
import { printValue } from './print-value.ts'
import { sayWitness } from './say-witness.ts'
import { VisibleText } from './visible-text.tsx'
import styles from './witness-box.module.css'

interface WitnessBoxProps {
  readonly direction: Direction
  readonly witness: Witness
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** The counterexample: a value that one side takes and the other refuses, and what the refusing side says. */
export function WitnessBox({ direction, witness, onTry }: WitnessBoxProps) {
  const [error, setError] = useState<unknown>()
  const { title, refusal, breaks } = sayWitness(direction, witness)
  return (
    <section className={breaks ? styles.breaks : styles.tells} aria-label={title}>
      <div className={styles.head}>
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
      {error !== undefined && <ErrorNote {...appErrorShape(error)} />}
    </section>
  )
}
