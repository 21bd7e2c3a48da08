import { useState } from 'react'
import { jsonEquals } from '../../../../core/json/equality.ts'
import type { Json } from '../../../../core/json/json.ts'
import { readJson, writeJson } from '../../../../core/json/json-text.ts'
import { join } from '../../../ui/join.ts'
import { TextBox } from '../../../ui/scroll.tsx'
import styles from '../form.module.css'
import { useDraftValue, useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { QuietButton } from './buttons.tsx'
import { useFieldLocation } from './field-location.ts'

/** A value as JSON text, with its schema below. Valid JSON updates the draft. */
export function JsonNode() {
  const { id, label, path, schema, describedBy, readonly, asJson, onJson } = useFieldLocation()
  const { store } = useFormScope()
  const value = useDraftValue(path)
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: Json | undefined }>()
  const text = draft && sameValue(draft.value, value) ? draft.text : writeJson(value)
  const reading = readJson(text)
  const problem = reading.ok ? '' : `Not valid JSON, the value is unchanged: ${reading.message}`
  return (
    <div className={join('stack', styles.json)}>
      <textarea
        id={id}
        className={join(styles.input, styles.long, styles.mono)}
        aria-label={`${label} as JSON`}
        aria-describedby={describedBy}
        aria-invalid={problem !== '' || undefined}
        rows={Math.min(16, Math.max(2, text.split('\n').length))}
        readOnly={readonly}
        value={text}
        onChange={event => {
          const next = readJson(event.target.value)
          if (next.ok) store.set(path, next.value)
          setDraft({ text: event.target.value, value: next.ok ? next.value : value })
        }}
      />
      {problem !== '' && (
        <span className={styles.error} role="status">
          {problem}
        </span>
      )}
      {asJson && <QuietButton onClick={() => onJson(false)}>{texts.editWithTheField}</QuietButton>}
      <details>
        <summary className="note">Schema</summary>
        <TextBox maxHeight={220}>{schemaText(schema)}</TextBox>
      </details>
    </div>
  )
}

function sameValue(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || jsonEquals(left, right)
}

function schemaText(schema: unknown): string {
  const text = JSON.stringify(schema, null, 2) ?? ''
  return text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text
}
