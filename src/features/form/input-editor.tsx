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
import { DraftText } from './draft-text.ts'
import styles from './form.module.css'
import { controlOf, FormFocus, placesLeft } from './form-focus.ts'
import { FormTab } from './form-tab.tsx'

export interface InputEditorHandle {
  focusFirstError(): void
  /** Takes everything out, also what counts as left. */
  clear(): void
  /** The draft as it is this moment; what was typed last has then been passed to `onTextChange` too. */
  currentText(): string
}

export interface InputEditorProps {
  readonly tool: FormSubject
  /** What the form is called, for screen readers; "Input" unless given. */
  readonly label?: string | undefined
  /** The draft as exact JSON text; `''`: nothing entered yet. */
  readonly text: string
  /** The text in the place of each secret that was left out of the draft. */
  readonly secretMarker?: string | undefined
  readonly onTextChange: (text: string) => void
  readonly mode: 'form' | 'json'
  /** Shown at the fields they belong to. */
  readonly issues: readonly ValidationIssue[]
  /** Issues that are shown although nobody has left their fields: a call was tried with them. */
  readonly alwaysShown?: readonly ValidationIssue[] | undefined
  /** ⌘/Ctrl+Enter inside the JSON editor; elsewhere the key goes up to the page. */
  readonly onSubmit: () => void
  /** Replaces text that is not valid JSON by the last valid text; absent where there is none. */
  readonly onRestore?: (() => void) | undefined
  /** The focus was asked for, and the form has no field. */
  readonly onNoField?: (() => void) | undefined
  readonly ref?: Ref<InputEditorHandle>
}

const none: readonly ValidationIssue[] = []

/** One tool's input, as a form or as JSON text; both edit the same text. */
export function InputEditor(props: InputEditorProps) {
  const {
    tool,
    text,
    secretMarker,
    onTextChange,
    mode,
    issues,
    alwaysShown = none,
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
  // With every drawing: a text that was edited and then put back within one of them is the same as before to React.
  useLayoutEffect(() => draft.accept(text))
  useEffect(() => draft.store.setSecretMarker(secretMarker), [draft, secretMarker])
  useEffect(() => draft.store.setIssues(issues), [draft, issues])
  useEffect(() => draft.store.showAt(alwaysShown.map(({ path }) => path)), [draft, alwaysShown])
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
      // The button goes: the focus moves to what was restored, once it is drawn.
      requestAnimationFrame(() => {
        if (mode === 'json') jsonEditor.current?.focus()
        else if (host.current) controlOf(host.current)?.focus()
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
        {/* Only after a pause in typing: text is broken most of the time while it is typed. */}
        {!reading.ok && issues.some(({ keyword }) => keyword === 'json') && (
          <BrokenText restore={restore}>Invalid JSON: {reading.message}</BrokenText>
        )}
      </div>
    )
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for what its fields do
    <div
      className={styles.host}
      ref={host}
      onBlur={({ target, relatedTarget }) => {
        const places = placesLeft(target, relatedTarget)
        focus.afterPress(() => draft.store.showAt(places))
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

/** Moves the focus to the first field, or to the button that adds its first value. Returns false where there is none. */
function focusFirstField(host: HTMLElement | null): boolean {
  const adds = `[data-path]:not([data-path=""]) button.${styles.quiet}, button[data-add]`
  const field = host?.querySelector<HTMLElement>(`:is(${inputs}):not(:disabled), ${adds}`)
  const chosen = field?.closest('[role=radiogroup]')?.querySelector<HTMLElement>('input:checked')
  const target = chosen ?? field
  target?.focus()
  return target != null
}

/** Moves the focus to the first control, from the top, that has an issue; to its holder's where it is not drawn. */
function focusFirstError(host: HTMLElement | null, issues: readonly ValidationIssue[]): void {
  if (!host) return
  const wanted = new Set(issues.map(issue => nearestDrawn(host, issue.path)))
  const field = [...host.querySelectorAll<HTMLElement>('[data-path]')].find(element =>
    wanted.has(element.dataset.path),
  )
  const target = field && controlOf(field)
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
