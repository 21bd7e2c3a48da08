import { type Ref, useId, useImperativeHandle, useRef } from 'react'
import type { ToolDetail } from '../../../core/api.ts'
import type { ValidationIssue } from '../../../core/invocation.ts'

export interface InputEditorHandle {
  focusFirstError(): void
}

interface InputEditorProps {
  readonly tool: ToolDetail
  readonly text: string
  readonly onTextChange: (text: string) => void
  readonly mode: 'form' | 'json'
  readonly issues: readonly ValidationIssue[]
  readonly onSubmit: () => void
  readonly ref?: Ref<InputEditorHandle>
}

/** The input as JSON text. */
export function InputEditor({ text, onTextChange, issues, ref }: InputEditorProps) {
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useImperativeHandle(ref, () => ({ focusFirstError: () => field.current?.focus() }))
  return (
    <div style={{ padding: 16, display: 'grid', gap: 6 }}>
      <label htmlFor={id}>Input</label>
      <textarea
        id={id}
        ref={field}
        rows={12}
        className="mono"
        style={{
          background: 'var(--pane)',
          border: '1px solid var(--control-line)',
          borderRadius: 6,
          padding: 8,
        }}
        value={text}
        onChange={event => onTextChange(event.target.value)}
      />
      {issues.map(issue => (
        <p key={`${issue.path} ${issue.keyword}`} style={{ color: 'var(--bad)' }}>
          {issue.path} {issue.message}
        </p>
      ))}
    </div>
  )
}
