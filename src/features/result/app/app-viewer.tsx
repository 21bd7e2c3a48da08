import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import { RotateCw, Square } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { OpenedApp } from '../../../../core/api/apps.ts'
import type { ToolDetail } from '../../../../core/api/catalog.ts'
import { parseJson } from '../../../../core/json/json.ts'
import type { AppPermission } from '../../../../core/tool/tool-app.ts'
import { useBackend } from '../../../api/backend.ts'
import { Loading } from '../../../ui/badge.tsx'
import { Button, IconButton } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../../ui/notes.tsx'
import { TextBox } from '../../../ui/scroll.tsx'
import { commonTexts } from '../../../ui/texts.ts'
import { useStore } from '../../../ui/value-store.ts'
import type { InvocationState } from '../invocation-state.ts'
import { createAppBackend } from './app-backend.ts'
import { AppDetails } from './app-details.tsx'
import { AppSession, type AppText } from './app-session.ts'
import styles from './app-viewer.module.css'
import { readGranted, storeGranted } from './granted-permissions.ts'
import { readHostContext } from './host-context.ts'
import { QuestionDialog } from './question-dialog.tsx'

interface AppViewerProps {
  readonly tool: ToolDetail
  readonly invocation: InvocationState
}

/** The app of a tool, with the input and result of its last call. A call that this page did not make starts no app. */
export function AppViewer({ tool, invocation }: AppViewerProps) {
  const isOwn = invocation.earlier === undefined && invocation.isStored !== true
  const [isWanted, setWanted] = useState(isOwn)
  const [run, setRun] = useState(0)
  const [permissions, setPermissions] = useState(() => readGranted(tool.source))
  if (!isWanted)
    return (
      <EmptyState
        title="The app is not running"
        actions={
          <Button look="primary" onClick={() => setWanted(true)}>
            Run the app
          </Button>
        }
      >
        This result is from before this page was loaded.
      </EmptyState>
    )
  return (
    <RunningApp
      key={run}
      tool={tool}
      invocation={invocation}
      permissions={permissions}
      restart={() => setRun(run + 1)}
      setPermissions={next => {
        storeGranted(tool.source, next)
        setPermissions(next)
        setRun(run + 1)
      }}
    />
  )
}

interface RunningAppProps extends AppViewerProps {
  readonly permissions: readonly AppPermission[]
  readonly restart: () => void
  readonly setPermissions: (permissions: readonly AppPermission[]) => void
}

function RunningApp({ tool, invocation, permissions, restart, setPermissions }: RunningAppProps) {
  const backend = useBackend()
  const [opened, setOpened] = useState<OpenedApp>()
  const [error, setError] = useState<unknown>()
  const { ref } = tool
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    backend
      .request('POST /api/apps', { body: { ref, permissions: [...permissions] }, signal })
      .then(setOpened, thrown => signal.aborted || setError(thrown))
    return () => leaving.abort()
  }, [backend, ref, permissions])
  if (error !== undefined)
    return (
      <div className={styles.viewer}>
        <ErrorNote error={error} />
        <p>
          <Button onClick={restart}>{commonTexts.tryAgain}</Button>
        </p>
      </div>
    )
  if (!opened) return <Loading>Loading the app…</Loading>
  return (
    <OpenedFrame
      opened={opened}
      tool={tool}
      invocation={invocation}
      permissions={permissions}
      restart={restart}
      setPermissions={setPermissions}
    />
  )
}

function OpenedFrame(props: RunningAppProps & { readonly opened: OpenedApp }) {
  const { opened, tool, invocation, restart, permissions, setPermissions } = props
  const backend = useBackend()
  const [session, setSession] = useState<AppSession>()
  const container = useRef<HTMLDivElement>(null)
  const callId = invocation.started?.id
  const [first] = useState({ input: parseJson(invocation.inputText), callId })
  useEffect(() => {
    const { current } = container
    if (!current) return
    const readContext = (): McpUiHostContext => readHostContext(current, tool, first.callId)
    const made = new AppSession({
      tool,
      opened,
      container: current,
      backend: createAppBackend(backend, tool),
      context: readContext(),
      input: first.input,
    })
    setSession(made)
    const onChange = () => current.offsetWidth > 0 && made.setContext(readContext())
    const sizes = new ResizeObserver(onChange)
    sizes.observe(current)
    const themes = new MutationObserver(onChange)
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      sizes.disconnect()
      themes.disconnect()
      made.stop('')
    }
  }, [opened, backend, tool, first])
  const { ending } = invocation
  useEffect(() => {
    if (session && ending) session.setEnding(ending)
  }, [session, ending])
  return (
    <div className={join('scroll', styles.viewer)} data-testid="app">
      <Toolbar session={session} tool={tool} restart={restart} />
      <div
        ref={container}
        className={join(styles.frame, opened.prefersBorder !== false && styles.border)}
        data-testid="app-frame"
      />
      {session && (
        <Around
          session={session}
          container={container}
          restart={restart}
          details={view => (
            <AppDetails
              opened={opened}
              view={view}
              source={tool.source}
              permissions={permissions}
              setPermissions={setPermissions}
            />
          )}
        />
      )}
    </div>
  )
}

function Toolbar({
  session,
  tool,
  restart,
}: {
  readonly session: AppSession | undefined
  readonly tool: ToolDetail
  readonly restart: () => void
}) {
  return (
    <div className={join('row', styles.toolbar)}>
      <span className="note">Runs in a frame of its own; calls only {tool.source}</span>
      <span className="end row">
        <IconButton icon={RotateCw} label="Start the app again" onClick={restart} />
        <IconButton icon={Square} label="Stop the app" onClick={() => void session?.end('You stopped it.')} />
      </span>
    </div>
  )
}

interface AroundProps {
  readonly session: AppSession
  readonly container: { readonly current: HTMLElement | null }
  readonly restart: () => void
  readonly details: (view: ReturnType<AppSession['view']['get']>) => ReactNode
}

/** The state, questions and details of a running app. React does not draw the frame itself. */
function Around({ session, container, restart, details }: AroundProps) {
  const view = useStore(session.view)
  const { status, height, problem = '', texts, questions } = view
  useEffect(() => {
    const { current } = container
    if (!current) return
    current.style.height = height === undefined ? '' : `${Math.min(Math.max(height, 60), maxHeight)}px`
    current.hidden = status === 'stopped'
  }, [container, height, status])
  const [question] = questions
  return (
    <>
      {status === 'loading' && <Loading>Loading the app…</Loading>}
      {status === 'stopped' && problem !== '' && (
        <EmptyState title="The app was stopped" actions={<Button onClick={restart}>Start it again</Button>}>
          <span role="alert">{problem}</span>
        </EmptyState>
      )}
      {texts.map(text => (
        <TextForModel key={text.kind} {...text} />
      ))}
      {details(view)}
      {question && <QuestionDialog key={question.id} question={question} />}
    </>
  )
}

/** Pixels; a hostile app cannot make the page endless. */
const maxHeight = 4_000

const textLabels = {
  message: 'The app wrote this message for a model. Toolscope has none: nothing receives it.',
  context: 'The app wrote this context for a model. Toolscope has none: nothing receives it.',
} as const satisfies Record<AppText['kind'], string>

function TextForModel({ kind, text }: AppText) {
  return (
    <section
      className="stack"
      aria-label={kind === 'message' ? 'Message for a model' : 'Context for a model'}
    >
      <p className="note">{textLabels[kind]}</p>
      <TextBox maxHeight={160}>{text}</TextBox>
    </section>
  )
}
