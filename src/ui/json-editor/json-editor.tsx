import { lazy, Suspense, useImperativeHandle, useRef } from 'react'
import { Loading } from '../badge.tsx'
import styles from './json-editor.module.css'
import type { JsonDiffProps, JsonEditorProps } from './json-editor-props.ts'

const Monaco = lazy(async () => ({ default: (await import('./monaco-editor.tsx')).MonacoEditor }))

/** A JSON text in Monaco, which is loaded when it is first needed; until then a text area with the same text. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <div className={styles.box}>
      <Suspense fallback={<PlainEditor {...props} />}>
        <Monaco {...props} />
      </Suspense>
    </div>
  )
}

function PlainEditor({ text, label, onTextChange, readOnly, ref }: JsonEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }))
  return (
    <textarea
      ref={field}
      className={styles.plain}
      aria-label={label}
      spellCheck={false}
      readOnly={readOnly === true || !onTextChange}
      value={text}
      onChange={event => onTextChange?.(event.target.value)}
    />
  )
}

const MonacoDiff = lazy(async () => ({ default: (await import('./monaco-diff.tsx')).MonacoDiff }))

/** Two JSON texts next to each other in Monaco, which is loaded when it is first needed. Read-only. */
export function JsonDiff(props: JsonDiffProps) {
  return (
    <div className={styles.box}>
      <Suspense fallback={<Loading />}>
        <MonacoDiff {...props} />
      </Suspense>
    </div>
  )
}
