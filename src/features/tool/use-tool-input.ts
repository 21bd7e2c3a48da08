/** The input of a tool in its pane: its issues, its replacement as a whole, and the attempt to send it. */
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { isObject, type Json } from '../../../core/json/json.ts'
import { type JsonReading, readJson, writeJson } from '../../../core/json/json-text.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import { leftOutAt, leftOutMessage } from '../../../core/tool/left-out.ts'
import type { QuestionState } from '../../../core/tool/question.ts'
import { useBackend } from '../../api/backend.ts'
import { examplesQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { commonTexts } from '../../ui/texts.ts'
import { defaultsText, exampleText, findDraftIssues } from '../form/draft.ts'
import type { InputEditorHandle } from '../form/input-editor.tsx'
import type { useBriefMessage } from './action-bar.tsx'
import { mustConfirm } from './confirm-call.tsx'
import { useLinkedInput } from './input-link.ts'
import type { DraftContent, DraftControl } from './use-draft.ts'

/** Pause after the last keystroke before the input is validated. */
const debounceMs = 150
/** Display time of a message that the user has to read or answer. */
const messageMs = 20_000

const none: readonly ValidationIssue[] = []
const noQuestions: readonly QuestionState[] = []

/** The last call's input, with the questions and issues that the server reported. */
export interface SentInput {
  readonly text: string
  readonly questions: readonly QuestionState[]
  readonly issues: readonly ValidationIssue[]
}

/** Returns the text to send: an empty input is `{}`. */
export function toInputText(text: string): string {
  return text.trim() === '' ? '{}' : text
}

/** Validates an input in the page. If validation fails, only the left-out secrets count. */
async function findProblems(
  tool: ToolDetail,
  { text, secretMarker }: DraftContent,
): Promise<readonly ValidationIssue[]> {
  const reading = readJson(text)
  if (!reading.ok) return [textIssue(reading)]
  const leftOut = blockingIssues({ text, secretMarker })
  try {
    const issues = await findDraftIssues(tool, text)
    return [...leftOut, ...issues.filter(({ path }) => leftOut.every(issue => issue.path !== path))]
  } catch (error) {
    console.warn('The input could not be checked in the page', error)
    return leftOut
  }
}

/** Returns the issues that prevent any call: invalid JSON, and the marker of a secret that has to be entered again. */
function blockingIssues({ text, secretMarker }: DraftContent): readonly ValidationIssue[] {
  const reading = readJson(text)
  if (!reading.ok) return reading.reason === 'syntax' ? [textIssue(reading)] : none
  return leftOutAt(reading.value, secretMarker).map(path => ({
    path,
    keyword: 'secret',
    message: leftOutMessage,
  }))
}

/** Returns whether an issue is one that `blockingIssues` returns. */
export function isBlocking({ keyword }: ValidationIssue): boolean {
  return keyword === 'json' || keyword === 'secret'
}

function textIssue({ reason, message }: Exclude<JsonReading, { ok: true }>): ValidationIssue {
  if (reason === 'too-deep') return { path: '', keyword: 'depth', message: `is ${message}` }
  return { path: '', keyword: 'json', message: `is not valid JSON: ${message}` }
}

/** Returns the issues of the input, updated after a pause; `validate` returns those of an input immediately. */
function useProblems(tool: ToolDetail, { text, secretMarker }: DraftContent) {
  const [validated, setValidated] = useState({ tool, text: '', issues: none })
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const issues = await findProblems(tool, { text, secretMarker })
      if (current) setValidated({ tool, text, issues })
    }, debounceMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [tool, text, secretMarker])
  const validate = async (content: DraftContent) => {
    const issues = await findProblems(tool, content)
    setValidated({ tool, text: content.text, issues })
    return issues
  }
  return { issues: validated.tool === tool ? validated.issues : none, validate }
}

/** Merges both lists. For a location in both, only the page's own issues are kept. */
function mergeIssues(own: SentInput['issues'], reported: SentInput['issues']): SentInput['issues'] {
  if (reported.length === 0) return own
  const ownPaths = new Set(own.map(issue => issue.path))
  return [...own, ...reported.filter(issue => !ownPaths.has(issue.path))]
}

export interface ToolInputParts {
  readonly tool: ToolDetail
  readonly draft: DraftControl
  readonly editor: RefObject<InputEditorHandle | null>
  readonly brief: ReturnType<typeof useBriefMessage>
  /** The result of the last call; it applies while the input is the one that was sent. */
  readonly sent: SentInput | undefined
  /** Shows the editor. */
  readonly showEditor: () => void
}

/** Returns the issues of the input, the server's questions and the current text. */
export function useToolInput(parts: ToolInputParts) {
  const { tool, draft, editor, sent } = parts
  const { text } = draft
  /** The issues when a call was last tried; undefined before the first attempt. */
  const [tried, setTried] = useState<readonly ValidationIssue[]>()
  const problems = useProblems(tool, draft)
  const { issues: reported, questions = noQuestions } =
    sent && sent.text === toInputText(text) ? sent : { issues: undefined }
  const issues = useMemo(() => mergeIssues(problems.issues, reported ?? []), [problems.issues, reported])
  const showProblem = (found = issues) => {
    setTried(found)
    parts.showEditor()
    // Waits until the issues have reached the fields.
    requestAnimationFrame(() => editor.current?.focusFirstError())
  }
  return {
    issues,
    questions,
    tried,
    setTried,
    /** Whether fields are marked as invalid: only after a call was tried. */
    isMarked: tried !== undefined || reported !== undefined,
    marked: reported ? issues : tried,
    validate: problems.validate,
    showProblem,
    // A field may have keystrokes that have not reached the draft yet. Other tabs have no editor.
    currentText: () => editor.current?.currentText() ?? text,
  }
}

