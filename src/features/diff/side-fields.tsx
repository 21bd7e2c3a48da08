import { ArrowLeftRight, ArrowRight } from 'lucide-react'
import { useId, useState } from 'react'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
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
  const [before, setBefore] = useState(a)
  const [after, setAfter] = useState(b)
  const [known, setKnown] = useState({ a, b })
  // The URL changed (swap, back, a link): update the fields.
  if (known.a !== a || known.b !== b) {
    setKnown({ a, b })
    setBefore(a)
    setAfter(b)
  }
  const versions = useOfferedVersions(before, after)
  const names = new Set([
    ...sources.map(source => source.name),
    ...versions.map(version => version.reference),
  ])
  // A name picked from the list is complete: it needs no Enter.
  const change = (side: 'a' | 'b', text: string, picked: boolean) => {
    const next = side === 'a' ? ([text, after] as const) : ([before, text] as const)
    if (side === 'a') setBefore(text)
    else setAfter(text)
    if (picked && names.has(text) && next[0] && next[1]) onCompare(...next)
  }
  return (
    <form
      className={styles.bar}
      onSubmit={event => {
        event.preventDefault()
        onCompare(before.trim(), after.trim())
      }}
    >
      <Field
        label="Before"
        value={before}
        listId={id}
        empty={a === '' && b !== ''}
        onChange={(text, picked) => change('a', text, picked)}
      />
      <ArrowRight size={14} aria-hidden className={styles.arrow} />
      <Field
        label="After"
        value={after}
        listId={id}
        empty={b === '' && a !== ''}
        onChange={(text, picked) => change('b', text, picked)}
      />
      <datalist id={id}>
        {sources.map(source => (
          <option key={source.name} value={source.name}>
            {source.label}
          </option>
        ))}
        {versions.map(version => (
          <option key={version.reference} value={version.reference}>
            {describeVersion(version)}
          </option>
        ))}
      </datalist>
      <Button type="submit" look={a !== '' && b !== '' ? 'plain' : 'primary'} disabled={comparing}>
        {comparing ? 'Comparing…' : before === a && after === b && a && b ? 'Compare again' : 'Compare'}
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
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <input
        id={id}
        className={styles.input}
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
