/** JSON as text in the place of the editor, which an export does without (vite.config.ts puts it there). */
import type { JsonDiffProps, JsonEditorProps } from '../ui/json-editor/json-editor-props.ts'
import styles from './plain-json.module.css'

export function MonacoEditor({ text, label }: JsonEditorProps) {
  return <textarea className={styles.text} aria-label={label} spellCheck={false} readOnly value={text} />
}

export function MonacoDiff({ before, after, label }: JsonDiffProps) {
  return (
    <div className={styles.sides}>
      <textarea
        className={styles.text}
        aria-label={`${label}: before`}
        spellCheck={false}
        readOnly
        value={before}
      />
      <textarea
        className={styles.text}
        aria-label={`${label}: after`}
        spellCheck={false}
        readOnly
        value={after}
      />
    </div>
  )
}
