import { lazy, Suspense } from 'react'
import type { JsonEditorProps } from './json-editor-props.ts'
import './json-editor.css'

const Monaco = lazy(async () => ({ default: (await import('./monaco-editor.tsx')).MonacoEditor }))

/** A JSON text in Monaco, loaded when it is first needed; until then a plain text field with the same text. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <div className="je">
      <Suspense fallback={<PlainEditor {...props} />}>
        <Monaco {...props} />
      </Suspense>
    </div>
  )
}

function PlainEditor({ text, label, onTextChange, readOnly }: JsonEditorProps) {
  return (
    <textarea
      className="je-plain"
      aria-label={label}
      spellCheck={false}
      readOnly={readOnly === true || !onTextChange}
      value={text}
      onChange={event => onTextChange?.(event.target.value)}
    />
  )
}
