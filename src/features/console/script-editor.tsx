import { lazy, Suspense } from 'react'
import type { ScriptEditorProps } from './monaco-script.tsx'
import styles from './script-editor.module.css'
import { texts } from './texts.ts'

const MonacoScript = lazy(async () => ({ default: (await import('./monaco-script.tsx')).MonacoScript }))

/** A script in Monaco, loaded when the console opens; until then a plain text field with the same text. */
export function ScriptEditor(props: ScriptEditorProps) {
  const { text, onChange } = props
  return (
    <div className={styles.editor} data-testid="script-editor">
      <Suspense
        fallback={
          <textarea
            className={styles.plain}
            aria-label={texts.script}
            spellCheck={false}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        }
      >
        <MonacoScript {...props} />
      </Suspense>
    </div>
  )
}