type ToolInput = ReturnType<typeof useToolInput>

/** Returns a function that reads the inputs of the tool's examples that are expected to succeed; none without a store. */
function useSavedInputs({ ref }: ToolDetail) {
  const backend = useBackend()
  const client = useQueryClient()
  return async (): Promise<readonly Json[]> => {
    if (!backend.has('GET /api/examples')) return []
    // Imported on demand, because it brings a parser.
    const { readExample } = await import('../../../core/checks/example.ts')
    const list = await client.fetchQuery(examplesQuery(backend, ref)).catch(() => undefined)
    return (list?.examples ?? []).flatMap(({ text }) => {
      const reading = readExample(text)
      if (!reading.ok) return []
      const { input = null, secretMarker, expect } = reading.example
      const isUsable = secretMarker === undefined && !(expect && ('fails' in expect || 'refuses' in expect))
      return isUsable && !writeJson(input).includes('${env:') ? [input] : []
    })
  }
}

function hasFields({ inputSchema }: ToolDetail): boolean {
  return (
    isObject(inputSchema) &&
    isObject(inputSchema.properties) &&
    Object.keys(inputSchema.properties).length > 0
  )
}

/** Returns the functions that replace the whole input. Each can be undone until the next change. */
export function useInputChanges(
  { tool, draft, editor, brief, showEditor }: ToolInputParts,
  input: ToolInput,
) {
  const { secretMarker, lastValidText } = draft
  const { tried, setTried } = input
  const replaceText = (next: string, message: string, nextMarker = secretMarker) => {
    const before = { text: input.currentText(), secretMarker }
    if (next === before.text) return
    draft.load({ text: next, secretMarker: nextMarker })
    const run = () => {
      draft.load(before)
      setTried(tried)
      brief.show('Undone.')
    }
    brief.show(message, { forMs: messageMs, about: next, action: { label: commonTexts.undo, run } })
  }
  /** The pending search for an example: a call waits for it. */
  const filling = useRef<Promise<string | undefined>>(undefined)
  const readSaved = useSavedInputs(tool)
  const fill = async (optional: 'none' | 'all') => {
    const search = readSaved().then(saved => exampleText(tool, optional, saved))
    filling.current = search
    const slow = setTimeout(() => brief.show('Searching for an example…', { forMs: 10_000 }), 400)
    try {
      const example = await search
      brief.show(example === undefined ? 'No example found: few values match this schema.' : '')
      if (example === undefined) return
      if (example === '{}' && optional === 'none' && hasFields(tool))
        brief.show('No field is required, so the example is empty.', {
          forMs: messageMs,
          action: { label: 'Fill all', run: () => fill('all') },
        })
      else replaceText(example, 'Filled with an example.')
    } finally {
      clearTimeout(slow)
      if (filling.current === search) filling.current = undefined
    }
  }
  useLinkedInput(linked => replaceText(linked.text, 'Filled from the link.', linked.secretMarker))
  return {
    filling,
    fillExample: () => fill('none'),
    fillAll: () => fill('all'),
    applyDefaults: () => replaceText(defaultsText(tool, input.currentText()), 'Filled in the defaults.'),
    reset() {
      replaceText('', 'Cleared the input.')
      editor.current?.clear()
      setTried(undefined)
    },
    load(next: DraftContent) {
      replaceText(next.text, 'Loaded the example.', next.secretMarker)
      showEditor()
    },
    restore: lastValidText ? () => replaceText(lastValidText, 'Restored the last valid input.') : undefined,
  }
}

/** Tries to call the tool. Shows blocking issues at their fields, and asks for confirmation if the tool needs it. */
export function useCallAttempt(
  { tool, draft: { secretMarker }, brief }: ToolInputParts,
  input: ToolInput,
  { filling, restore }: ReturnType<typeof useInputChanges>,
  { call, running }: { readonly call: ((inputText: string) => void) | undefined; readonly running: boolean },
) {
  const [confirming, setConfirming] = useState<string>()
  const isRefused = useRefusal('POST /api/invocations') !== undefined
  /** Prevents a second call by a second click while the input is validated. */
  const isTrying = useRef(false)
  /** Returns whether an input cannot be sent, and shows the reason. */
  const isBlocked = (text: string): boolean => {
    const [issue] = blockingIssues({ text, secretMarker })
    if (issue === undefined) return false
    brief.show(`Not sent: ${issue.path || 'the input'} ${issue.message}`, {
      forMs: messageMs,
      about: text,
      action: restore && { label: 'Restore the last valid input', run: restore },
    })
    input.showProblem([issue])
    return true
  }
  const send = (text: string) => {
    const inputText = toInputText(text)
    if (mustConfirm(tool)) setConfirming(inputText)
    else call?.(inputText)
  }
  const tryCall = async () => {
    if (!call || running || isRefused || isTrying.current) return
    isTrying.current = true
    try {
      // Validate again: the text may have changed since the last validation.
      const text = (await filling.current) ?? input.currentText()
      if (isBlocked(text)) return
      const problems = await input.validate({ text, secretMarker })
      input.setTried(problems)
      if (problems.length === 0) send(text)
      else input.showProblem(problems)
    } finally {
      isTrying.current = false
    }
  }
  return {
    tryCall,
    sendAnyway() {
      const text = input.currentText()
      if (!isBlocked(text)) send(text)
    },
    confirming,
    closeConfirm: () => setConfirming(undefined),
  }
}
