import { useEffect, useEffectEvent, useImperativeHandle, useRef } from 'react'
import styles from './json-editor.module.css'
import { type JsonEditorProps, tooLargeToColour } from './json-editor-props.ts'
import { followTheme, monaco, setModelSchema, syncText, type TextSync, textOptions } from './monaco.ts'

let models = 0

/** The editor itself; load it lazily through `JsonEditor`. Tab moves to the next control, as everywhere on the page. */
export function MonacoEditor(props: JsonEditorProps) {
  const { text, label, schema, readOnly = false } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined)
  const sync = useRef<TextSync>(undefined)
  const change = useEffectEvent((next: string) => props.onTextChange?.(next))
  const submit = useEffectEvent(() => props.onSubmit?.())

  useImperativeHandle(props.ref, () => ({
    focus(position) {
      if (position) {
        const { line: lineNumber, column } = position
        editor.current?.setPosition({ lineNumber, column })
        editor.current?.revealLineInCenterIfOutsideViewport(lineNumber)
      }
      editor.current?.focus()
    },
  }))

  useEffect(() => {
    if (!host.current) return
    const uri = monaco.Uri.parse(`inmemory://draft/${++models}.json`)
    const model = monaco.editor.createModel('', 'json', uri)
    model.updateOptions({ tabSize: 2, insertSpaces: true })
    const created = monaco.editor.create(host.current, {
      ...textOptions(),
      model,
      ariaLabel: label,
      readOnly,
      lineNumbersMinChars: 3,
      folding: true,
      fontSize: 12.5,
      lineHeight: 19,
      accessibilitySupport: 'auto',
    })
    editor.current = created
    const stopTheme = followTheme()
    sync.current = syncText(model, next => change(next))
    created.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter, () => submit())
    return () => {
      stopTheme()
      setModelSchema(uri.toString(), undefined)
      created.dispose()
      model.dispose()
      editor.current = undefined
    }
  }, [label, readOnly])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (!model) return
    sync.current?.set(text)
    monaco.editor.setModelLanguage(model, text.length > tooLargeToColour ? 'plaintext' : 'json')
  }, [text])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (model) setModelSchema(model.uri.toString(), schema)
  }, [schema])

  return <div ref={host} className={styles.host} data-json-editor />
}
