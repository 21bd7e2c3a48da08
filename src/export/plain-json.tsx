/** Shows JSON as text: replaces the editor, which an export omits (see vite.config.ts). */
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
