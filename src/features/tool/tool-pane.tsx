import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { confirmReason } from '../../../core/call/confirm-reason.ts'
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import { type ToolTab, useWorkbenchNavigate, useWorkbenchSearch } from '../../navigation.ts'
import { ErrorBoundary } from '../../ui/error-boundary.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { Loading } from '../../ui/spinner.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import type { InputEditorHandle } from '../form/input-editor.tsx'
import { ActionBar } from './action-bar.tsx'
import { ConfirmCall } from './confirm-call.tsx'
import { CopyAs } from './copy-as.tsx'
import type { DraftContent } from './kept-drafts.ts'
import { ToolHead } from './tool-head.tsx'
import styles from './tool-pane.module.css'
import { toolTabs } from './tool-tabs.ts'
import { useDraft } from './use-draft.ts'
import { findProblems, leftOutIssues, useProblems } from './use-problems.ts'
import { useToolShortcuts } from './use-tool-shortcuts.ts'

// The form and the schema view are the page's heaviest parts: they come with the first tool, not with the shell.
const InputEditor = lazy(async () => ({ default: (await import('../form/input-editor.tsx')).InputEditor }))
const SchemaView = lazy(async () => ({
  default: (await import('../schema-view/schema-view.tsx')).SchemaView,
}))
const HelpTab = lazy(async () => ({ default: (await import('../help/help-tab.tsx')).HelpTab }))

/** The draft, for what stands in the place of its editor. */
export interface DraftAccess {
  /** The exact JSON text that a call would send now. */
  readonly text: string
  /** What is in the place of each secret that was left out of the text. */
  readonly secretMarker: string | undefined
  /** Replaces the draft and shows it. */
  readonly load: (content: DraftContent) => void
}

/** What the last call had to say of the input it was given. */
export interface SentInput {
  readonly text: string
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
export function ToolPane({
  tool,
  call,
  cancel,
  running,
  sent,
  variables,
  examples,
  versions,
  children,
}: ToolPaneProps) {
  const { tab: wanted = 'form' } = useWorkbenchSearch()
  const hasTab = (id: ToolTab) =>
    (id !== 'examples' || examples !== undefined) && (id !== 'versions' || versions !== undefined)
  const tab = hasTab(wanted) ? wanted : 'form'
  const go = useWorkbenchNavigate()
  const draft = useDraft(tool)
  const { text, secretMarker, setText } = draft
  const [tried, setTried] = useState(false)
  const [confirming, setConfirming] = useState<string>()
  const editor = useRef<InputEditorHandle>(null)
  const found = useProblems(tool, draft)
  // Nobody is told of empty fields before they had a chance to fill them.
  const known = tried || found.text !== '' ? found.issues : []
  const issues = sent && sent.text === textToSend(text) ? mergeIssues(known, sent.issues) : known
  const callable = tool.callable ? call : undefined

  const send = (inputText: string) => {
    if (confirmReason(tool) !== undefined) setConfirming(inputText)
    else callable?.(inputText)
  }
  // A field may hold keys that have not reached the draft yet; in the other tabs there is no editor.
  const latestText = () => editor.current?.currentText() ?? text
  const tryCall = async () => {
    if (!callable || running) return
    setTried(true)
    // Validate again: the text may have changed since the last validation.
    const latest = latestText()
    const problems = await findProblems(tool, { text: latest, secretMarker })
    if (problems.length === 0) send(textToSend(latest))
    else showProblem()
  }
  const sendAnyway = () => {
    const latest = latestText()
    if (leftOutIssues({ text: latest, secretMarker }).length > 0) showProblem()
    else send(textToSend(latest))
  }
  const showProblem = () => {
    if (tab !== 'form' && tab !== 'json') go({ tab: undefined })
    // After the issues have reached the fields.
    requestAnimationFrame(() => editor.current?.focusFirstError())
  }
  const fillExample = async () => {
    const { exampleText } = await import('../form/draft.ts')
    setText(exampleText(tool))
  }
  const applyDefaults = async () => {
    const { defaultsText } = await import('../form/draft.ts')
    setText(defaultsText(tool, text))
  }
  const reset = () => {
    setText('')
    setTried(false)
  }
  const load = (next: DraftContent) => {
    draft.load(next)
    go({ tab: undefined })
  }
  const saveExample = examples && (() => go({ tab: 'examples' }))
  useToolShortcuts({
    running,
    callable: callable !== undefined,
    tryCall,
    cancel,
    fillExample,
    reset,
    hasVersions: versions !== undefined,
    saveExample,
  })

  return (
    <section className={join('pane', styles.pane)} aria-label="Tool">
      <ToolHead tool={tool} />
      {children}
      <Tabs
        label="Input"
        tabs={toolTabs.filter(({ id }) => hasTab(id))}
        value={tab}
        onChange={id => go({ tab: id === 'form' ? undefined : id })}
      >
        <div className={join('scroll', styles.body)}>
          <ErrorBoundary resetKey={`${tool.ref} ${tab}`} fallback={error => <Broken error={error} />}>
            <Suspense fallback={<Loading />}>
              {tab === 'versions' ? (
                versions
              ) : tab === 'examples' ? (
                examples?.({ text: textToSend(text), secretMarker, load })
              ) : tab === 'schema' ? (
                <SchemaView input={tool.inputSchema} output={tool.outputSchema} />
              ) : tab === 'help' ? (
                <HelpTab tool={tool} draft={{ text, setText }} />
              ) : (
                <InputEditor
                  ref={editor}
                  tool={tool}
                  text={text}
                  secretMarker={secretMarker}
                  onTextChange={setText}
                  mode={tab}
                  issues={issues}
                  onSubmit={tryCall}
                />
              )}
            </Suspense>
          </ErrorBoundary>
        </div>
      </Tabs>
      <ActionBar
        onCall={callable && tryCall}
        onSendAnyway={sendAnyway}
        onCancel={cancel}
        running={running}
        problems={issues.length}
        onShowProblem={showProblem}
        onApplyDefaults={hasDefaults(tool) ? applyDefaults : undefined}
        onFillExample={fillExample}
        onSaveExample={tab === 'examples' ? undefined : saveExample}
        onReset={reset}
      >
        <CopyAs tool={tool} variables={variables} secretMarker={secretMarker} currentText={latestText} />
      </ActionBar>
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
    </section>
  )
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
function mergeIssues(
  own: readonly ValidationIssue[],
  told: readonly ValidationIssue[],
): readonly ValidationIssue[] {
  if (told.length === 0) return own
  const places = new Set(own.map(issue => issue.path))
  return [...own, ...told.filter(issue => !places.has(issue.path))]
}

function Broken({ error }: { readonly error: unknown }) {
  return (
    <div style={{ padding: 16 }}>
      <ErrorNote error={error} title="This part of the page broke" hint="The other tabs still work." />
    </div>
  )
}
