import type { monaco } from './monaco.ts'

export interface TextSync {
  /** Shows `text` as one step that can be undone. */
  set(text: string): void
}

/**
 * Keeps a model in sync with a text that React holds. React may render a text after the user has typed further, so a
 * text that came from the model is never written back into it.
 */
export function syncText(
  model: monaco.editor.ITextModel,
  onChange: (text: string, event: monaco.editor.IModelContentChangedEvent) => void,
): TextSync {
  let reported: string[] = []
  let isSetting = false
  model.onDidChangeContent(event => {
    if (isSetting) return
    const text = model.getValue()
    reported.push(text)
    onChange(text, event)
  })
  return {
    set(text) {
      const at = reported.lastIndexOf(text)
      reported = reported.slice(at + 1)
      if (at >= 0 || model.getValue() === text) return
      reported = []
      isSetting = true
      model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
      isSetting = false
    },
  }
}
