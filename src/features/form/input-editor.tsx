import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { pointerSegments, toPointer } from '../../../core/json/pointer.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import { Button } from '../../ui/button.tsx'
import { useInputFocus } from '../../ui/input-focus.ts'
import { join } from '../../ui/join.ts'
import { JsonEditor } from '../../ui/json-editor/json-editor.tsx'
import type { JsonEditorHandle } from '../../ui/json-editor/json-editor-props.ts'
import type { FormSubject } from './draft.ts'
import { DraftText } from './draft-store.ts'
import styles from './form.module.css'
import { FormFocus, findControl, listLeftPaths } from './form-focus.ts'
import { FormTab } from './form-tab.tsx'

export interface InputEditorHandle {
  focusFirstError(): void
  /** Empties the draft and forgets which fields the user has left. */
  clear(): void
  /** Returns the current draft, after it passes pending edits to `onTextChange`. */
  currentText(): string
}

export interface InputEditorProps {
  readonly tool: FormSubject
  /** The form's accessible name; "Input" by default. */
  readonly label?: string | undefined
  /** The draft as exact JSON text; `''` if nothing was entered. */
  readonly text: string
  /** The placeholder text of each secret that was left out of the draft. */
  readonly secretMarker?: string | undefined
  readonly onTextChange: (text: string) => void
  readonly mode: 'form' | 'json'
  /** Shown at their fields. */
  readonly issues: readonly ValidationIssue[]
  /** Issues that are shown before the user has left their fields, because a call was tried. */
  readonly visibleIssues?: readonly ValidationIssue[] | undefined
  /** Handles ⌘/Ctrl+Enter in the JSON editor; elsewhere the page handles the key. */
  readonly onSubmit: () => void
  /** Replaces invalid JSON with the last valid text; absent without a last valid text. */
  readonly onRestore?: (() => void) | undefined
  /** Called when the focus is requested but the form has no field. */
  readonly onNoField?: (() => void) | undefined
  readonly ref?: Ref<InputEditorHandle>
}

const none: readonly ValidationIssue[] = []

