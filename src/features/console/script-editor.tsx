import { lazy, Suspense } from 'react'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import styles from './script-editor.module.css'

const MonacoScript = lazy(async () => ({ default: (await import('./monaco-script.tsx')).MonacoScript }))

export interface ScriptEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** ⌘/Ctrl+Enter inside the editor, which the editor would otherwise keep to itself. */
  readonly onRun: (script: string) => void
  readonly commands: readonly ConsoleCommand[]
  readonly names: ReadonlySet<string>
}

/** A script in Monaco, loaded when the console opens; until then a plain text field with the same text. */
export function ScriptEditor(props: ScriptEditorProps) {
  const { text, onChange } = props
  return (
    <div className={styles.editor} data-testid="script-editor">
      <Suspense
        fallback={
          <textarea
            className={styles.plain}
            aria-label="Script"
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
