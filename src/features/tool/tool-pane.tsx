import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { confirmReason } from '../../../core/tool/confirm-reason.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { AskedQuestion } from '../../../core/tool/question.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { type ToolTab, useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { commonTexts } from '../../ui/texts.ts'
import { defaultsText, exampleText } from '../form/draft.ts'
import { InputEditor, type InputEditorHandle } from '../form/input-editor.tsx'
import { type Suggest, SuggestContext } from '../form/suggestions.ts'
import { ActionBar } from './action-bar.tsx'
import { BriefMessage, noMessage, useBriefMessage } from './brief-message.tsx'
import { ConfirmCall } from './confirm-call.tsx'
import { CopyAs } from './copy-as.tsx'
import { useLinkedInput } from './input-link.ts'
import type { DraftContent } from './kept-drafts.ts'
import { texts } from './texts.ts'
import { ToolHead } from './tool-head.tsx'
import styles from './tool-pane.module.css'
import { ToolTabs } from './tool-tabs.tsx'
import { useDraft } from './use-draft.ts'
import { blockingIssues, isBlocking, useProblems } from './use-problems.ts'

/** How long a message stays that has to be read or answered. */
const messageMs = 20_000
const none: readonly AskedQuestion[] = []

/** The draft, for what stands in the place of its editor. */
export interface DraftAccess {
  /** The exact JSON text that a call would send now. */
  readonly text: string
  /** What is in the place of each secret that was left out of the text. */
  readonly secretMarker: string | undefined
  /** What the server asked in the last call with this text: the answers are saved too. */
  readonly asked: readonly AskedQuestion[]
  /** Replaces the draft and shows it. */
  readonly load: (content: DraftContent) => void
  /** The user asked to save it: its name gets the focus, and `onNaming` is called. */
  readonly isNaming: boolean
  readonly onNaming: () => void
}

/** What the last call had to say of the input it was given. */
export interface SentInput {
  readonly text: string
  readonly questions: readonly AskedQuestion[]
  readonly issues: readonly ValidationIssue[]
}

export interface ToolPaneProps {
  readonly tool: ToolDetail
  readonly call: ((inputText: string) => void) | undefined
  readonly cancel: () => void
  readonly running: boolean
  readonly sent: SentInput | undefined
  /** The agent's variables that go with a call. */
  readonly variables: Readonly<Record<string, string>> | undefined
  /** The body of the examples tab; absent where examples cannot be kept. */
  readonly examples: ((draft: DraftAccess) => ReactNode) | undefined
  /** The body of the versions tab; absent where no versions can be had. */
  readonly versions: ReactNode | undefined
  /** What else is to be known of the call, between the tool's head and its input. */
  readonly children?: ReactNode
}

/** The middle pane: the tool, its input, and what can be done with it. Give it the tool's ref as its key. */
export function ToolPane({ tool, call, cancel, running, sent, variables, ...parts }: ToolPaneProps) {
  const { examples, versions } = parts
  const { tab: wanted = 'form' } = useWorkbenchSearch()
  const isTool = tool.kind === undefined
  const ids = new Set<ToolTab>(['form'])
  if (tool.kind !== 'resource') ids.add('json')
  if (isTool) ids.add('reference')
  if (versions !== undefined) ids.add('versions')
  if (examples) ids.add('examples')
  const tab = ids.has(wanted) ? wanted : 'form'
  const go = useWorkbenchNavigate()
  const draft = useDraft(tool)
  const { text, secretMarker, lastValidText, setText } = draft
  /** What was wrong when a call was tried; undefined before the first try. */
  const [tried, setTried] = useState<readonly ValidationIssue[]>()
  const [isNaming, setNaming] = useState(false)
  const [confirming, setConfirming] = useState<string>()
  const editor = useRef<InputEditorHandle>(null)
  const actions = useRef<HTMLDivElement>(null)
  const found = useProblems(tool, draft)
  const { issues: reported, questions: asked = none } =
    sent && sent.text === textToSend(text) ? sent : { issues: undefined }
  const issues = useMemo(() => mergeIssues(found.issues, reported ?? []), [found.issues, reported])
  const callable = tool.callable ? call : undefined
  const withDefaults = useMemo(() => hasDefaults(tool), [tool])
  const isRefused = useRefusal('POST /api/invocations') !== undefined

  // A field may hold keys that have not reached the draft yet; in the other tabs there is no editor.
  const latestText = () => editor.current?.currentText() ?? text
  const brief = useBriefMessage()
  const restore = lastValidText
    ? () => replaceText(lastValidText, 'Restored the last valid input.')
    : undefined
  /** Says why an input cannot be sent at all. */
  const isBlocked = (latest: string): boolean => {
    const [issue] = blockingIssues({ text: latest, secretMarker })
    if (issue === undefined) return false
    brief.show(`Not sent: ${issue.path || 'the input'} ${issue.message}`, {
      forMs: messageMs,
      about: latest,
      action: restore && { label: 'Restore the last valid input', run: restore },
    })
    showProblem([issue])
    return true
  }
  const send = (latest: string) => {
    const inputText = textToSend(latest)
    if (confirmReason(tool) !== undefined) setConfirming(inputText)
    else callable?.(inputText)
  }
  /** The example that is being made: a call waits for it. */
  const filling = useRef<Promise<string | undefined>>(undefined)
  /** A second click while the input is validated is no second call. */
  const isTrying = useRef(false)
  const tryCall = async () => {
    if (!callable || running || isRefused || isTrying.current) return
    isTrying.current = true
    try {
      // Validate again: the text may have changed since the last validation.
      const latest = (await filling.current) ?? latestText()
      if (isBlocked(latest)) return
      const problems = await found.validate({ text: latest, secretMarker })
      setTried(problems)
      if (problems.length === 0) send(latest)
      else showProblem(problems)
    } finally {
      isTrying.current = false
    }
  }
  const sendAnyway = () => {
    const latest = latestText()
    if (!isBlocked(latest)) send(latest)
  }
  const showProblem = (problems = issues) => {
    setTried(problems)
    if (tab !== 'form' && tab !== 'json') go({ tab: undefined })
    // After the issues have reached the fields.
    requestAnimationFrame(() => editor.current?.focusFirstError())
  }
  /** Replaces the whole input; the way back is offered until the next change. */
  const replaceText = (next: string, message: string, nextMarker = secretMarker) => {
    const before = { text: latestText(), secretMarker }
    if (next === before.text) return
    draft.load({ text: next, secretMarker: nextMarker })
    const run = () => {
      draft.load(before)
      setTried(tried)
      brief.show('Undone.')
    }
    brief.show(message, { forMs: messageMs, about: next, action: { label: commonTexts.undo, run } })
  }
  const fillExample = async () => {
    const search = exampleText(tool)
    filling.current = search
    const slow = setTimeout(() => brief.show('Searching for an example…', { forMs: 10_000 }), 400)
    try {
      const example = await search
      brief.show(example === undefined ? 'No example found: few values match this schema.' : '')
      if (example !== undefined) replaceText(example, 'Filled with an example.')
    } finally {
      clearTimeout(slow)
      if (filling.current === search) filling.current = undefined
    }
  }
  const applyDefaults = () => replaceText(defaultsText(tool, latestText()), 'Filled in the defaults.')
  const reset = () => {
    replaceText('', 'Cleared the input.')
    editor.current?.clear()
    setTried(undefined)
  }
  useLinkedInput(linked => replaceText(linked.text, 'Filled from the link.', linked.secretMarker))
  const load = (next: DraftContent) => {
    replaceText(next.text, 'Loaded the example.', next.secretMarker)
    go({ tab: undefined })
  }
  const showExamples = () => {
    setNaming(true)
    go({ tab: 'examples' })
  }
  const suggest = useSuggest(tool)
  const { about = text } = brief.message
  useShortcut('call', tryCall, callable !== undefined)
  useShortcut('cancel', cancel, running)
  useShortcut('toggle-json', () => go({ tab: tab === 'json' ? undefined : 'json' }), ids.has('json'))
  useShortcut('fill-example', fillExample, tool.kind !== 'resource')
  useShortcut('reset', reset)
  useShortcut('save-example', showExamples, examples !== undefined)

  return (
    <section className={join('pane', styles.pane)} aria-label={texts.tool}>
      <ToolHead tool={tool}>
        {isTool && (
          <CopyAs
            tool={tool}
            variables={variables}
            secretMarker={secretMarker}
            asked={asked}
            currentText={latestText}
            onMessage={brief.show}
          />
        )}
      </ToolHead>
      {parts.children}
      <ToolTabs label="Input" tool={tool} ids={ids} tab={tab} versions={versions}>
        {tab === 'examples' &&
          examples?.({
            text: textToSend(text),
            secretMarker,
            asked,
            load,
            isNaming,
            onNaming: () => setNaming(false),
          })}
        {(tab === 'form' || tab === 'json') && (
          <SuggestContext value={suggest}>
            <InputEditor
              {...draft}
              ref={editor}
              tool={tool}
              onTextChange={setText}
              mode={tab}
              issues={issues}
              alwaysShown={reported ? issues : tried}
              onSubmit={tryCall}
              onRestore={restore}
              onNoField={() => actions.current?.querySelector('button')?.focus()}
            />
          </SuggestContext>
        )}
      </ToolTabs>
      <ActionBar
        ref={actions}
        tool={tool}
        onCall={callable && tryCall}
        onSendAnyway={issues.some(isBlocking) ? undefined : sendAnyway}
        onCancel={cancel}
        running={running}
        problems={tried || reported ? issues.length : 0}
        onShowProblem={() => showProblem()}
        onApplyDefaults={withDefaults ? applyDefaults : undefined}
        onFillExample={tool.kind === 'resource' ? undefined : fillExample}
        onSaveExample={tab === 'examples' || !examples ? undefined : showExamples}
        onReset={tool.kind === 'resource' ? undefined : reset}
      >
        <BriefMessage message={about === text ? brief.message : noMessage} testId="brief" />
      </ActionBar>
      {confirming !== undefined && (
        <ConfirmCall
          tool={tool}
          inputText={confirming}
          variables={variables}
          onClose={() => setConfirming(undefined)}
          onConfirm={inputText => {
            setConfirming(undefined)
            callable?.(inputText)
          }}
        />
      )}
    </section>
  )
}

/** The suggestions of the tool's server; undefined where it makes none. */
function useSuggest({ ref, completes }: ToolDetail): Suggest | undefined {
  const backend = useBackend()
  const isRefused = useRefusal('POST /api/completions') !== undefined
  return useMemo(() => {
    if (completes !== true || isRefused || !backend.has('POST /api/completions')) return undefined
    return async (argument, text, others) => {
      const body = { ref, argument, text, others }
      return (await backend.request('POST /api/completions', { body })).values
    }
  }, [backend, ref, completes, isRefused])
}

/** Cheap and generous: a field that is called `default` counts too. */
function hasDefaults(tool: ToolDetail): boolean {
  return JSON.stringify(tool.inputSchema).includes('"default":')
}

/** Nothing entered is an object without members. */
function textToSend(text: string): string {
  return text.trim() === '' ? '{}' : text
}

/** Both lists, the page's own words first; a place that both name is named once. */
function mergeIssues(own: SentInput['issues'], reported: SentInput['issues']): SentInput['issues'] {
  if (reported.length === 0) return own
  const places = new Set(own.map(issue => issue.path))
  return [...own, ...reported.filter(issue => !places.has(issue.path))]
}
