import 'monaco-editor/editor/contrib/placeholderText/browser/placeholderText.contribution.js'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ConsoleCommand } from '../../../core/api/scripts.ts'
import { useBackend } from '../../api/backend.ts'
import { toolQuery } from '../../api/queries.ts'
import { followTheme, monaco, syncText, type TextSync, textOptions } from '../../ui/json-editor/monaco.ts'
import { type CompletionItem, completionsAt, targetAt } from './completion.ts'
import { readHistory, stepHistory } from './console-state.ts'
import styles from './script-editor.module.css'
import { shellTokens } from './shell-tokens.ts'
import { texts } from './texts.ts'

const language = 'toolscope-script'
monaco.languages.register({ id: language })
// A command or a flag is one word with its dashes, so typing on does not close the list of completions.
monaco.languages.setLanguageConfiguration(language, { wordPattern: /[^\s'"$`|&;()<>=]+/g })

/** Longer scripts have no colours: to tokenize them after every key would take too long. */
const maxColouredCharacters = 50_000

export interface ScriptEditorProps {
  readonly text: string
  readonly onChange: (text: string) => void
  /** Handles ⌘/Ctrl+Enter, which the editor would otherwise consume. */
  readonly onRun: (script: string) => void
  readonly commands: readonly ConsoleCommand[]
  readonly names: ReadonlySet<string>
}

/** The editor itself; load it lazily through `ScriptEditor`. It completes commands, flags and values. */
export function MonacoScript(props: ScriptEditorProps) {
  const { text, commands, names } = props
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<monaco.editor.IStandaloneCodeEditor>(undefined)
  const sync = useRef<TextSync>(undefined)
  const colours = useRef<monaco.editor.IEditorDecorationsCollection>(undefined)
  const backend = useBackend()
  const client = useQueryClient()
  const change = useEffectEvent((next: string) => props.onChange(next))
  const run = useEffectEvent((script: string) => props.onRun(script))

  const complete = useEffectEvent(async (script: string, caret: number) => {
    const target = targetAt(script, caret)
    if (target === undefined) return []
    const command = target.kind === 'command' ? undefined : target.command
    const ref = commands.find(each => each.command === command)?.ref
    const tool = ref === undefined ? undefined : await client.fetchQuery(toolQuery(backend, ref))
    return completionsAt(target, commands, tool).map(item => ({ ...item, from: target.from }))
  })

  useEffect(() => {
    if (!host.current) return
    const model = monaco.editor.createModel('', language)
    model.setEOL(monaco.editor.EndOfLineSequence.LF)
    const created = monaco.editor.create(host.current, {
      ...textOptions(),
      model,
      ariaLabel: texts.script,
      placeholder: 'api_greet --name Ada | jq -r .greeting',
      wordWrap: 'on',
      lineNumbers: 'off',
      folding: false,
      lineDecorationsWidth: 8,
      fontSize: 13,
      lineHeight: 20,
      wordBasedSuggestions: 'off',
      acceptSuggestionOnEnter: 'smart',
      suggest: { showIcons: false, showStatusBar: false },
    })
    editor.current = created
    colours.current = created.createDecorationsCollection()
    const completion = monaco.languages.registerCompletionItemProvider(language, {
      triggerCharacters: ['='],
      async provideCompletionItems(_model, position) {
        const items = await complete(model.getValue(), model.getOffsetAt(position))
        const suggestions = items.map((item, index) => toSuggestion(item, index, model, position))
        return { suggestions, incomplete: true }
      },
    })
    sync.current = syncText(model, (script, { changes }) => {
      change(script)
      // A space after a flag offers its values. As a trigger character it would close the list for the next word.
      const typed = changes.length === 1 && changes[0]?.text === ' ' ? changes[0] : undefined
      if (typed !== undefined && targetAt(script, typed.rangeOffset + 1)?.kind === 'value')
        created.trigger('script', 'editor.action.triggerSuggest', { auto: true })
    })
    created.addAction({
      id: 'script.run',
      label: texts.runTheScript,
      keybindings: [monaco.KeyMod.CtrlCmd | monaco.KeyCode.Enter],
      run: () => run(model.getValue()),
    })
    addHistory(created, model)
    const stopTheme = followTheme()
    return () => {
      stopTheme()
      completion.dispose()
      created.dispose()
      model.dispose()
      editor.current = undefined
    }
  }, [])

  useEffect(() => {
    const model = editor.current?.getModel()
    if (!model) return
    sync.current?.set(text)
    colours.current?.set(text.length > maxColouredCharacters ? [] : colourTokens(model, text, names))
  }, [text, names])

  return <div ref={host} className={styles.host} />
}

/** Replaces the whole script in one step that the user can undo. */
function replaceText(model: monaco.editor.ITextModel, text: string): void {
  model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null)
}

/** Arrow up on the first line and arrow down on the last one step through the earlier scripts. */
function addHistory(editor: monaco.editor.IStandaloneCodeEditor, model: monaco.editor.ITextModel): void {
  let browsing: { readonly at: number; readonly draft: string } | undefined
  let isBrowsing = false
  const onFirst = editor.createContextKey<boolean>('scriptOnFirstLine', true)
  const onLast = editor.createContextKey<boolean>('scriptOnLastLine', true)
  editor.onDidChangeCursorPosition(({ position }) => {
    onFirst.set(position.lineNumber === 1)
    onLast.set(position.lineNumber === model.getLineCount())
  })
  model.onDidChangeContent(() => {
    if (!isBrowsing) browsing = undefined
  })
  const browse = (step: -1 | 1) => {
    const history = readHistory()
    const { at, draft } = browsing ?? { at: history.length, draft: model.getValue() }
    const next = stepHistory(history, at, step)
    if (next === undefined) return
    isBrowsing = true
    replaceText(model, next.text ?? draft)
    isBrowsing = false
    browsing = next.text === undefined ? undefined : { at: next.at, draft }
    editor.setPosition(step < 0 ? { lineNumber: 1, column: 1 } : model.getFullModelRange().getEndPosition())
  }
  const whileClosed = 'editorTextFocus && !suggestWidgetVisible && !editorHasSelection'
  editor.addAction({
    id: 'script.history.previous',
    label: 'Previous script',
    keybindings: [monaco.KeyCode.UpArrow],
    precondition: `${whileClosed} && scriptOnFirstLine`,
    run: () => browse(-1),
  })
  editor.addAction({
    id: 'script.history.next',
    label: 'Next script',
    keybindings: [monaco.KeyCode.DownArrow],
    precondition: `${whileClosed} && scriptOnLastLine`,
    run: () => browse(1),
  })
}

function colourTokens(
  model: monaco.editor.ITextModel,
  text: string,
  names: ReadonlySet<string>,
): monaco.editor.IModelDeltaDecoration[] {
  return shellTokens(text).flatMap(({ kind, text: part, at }) => {
    const className = kind === 'command' && names.has(part) ? styles.tool : styles[kind]
    if (className === undefined) return []
    return { range: toMonacoRange(model, at, at + part.length), options: { inlineClassName: className } }
  })
}

function toSuggestion(
  { insert, label, detail, from }: CompletionItem & { readonly from: number },
  index: number,
  model: monaco.editor.ITextModel,
  position: monaco.Position,
): monaco.languages.CompletionItem {
  return {
    label: { label, ...(detail === undefined ? {} : { description: detail }) },
    kind: monaco.languages.CompletionItemKind.Function,
    insertText: insert,
    filterText: label,
    sortText: String(index).padStart(4, '0'),
    range: toMonacoRange(model, from, model.getOffsetAt(position)),
    // Suggest the flags after a command, and the values after a flag.
    ...(insert.endsWith(' ')
      ? { command: { id: 'editor.action.triggerSuggest', title: 'Suggest', arguments: [{ auto: true }] } }
      : {}),
  }
}

function toMonacoRange(model: monaco.editor.ITextModel, from: number, to: number): monaco.Range {
  return monaco.Range.fromPositions(model.getPositionAt(from), model.getPositionAt(to))
}
