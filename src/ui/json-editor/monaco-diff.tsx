import { useEffect, useRef } from 'react'
import styles from './json-editor.module.css'
import { type JsonDiffProps, tooLargeToColour } from './json-editor-props.ts'
import { followTheme, monaco, textOptions } from './monaco.ts'

let models = 0

/** The diff editor itself; load it lazily through `JsonDiff`. It has two columns if they fit, otherwise one. */
export function MonacoDiff({ before, after, label }: JsonDiffProps) {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!host.current) return
    const language = before.length + after.length > tooLargeToColour ? 'plaintext' : 'json'
    models += 1
    const model = (side: string, text: string) => {
      const uri = monaco.Uri.parse(`inmemory://diff/${models}/${side}.json`)
      const made = monaco.editor.createModel(text, language, uri)
      made.updateOptions({
        bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
      })
      return made
    }
    const original = model('before', before)
    const modified = model('after', after)
    const editor = monaco.editor.createDiffEditor(host.current, {
      ...textOptions(),
      padding: { top: 0, bottom: 0 },
      readOnly: true,
      originalEditable: false,
      renderSideBySide: true,
      useInlineViewWhenSpaceIsLimited: true,
      renderSideBySideInlineBreakpoint: 700,
      hideUnchangedRegions: { enabled: true, contextLineCount: 4 },
      renderMarginRevertIcon: false,
      maxComputationTime: 2_000,
      fontSize: 12,
      lineHeight: 18,
      renderOverviewRuler: false,
      renderValidationDecorations: 'off',
    })
    editor.setModel({ original, modified })
    keepName(editor.getOriginalEditor(), `${label}, before`)
    keepName(editor.getModifiedEditor(), `${label}, after`)
    const stopTheme = followTheme()
    return () => {
      stopTheme()
      for (const part of [editor, original, modified]) part.dispose()
    }
  }, [before, after, label])
  return <div ref={host} className={styles.host} data-json-diff />
}

/**
 * Sets the accessible name: the diff editor's own options do not reach the text areas, and it drops them when the
 * columns change.
 */
function keepName(editor: monaco.editor.ICodeEditor, ariaLabel: string): void {
  const setName = () => {
    if (editor.getOption(monaco.editor.EditorOption.ariaLabel) !== ariaLabel)
      editor.updateOptions({ ariaLabel })
  }
  setName()
  editor.onDidChangeConfiguration(setName)
}
