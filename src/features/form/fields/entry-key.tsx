import { useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'

interface EntryKeyProps {
  readonly id: string
  readonly node: Extract<FormNode, { kind: 'object' }>
  readonly name: string
  readonly holder: string
  /** Says why the key cannot be taken, or `null` when it was. */
  readonly onCommit: (name: string) => string | null
  /** A new entry: the field takes the focus. */
  readonly fresh?: boolean
}

/** The key of a map's entry; taken on Enter or when the field is left. */
export function EntryKey({ id, node, name, holder, onCommit, fresh = false }: EntryKeyProps) {
  const { planner } = useFormScope()
  const [draft, setDraft] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const names = node.propertyNames === undefined ? undefined : planner.plan(node.propertyNames)
  const options = names?.kind === 'enum' ? names.options.map(option => String(option.value)) : []
  const hint = names?.schema.pattern ?? node.patterns[0]?.pattern
  const listId = `${id}-names`
  const commit = () => {
    if (draft === undefined || draft === name) return
    const refused = onCommit(draft)
    setProblem(refused)
    if (refused === null) setDraft(undefined)
  }
  return (
    <div>
      <input
        className={join(styles.input, styles.mono)}
        aria-label={name === '' ? `Key of the new entry in ${holder}` : `Key ${name} in ${holder}`}
        aria-invalid={problem !== null || undefined}
        data-entry-key
        list={options.length > 0 ? listId : undefined}
        placeholder={typeof hint === 'string' ? hint : 'key'}
        autoComplete="off"
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked for this very field
        autoFocus={fresh}
        value={draft ?? name}
        onChange={event => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
            event.preventDefault()
            commit()
          }
        }}
      />
      {options.length > 0 && (
        <datalist id={listId}>
          {options.map(option => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {problem !== null && <span className={styles.error}>{problem}</span>}
    </div>
  )
}