/** The input of one tool, as a form or as JSON text; both edit the same text. */
export function InputEditor(props: InputEditorProps) {
  const {
    tool,
    text,
    secretMarker,
    onTextChange,
    mode,
    issues,
    visibleIssues = none,
    label = 'Input',
    onSubmit,
    onRestore,
    onNoField,
    ref,
  } = props
  const schema = useMemo(() => callerSchema(tool.inputSchema), [tool.inputSchema])
  const host = useRef<HTMLDivElement>(null)
  const jsonEditor = useRef<JsonEditorHandle>(null)
  const emitText = useEffectEvent(onTextChange)
  const [draft, setDraft] = useState(() => new DraftText(text))
  const [drawn, setDrawn] = useState(tool.ref)
  if (drawn !== tool.ref) {
    setDrawn(tool.ref)
    setDraft(new DraftText(text))
  }
  const [focus] = useState(() => new FormFocus())
  const idPrefix = `f${useId().replace(/\W/g, '')}`

  useEffect(() => draft.onText(next => emitText(next)), [draft])
  // Runs after every render: React does not notice a text that was edited and restored between two renders.
  useLayoutEffect(() => draft.accept(text))
  useEffect(() => draft.store.setSecretMarker(secretMarker), [draft, secretMarker])
  useEffect(() => draft.store.setIssues(issues), [draft, issues])
  useEffect(() => draft.store.showAt(visibleIssues.map(({ path }) => path)), [draft, visibleIssues])
  useEffect(() => (mode === 'form' && host.current ? focus.follow(host.current) : undefined), [focus, mode])
  const reading = draft.read(text)
  useImperativeHandle(ref, () => ({
    focusFirstError() {
      if (mode === 'form') focusFirstError(host.current, issues)
      else jsonEditor.current?.focus(!reading.ok && reading.reason === 'syntax' ? reading : undefined)
    },
    clear: () => draft.clear(),
    currentText: () => draft.flush(),
  }))
  useInputFocus(tool.ref, () => {
    if (mode === 'json') jsonEditor.current?.focus()
    else if (!focusFirstField(host.current)) onNoField?.()
  })
  const restore =
    onRestore &&
    (() => {
      onRestore()
      // The button is removed, so the focus moves to the restored input once it is drawn.
      requestAnimationFrame(() => {
        if (mode === 'json') jsonEditor.current?.focus()
        else if (host.current) findControl(host.current)?.focus()
      })
    })

  if (mode === 'json')
    return (
      <div className={join(styles.host, styles.hostJson)} ref={host}>
        <JsonEditor
          ref={jsonEditor}
          label={`Input of ${tool.name} as JSON`}
          text={text}
          schema={schema}
          onTextChange={onTextChange}
          onSubmit={onSubmit}
        />
        {/* Shown only after a pause: text is usually invalid while the user types. */}
        {!reading.ok && issues.some(({ keyword }) => keyword === 'json') && (
          <BrokenText restore={restore}>Invalid JSON: {reading.message}</BrokenText>
        )}
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for events of its fields
    <div
      className={styles.host}
      ref={host}
      onBlur={({ target, relatedTarget }) => {
        const paths = listLeftPaths(target, relatedTarget)
        focus.afterPress(() => draft.store.showAt(paths))
        draft.flush()
      }}
      onKeyDownCapture={event => {
        if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) draft.flush()
      }}
    >
      {reading.ok ? (
        <FormTab
          key={tool.ref}
          schema={schema}
          store={draft.store}
          focus={focus}
          idPrefix={idPrefix}
          uiSchema={tool.uiSchema}
          label={label}
        />
      ) : (
        <BrokenText restore={restore}>
          {reading.reason === 'syntax'
            ? `The JSON tab holds invalid JSON: ${reading.message}`
            : `This input is ${reading.message}, too large for the form. Edit it in the JSON tab.`}
        </BrokenText>
      )}
    </div>
  )
}

interface BrokenTextProps {
  readonly restore: (() => void) | undefined
  readonly children: ReactNode
}

function BrokenText({ restore, children }: BrokenTextProps) {
  return (
    <div className={join('notice small row wrap', styles.brokenText)}>
      <span role="status">{children}</span>
      {restore && <Button onClick={restore}>Restore the last valid input</Button>}
    </div>
  )
}

const inputs = 'input:not([tabindex="-1"]):not([hidden]), select, textarea'

/** Focuses the first field, or the button that adds its first value. Returns false if the form has neither. */
function focusFirstField(host: HTMLElement | null): boolean {
  const adds = `[data-path]:not([data-path=""]) button.${styles.quiet}, button[data-add]`
  const field = host?.querySelector<HTMLElement>(`:is(${inputs}):not(:disabled), ${adds}`)
  const chosen = field?.closest('[role=radiogroup]')?.querySelector<HTMLElement>('input:checked')
  const target = chosen ?? field
  target?.focus()
  return target != null
}

/** Focuses the first control with an issue, from the top; its parent's control if it is not drawn. */
function focusFirstError(host: HTMLElement | null, issues: readonly ValidationIssue[]): void {
  if (!host) return
  const wanted = new Set(issues.map(issue => nearestDrawn(host, issue.path)))
  const field = [...host.querySelectorAll<HTMLElement>('[data-path]')].find(element =>
    wanted.has(element.dataset.path),
  )
  const target = field && findControl(field)
  target?.focus()
  target?.scrollIntoView({ block: 'center' })
}

function nearestDrawn(host: HTMLElement, pointer: string): string | undefined {
  const segments = pointerSegments(pointer)
  for (let length = segments.length; length > 0; length--) {
    const candidate = toPointer(segments.slice(0, length))
    if (host.querySelector(`[data-path="${CSS.escape(candidate)}"]`)) return candidate
  }
  return segments.length === 0 ? '' : undefined
}
