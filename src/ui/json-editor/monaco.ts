import 'monaco-editor/editor/contrib/bracketMatching/browser/bracketMatching.js'
import 'monaco-editor/editor/contrib/clipboard/browser/clipboard.js'
import 'monaco-editor/editor/contrib/find/browser/findController.js'
import 'monaco-editor/editor/contrib/folding/browser/folding.js'
import 'monaco-editor/editor/contrib/format/browser/formatActions.js'
import 'monaco-editor/editor/contrib/hover/browser/hoverContribution.js'
import 'monaco-editor/editor/contrib/linesOperations/browser/linesOperations.js'
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/editor/contrib/wordOperations/browser/wordOperations.js'
import * as monaco from 'monaco-editor/editor/editor.api.js'
import EditorWorker from 'monaco-editor/editor/editor.worker.js?worker'
import JsonWorker from 'monaco-editor/language/json/json.worker.js?worker'
import { jsonDefaults } from 'monaco-editor/language/json/monaco.contribution.js'
import type { JsonSchema } from '../../../core/tool/tool.ts'

/** Monaco for JSON only: the editor, the few contributions that a JSON text needs, and their workers. */

self.MonacoEnvironment = {
  getWorker: (_workerId, label) => (label === 'json' ? new JsonWorker() : new EditorWorker()),
}

const schemas = new Map<string, JsonSchema>()

/** Sets the schema for completion and markers of one model; nothing is fetched. `undefined` removes it. */
export function setModelSchema(modelUri: string, schema: JsonSchema | undefined): void {
  if (schema === undefined) schemas.delete(modelUri)
  else schemas.set(modelUri, schema)
  jsonDefaults.setDiagnosticsOptions({
    validate: true,
    allowComments: false,
    enableSchemaRequest: false,
    schemas: [...schemas].map(([uri, known]) => ({ uri: `schema:${uri}`, fileMatch: [uri], schema: known })),
  })
}

export { monaco }

/** Returns the options of all text editors. Tab moves to the next control, as everywhere on the page. */
export function textOptions(): monaco.editor.IStandaloneEditorConstructionOptions {
  return {
    tabFocusMode: true,
    // In forced colours Monaco would replace the page's theme by one that is unreadable on the page's background.
    autoDetectHighContrast: false,
    automaticLayout: true,
    minimap: { enabled: false },
    scrollBeyondLastLine: false,
    fontFamily: getComputedStyle(document.documentElement).getPropertyValue('--mono') || 'monospace',
    renderLineHighlight: 'none',
    overviewRulerLanes: 0,
    fixedOverflowWidgets: true,
    bracketPairColorization: { enabled: false },
    stickyScroll: { enabled: false },
    padding: { top: 8, bottom: 8 },
    // Text that is typed, pasted or inserted by a program stays exact.
    autoClosingBrackets: 'never',
    autoClosingQuotes: 'never',
    autoSurround: 'never',
    autoIndent: 'keep',
    acceptSuggestionOnCommitCharacter: false,
    formatOnPaste: false,
    formatOnType: false,
  }
}

/** A Monaco theme in the page's own colours, which follows `data-theme`. */

const name = 'toolscope'

/** Defines the theme from the page's variables, now and whenever it changes. Returns the function that stops it. */
export function followTheme(): () => void {
  const apply = () => {
    const style = getComputedStyle(document.documentElement)
    const color = (variable: string) => style.getPropertyValue(variable).trim()
    // Forced colours change the computed `color-scheme`, so the theme is read from its attribute.
    const dark = document.documentElement.dataset.theme === 'dark'
    const bare = (variable: string) => color(variable).replace('#', '')
    monaco.editor.defineTheme(name, {
      base: dark ? 'vs-dark' : 'vs',
      inherit: true,
      rules: [
        { token: 'string.key.json', foreground: bare('--key') },
        { token: 'string.value.json', foreground: bare('--str') },
        { token: 'number', foreground: bare('--num') },
        { token: 'keyword.json', foreground: bare('--num') },
      ].filter(rule => /^[0-9a-f]{6}$/i.test(rule.foreground)),
      colors: Object.fromEntries(
        Object.entries({
          'editor.background': color('--pane'),
          'editor.foreground': color('--text'),
          'editorLineNumber.foreground': color('--faint'),
          'editorWidget.background': color('--bg'),
          'editorWidget.border': color('--line-strong'),
          'editor.lineHighlightBackground': color('--sunken'),
          // Changed words have a border: a stronger background would hide their colours.
          'diffEditor.insertedLineBackground': color('--ok-soft'),
          'diffEditor.insertedTextBackground': color('--ok-soft'),
          'diffEditor.insertedTextBorder': color('--ok'),
          'diffEditor.removedLineBackground': color('--bad-soft'),
          'diffEditor.removedTextBackground': color('--bad-soft'),
          'diffEditor.removedTextBorder': color('--bad'),
          'diffEditor.unchangedRegionBackground': color('--sunken'),
          'diffEditor.unchangedRegionForeground': color('--muted'),
        }).filter(([, value]) => /^#[0-9a-f]{6}$/i.test(value)),
      ),
    })
    monaco.editor.setTheme(name)
  }
  apply()
  const observer = new MutationObserver(apply)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

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
