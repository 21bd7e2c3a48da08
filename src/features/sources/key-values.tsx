import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import inputStyles from '../../ui/input.module.css'
import styles from './add-source.module.css'
import { newPair, type Pair } from './entry-draft.ts'

interface KeyValuesProps {
  readonly title: string
  /** What one of them is called: `variable`. */
  readonly noun: string
  /** In the box of an empty name. */
  readonly sampleName: string
  readonly pairs: readonly Pair[]
  readonly onChange: (pairs: readonly Pair[]) => void
}

/** Rows of a name and a value. */
export function KeyValues({ title, noun, sampleName, pairs, onChange }: KeyValuesProps) {
  const id = useId()
  const change = (pair: Pair) => onChange(pairs.map(each => (each.id === pair.id ? pair : each)))
  return (
    <fieldset className="stack" aria-describedby={`${id}-note`}>
      <legend className={styles.legend}>
        {title}
        <span className="note" id={`${id}-note`}>
          {`values stay on this machine; \${env:NAME} takes one from a variable`}
        </span>
      </legend>
      {pairs.map((pair, index) => (
        <div key={pair.id} className={styles.pair}>
          {(['name', 'value'] as const).map(part => (
            <input
              key={part}
              className={inputStyles.input}
              aria-label={`${part === 'name' ? 'Name' : 'Value'} of ${noun} ${index + 1}`}
              placeholder={part === 'name' ? sampleName : 'value'}
              value={pair[part]}
              onChange={event => change({ ...pair, [part]: event.target.value })}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          <IconButton
            icon={X}
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(pairs.filter(each => each.id !== pair.id))}
          />
        </div>
      ))}
      <div>
        <Button look="quiet" onClick={() => onChange([...pairs, newPair()])}>
          <Plus size={14} aria-hidden /> Add {noun}
        </Button>
      </div>
    </fieldset>
  )
}
