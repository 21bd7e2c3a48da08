import { ArrowLeftRight, ArrowRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import inputStyles from '../../ui/input.module.css'
import { join } from '../../ui/join.ts'
import styles from './side-fields.module.css'
import { describeVersion, useOfferedVersions } from './use-offered-versions.ts'

interface SideFieldsProps {
  readonly a: string
  readonly b: string
  readonly comparing: boolean
  readonly onSwap: () => void
  readonly onCompare: (a: string, b: string) => void
}

/** The two references: open sources and their versions are suggested, anything else can be typed. */
export function SideFields({ a, b, comparing, onSwap, onCompare }: SideFieldsProps) {
  const id = useId()
  const { data: sources = [] } = useSources()
  const [typed, setTyped] = useState({ a, b })
  const [known, setKnown] = useState(typed)
  // The URL changed (swap, back, a link): update the fields.
  if (known.a !== a || known.b !== b) {
    setKnown({ a, b })
    setTyped({ a, b })
  }
  const versions = useOfferedVersions(typed.a, typed.b)
  const offered = new Map([
    ...sources.map(source => [source.name, source.label] as const),
    ...versions.map(version => [version.reference, describeVersion(version)] as const),
  ])
  // A name picked from the list is complete: it needs no Enter.
  const change = (side: 'a' | 'b', text: string, picked: boolean) => {
    const next = { ...typed, [side]: text }
    setTyped(next)
    if (picked && offered.has(text) && next.a && next.b) onCompare(next.a, next.b)
  }
  const isChosen = a !== '' && b !== ''
  const field = (side: 'a' | 'b') => (
    <Field
      label={side === 'a' ? 'Before' : 'After'}
      value={typed[side]}
      listId={id}
      empty={!isChosen && (side === 'a' ? b : a) !== ''}
      onChange={(text, picked) => change(side, text, picked)}
    />
  )
  return (
    <form
      className={join('row', styles.bar)}
      onSubmit={event => {
        event.preventDefault()
        onCompare(typed.a.trim(), typed.b.trim())
      }}
    >
      {field('a')}
      <ArrowRight size={14} aria-hidden className={styles.arrow} />
      {field('b')}
      <datalist id={id}>
        {[...offered].map(([name, about]) => (
          <option key={name} value={name}>
            {about}
          </option>
        ))}
      </datalist>
      <Button type="submit" look={isChosen ? 'plain' : 'primary'} disabled={comparing}>
        {comparing ? 'Comparing…' : typed.a === a && typed.b === b && isChosen ? 'Compare again' : 'Compare'}
      </Button>
      <Button look="quiet" onClick={onSwap} aria-label="Swap the two sides">
        <ArrowLeftRight size={14} aria-hidden /> Swap
      </Button>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly listId: string
  /** The other side is chosen already: this one is what is asked for. */
  readonly empty: boolean
  readonly onChange: (text: string, picked: boolean) => void
}

function Field({ label, value, listId, empty, onChange }: FieldProps) {
  const id = useId()
  return (
    <div className={join('row', styles.field)}>
      <label htmlFor={id} className={join('note', styles.label)}>
        {label}
      </label>
      <input
        id={id}
        className={inputStyles.input}
        list={listId}
        value={value}
        // biome-ignore lint/a11y/noAutofocus: after “Compare with…” one side is left to choose
        autoFocus={empty}
        placeholder="source, source@2, file, git:HEAD:tools.json"
        autoComplete="off"
        spellCheck={false}
        maxLength={2000}
        onChange={event => {
          const { inputType } = event.nativeEvent as InputEvent
          // Picking from the list replaces the text in one go; typing and pasting name themselves.
          onChange(event.target.value, inputType === undefined || inputType === 'insertReplacementText')
        }}
      />
    </div>
  )
}
