/** One tool's form on the page, embedded as in the application. */
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { ToolDetail } from '../../../../core/api/catalog.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import type { Json } from '../../../../core/json/json.ts'
import { readJson } from '../../../../core/json/json-text.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { InputEditor, type InputEditorHandle } from '../input-editor.tsx'

export interface Mounted {
  readonly element: HTMLElement
  /** Returns the draft after all typed text was applied. */
  value(): Json | undefined
  text(): string
  load(text: string): void
  unmount(): void
}

interface Control {
  handle: InputEditorHandle | null
  setText: (text: string) => void
}

interface PageProps {
  readonly tool: ToolDetail
  readonly start: string
  readonly control: Control
  readonly issues: readonly ValidationIssue[]
}

/** The state that the application keeps around the editor. */
function Page({ tool, start, control, issues }: PageProps) {
  const [text, setText] = useState(start)
  const handle = useRef<InputEditorHandle>(null)
  useEffect(() => {
    control.handle = handle.current
    control.setText = setText
  })
  return (
    <InputEditor
      ref={handle}
      tool={tool}
      text={text}
      onTextChange={setText}
      mode="form"
      issues={issues}
      onSubmit={() => {}}
    />
  )
}

/** Mounts the form and waits until it is laid out. */
export function mount(
  schema: JsonSchema,
  text: string,
  issues: readonly ValidationIssue[] = [],
): Mounted & { readonly ms: number } {
  const host = document.getElementById('root')
  if (!host) throw new Error('no root')
  const element = document.createElement('div')
  host.append(element)
  const root = createRoot(element)
  const control: Control = { handle: null, setText: () => {} }
  const tool: ToolDetail = {
    ref: 'bench/tool',
    source: 'bench',
    index: 0,
    callable: true,
    name: 'tool',
    inputSchema: schema,
    schemaHash: 'bench',
  }

  const started = performance.now()
  flushSync(() => root.render(<Page tool={tool} start={text} control={control} issues={issues} />))
  element.getBoundingClientRect()
  const ms = performance.now() - started
  const textNow = () => control.handle?.currentText() ?? text
  let read: { readonly text: string; readonly value: Json | undefined } | undefined
  return {
    element,
    ms,
    text: textNow,
    value: () => {
      const now = textNow()
      if (read?.text !== now) read = { text: now, value: readJsonValue(now) }
      return read.value
    },
    load: next => flushSync(() => control.setText(next)),
    unmount: () => {
      root.unmount()
      element.remove()
    },
  }
}

/** Whether two inputs are equal as JSON; no input equals an empty object, which is sent for it. */
export function sameInput(left: Json | undefined, right: Json | undefined): boolean {
  return jsonEquals(left ?? {}, right ?? {})
}

/** Returns the value of a text; `undefined` if it is not JSON. */
export function readJsonValue(text: string): Json | undefined {
  const reading = readJson(text)
  return reading.ok ? reading.value : undefined
}
