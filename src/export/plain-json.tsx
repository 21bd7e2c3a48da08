/** JSON as text in the place of the editor, which an export does without (vite.config.ts puts it there). */
import type { JsonDiffProps, JsonEditorProps } from '../ui/json-editor/json-editor-props.ts'
import styles from './plain-json.module.css'

export function MonacoEditor({ text, label }: Pick<JsonEditorProps, 'text' | 'label'>) {
  return <textarea className={styles.text} aria-label={label} spellCheck={false} readOnly value={text} />
}

export function MonacoDiff({ before, after, label }: JsonDiffProps) {
  return (
    <div className={styles.sides}>
      <MonacoEditor label={`${label}: before`} text={before} />
      <MonacoEditor label={`${label}: after`} text={after} />
    </div>
  )
}
