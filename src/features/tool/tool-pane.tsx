import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import type { QuestionState } from '../../../core/tool/question.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { type ToolTab, useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { InputEditor, type InputEditorHandle } from '../form/input-editor.tsx'
import { type Suggest, SuggestContext } from '../form/suggestions.ts'
import { ActionBar, BriefMessage, noMessage, useBriefMessage } from './action-bar.tsx'
import { ConfirmCall } from './confirm-call.tsx'
import { CopyAs } from './copy-as.tsx'
import { TimeLimit } from './time-limit.tsx'
import { ToolHead } from './tool-head.tsx'
import styles from './tool-pane.module.css'
import { ToolTabs } from './tool-tabs.tsx'
import { type DraftContent, useDraft } from './use-draft.ts'
import {
  isBlocking,
  type SentInput,
  toInputText,
  useCallAttempt,
  useInputChanges,
  useToolInput,
} from './use-tool-input.ts'

/** The draft, for the tab that replaces its editor. */
export interface DraftAccess {
  /** The exact JSON text that a call would send now. */
  readonly text: string
  /** The placeholder text of each secret that was left out of the text. */
  readonly secretMarker: string | undefined
  /** The server's questions in the last call with this text; their answers are also saved. */
  readonly questions: readonly QuestionState[]
  /** Replaces the draft and shows it. */
  readonly load: (content: DraftContent) => void
  /** The user asked to save the draft: its name field takes the focus and calls `onNaming`. */
  readonly isNaming: boolean
  readonly onNaming: () => void
}

export interface ToolPaneProps {
  readonly tool: ToolDetail
  readonly call: ((inputText: string) => void) | undefined
  readonly cancel: () => void
  readonly running: boolean
  readonly sent: SentInput | undefined
  /** The agent's variables that go with a call. */
  readonly variables: Readonly<Record<string, string>> | undefined
  /** The body of the examples tab; absent if examples cannot be stored. */
  readonly examples: ((draft: DraftAccess) => ReactNode) | undefined
  /** The body of the versions tab; absent without versions. */
  readonly versions: ReactNode | undefined
  /** Shown after the badges of the tool's head. */
  readonly badge?: ReactNode
  /** Further notes on the call, between the tool's head and its input. */
  readonly children?: ReactNode
}

/** The middle pane: a tool, its input and its actions. Its React key must be the tool's ref. */
export function ToolPane({ tool, call, cancel, running, sent, variables, ...parts }: ToolPaneProps) {
  const { examples, versions } = parts
  const { ids, tab } = useToolTabs(tool, parts)
  const go = useWorkbenchNavigate()
  const showForm = () => go({ tab: undefined })
  const draft = useDraft(tool)
  const { text, secretMarker } = draft
  const editor = useRef<InputEditorHandle>(null)
  const actions = useRef<HTMLDivElement>(null)
  const brief = useBriefMessage()
  const showEditor = () => tab !== 'form' && tab !== 'json' && showForm()
  const inputParts = { tool, draft, editor, brief, sent, showEditor }
  const input = useToolInput(inputParts)
  const changes = useInputChanges(inputParts, input)
  const callable = tool.callable ? call : undefined
  const attempt = useCallAttempt(inputParts, input, changes, { call: callable, running })
  const withDefaults = useMemo(() => hasDefaults(tool), [tool])
  const suggest = useSuggest(tool)
  const [isNaming, setNaming] = useState(false)
  const showExamples = () => {
    setNaming(true)
    go({ tab: 'examples' })
  }
  const takesInput = tool.kind !== 'resource'
  useShortcut('call', attempt.tryCall, callable !== undefined)
  useShortcut('cancel', cancel, running)
  useShortcut('toggle-json', () => go({ tab: tab === 'json' ? undefined : 'json' }), ids.has('json'))
  useShortcut('fill-example', changes.fillExample, takesInput)
  useShortcut('fill-all', changes.fillAll, takesInput)
  useShortcut('reset', changes.reset)
  useShortcut('save-example', showExamples, examples !== undefined)

  return (
    <section className={join('pane', styles.pane)} aria-label="Tool">
      <ToolHead tool={tool} badge={parts.badge}>
        {tool.kind === undefined && (
          <CopyAs
            tool={tool}
            variables={variables}
            secretMarker={secretMarker}
            questions={input.questions}
            currentText={input.currentText}
            onMessage={brief.show}
          />
        )}
      </ToolHead>
      {parts.children}
      <ToolTabs label="Input" tool={tool} ids={ids} tab={tab} versions={versions}>
        {tab === 'examples' &&
          examples?.({
            text: toInputText(text),
            secretMarker,
            questions: input.questions,
            load: changes.load,
            isNaming,
            onNaming: () => setNaming(false),
          })}
        {(tab === 'form' || tab === 'json') && (
          <SuggestContext value={suggest}>
            <InputEditor
              {...draft}
              ref={editor}
              tool={tool}
              onTextChange={draft.setText}
              mode={tab}
              issues={input.issues}
              visibleIssues={input.marked}
              onSubmit={attempt.tryCall}
              onRestore={changes.restore}
              onNoField={() => actions.current?.querySelector('button')?.focus()}
            />
          </SuggestContext>
        )}
      </ToolTabs>
      <ActionBar
        ref={actions}
        limit={<TimeLimit tool={tool} />}
        tool={tool}
        onCall={callable && attempt.tryCall}
        onSendAnyway={input.issues.some(isBlocking) ? undefined : attempt.sendAnyway}
        onCancel={cancel}
        running={running}
        problems={input.isMarked ? input.issues.length : 0}
        onShowProblem={() => input.showProblem()}
        onApplyDefaults={withDefaults ? changes.applyDefaults : undefined}
        onFillExample={takesInput ? changes.fillExample : undefined}
        onFillAll={takesInput ? changes.fillAll : undefined}
        onSaveExample={tab === 'examples' || !examples ? undefined : showExamples}
        onReset={takesInput ? changes.reset : undefined}
      >
        <BriefMessage
          message={(brief.message.about ?? text) === text ? brief.message : noMessage}
          testId="brief"
        />
      </ActionBar>
      {attempt.confirming !== undefined && (
        <ConfirmCall
          tool={tool}
          inputText={attempt.confirming}
          variables={variables}
          onClose={attempt.closeConfirm}
          onConfirm={inputText => {
            attempt.closeConfirm()
            callable?.(inputText)
          }}
        />
      )}
    </section>
  )
}

/** Returns the tabs of this tool, and the one that is shown. */
function useToolTabs(tool: ToolDetail, { versions, examples }: Pick<ToolPaneProps, 'versions' | 'examples'>) {
  const { tab: wanted = 'form' } = useWorkbenchSearch()
  const ids = new Set<ToolTab>(['form'])
  if (tool.kind !== 'resource') ids.add('json')
  if (tool.kind === undefined || tool.kind === 'skill') ids.add('reference')
  if (versions !== undefined) ids.add('versions')
  if (examples) ids.add('examples')
  const tab: ToolTab = ids.has(wanted) ? wanted : 'form'
  return { ids, tab }
}

/** Returns the suggestions of the tool's server; undefined if it makes none. */
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

/** Returns a cheap estimate: a field named `default` also counts. */
function hasDefaults(tool: ToolDetail): boolean {
  return JSON.stringify(tool.inputSchema).includes('"default":')
}
