import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  Fragment,
  lazy,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
} from 'react'
import type { ToolDetail } from '../../core/api/catalog.ts'
import { toAppError } from '../../core/errors.ts'
import { jsonEquals } from '../../core/json/equality.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { getAppUri } from '../../core/tool/tool-app.ts'
import { readTemplate } from '../../core/tool/uri-template.ts'
import { type Backend, useBackend } from '../api/backend.ts'
import { toolQuery } from '../api/queries.ts'
import { useSources } from '../api/use-sources.ts'
import { agentOfTool } from '../features/agents/agent-id.ts'
import { CallingAgent, useAgents } from '../features/agents/agent-links.tsx'
import { useCallVariables } from '../features/agents/variable-store.ts'
import type { EndedCall } from '../features/examples/example-row.tsx'
import { ToolPinBadge, ToolPinNote } from '../features/pins/tool-pin.tsx'
import type { InvocationState } from '../features/result/invocation-state.ts'
import { ResultPane } from '../features/result/result-pane.tsx'
import { useInvocation } from '../features/result/use-invocation.ts'
import { OpenResource } from '../features/result/viewers/content-viewer.tsx'
import { ClosedSource, findClosedSource } from '../features/sources/closed-source.tsx'
import { SignInNeeded } from '../features/sources/sign-in.tsx'
import { StaleNote } from '../features/sources/stale-note.tsx'
import { ResourceChanges } from '../features/tool/resource-changes.tsx'
import { useLimitOptions } from '../features/tool/time-limit.tsx'
import { ToolPane } from '../features/tool/tool-pane.tsx'
import { ToolReader } from '../features/tool/tool-tabs.tsx'
import { useDraft } from '../features/tool/use-draft.ts'
import { type SentInput, toInputText } from '../features/tool/use-tool-input.ts'
import { WireLink } from '../features/wire/wire-link.tsx'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../navigation.ts'
import { Loading } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorNote } from '../ui/notes.tsx'
import { addRecentTool } from '../ui/stored-tools.ts'
import { showNotice } from '../ui/toasts.ts'
import { useTitle } from '../ui/use-title.ts'
import { fillForm, useOpenTool } from './open-call.ts'

const QuestionCard = lazy(async () => ({
  default: (await import('../features/result/question-card.tsx')).QuestionCard,
}))
const PinRefusal = lazy(async () => ({
  default: (await import('../features/pins/pin-refusal.tsx')).PinRefusal,
}))
const ExamplesTab = lazy(async () => ({
  default: (await import('../features/examples/examples-tab.tsx')).ExamplesTab,
}))
const GeneratedTests = lazy(async () => ({
  default: (await import('../features/generated-tests/generated-tests.tsx')).GeneratedTests,
}))

const ToolVersions = lazy(async () => ({
  default: (await import('../features/versions/timeline.tsx')).ToolVersions,
}))

/** Returns the sent input with the issues that the server or the program reported for it. */
function toSentInput(invocation: InvocationState | undefined): SentInput | undefined {
  if (!invocation) return undefined
  const { ending, inputText, inputValidation, questions } = invocation
  const own = ending?.type === 'failure' && ending.issuesOf === 'input' ? (ending.issues ?? []) : []
  return { text: inputText, questions, issues: [...(inputValidation?.issues ?? []), ...own] }
}

/** Returns the last call, unmasked and uncut; undefined for one that was read from the history. */
function wholeCall(invocation: InvocationState | undefined): EndedCall | undefined {
  const { inputText, ending, isStored } = invocation ?? {}
  return inputText === undefined || ending === undefined || isStored ? undefined : { inputText, ending }
}

/** Characters of a schema whose form is rendered immediately, without an empty pane first. */
const maxAtOnce = 50_000

interface ToolAndResultProps {
  readonly toolRef: string
  /** Lays out the two panes, or only the tool. */
  readonly children: (tool: ReactNode, result: ReactNode | undefined) => ReactNode
}

/**
 * The open tool and the result of its last call. The panes stay mounted when another tool is opened; their content does
 * not.
 */
export function ToolAndResult({ toolRef, children }: ToolAndResultProps) {
  const backend = useBackend()
  const query = { ...toolQuery(backend, toolRef), placeholderData: keepPreviousData }
  const { data, error, isPlaceholderData } = useQuery(query)
  useTitle(data && `${data.title ?? data.name} · ${data.source}`)
  useEffect(() => {
    if (data) addRecentTool(data)
  }, [data])
  const isLarge = useMemo(() => JSON.stringify(data?.inputSchema ?? '').length > maxAtOnce, [data])
  // A large form is rendered in portions, so that the user's input comes first.
  const inPortions = useDeferredValue(isLarge ? data : undefined)
  const tool = isLarge ? inPortions : data
  const isReading = isPlaceholderData || tool !== data
  if (tool && !backend.has('POST /api/invocations')) {
    return children(
      !isReading && <ToolReader key={tool.ref} tool={tool} versions={renderToolVersions(backend, tool)} />,
      undefined,
    )
  }
  if (tool) return <Loaded tool={tool} isReading={isReading} gone={error !== null} panes={children} />
  return children(error ? <Missing error={error} toolRef={toolRef} /> : null, undefined)
}

function renderToolVersions(backend: Backend, tool: ToolDetail): ReactNode | undefined {
  return tool.kind === undefined && backend.has('GET /api/tools/{+ref}/versions') ? (
    <ToolVersions tool={tool} />
  ) : undefined
}

interface LoadedProps {
  readonly tool: ToolDetail
  /** Another tool is loading: the panes stay, empty. */
  readonly isReading: boolean
  /** The tool is no longer in the catalog. */
  readonly gone: boolean
  readonly panes: ToolAndResultProps['children']
}

function Loaded({ tool, isReading, gone, panes }: LoadedProps) {
  const backend = useBackend()
  const { data: agents = [] } = useAgents()
  const agent = agentOfTool(agents, tool, useWorkbenchSearch().agent)
  const variables = useCallVariables(agent)
  const { invocation, ...calling } = useInvocation(tool.ref, {
    ...useLimitOptions(tool.ref),
    definition: tool.definition,
    ...(variables && { variables }),
  })
  const sent = useMemo(() => toSentInput(invocation), [invocation])
  const openResource = useOpenResource(tool.source)
  const openTool = useOpenTool()
  // The history has no secrets of an input.
  const isExact = calling.call !== undefined && invocation?.isStored !== true
  // A tool that cannot be called has no result pane, unless it has a result from before.
  const hasResult = tool.callable || invocation !== undefined
  if (isReading) return panes(null, hasResult ? null : undefined)
  return panes(
    <ToolPane
      key={tool.ref}
      tool={tool}
      {...calling}
      sent={sent}
      variables={variables}
      examples={
        tool.kind === undefined && backend.has('GET /api/examples')
          ? draft => (
              <ExamplesTab tool={tool} draft={draft} lastCall={wholeCall(invocation)}>
                {tool.callable && backend.has('POST /api/generated-checks') && (
                  <Suspense>
                    <GeneratedTests target={{ ref: tool.ref }} onTry={(_, text) => draft.load({ text })} />
                  </Suspense>
                )}
              </ExamplesTab>
            )
          : undefined
      }
      versions={renderToolVersions(backend, tool)}
      badge={<ToolPinBadge tool={tool} />}
    >
      <StaleNote source={tool.source} gone={gone} />
      <ToolPinNote tool={tool} />
      {agent && <CallingAgent agent={agent} />}
      <ResourceChanges
        tool={tool}
        reread={invocation && !calling.running ? () => calling.call?.(invocation.inputText) : undefined}
      />
    </ToolPane>,
    hasResult ? (
      <Fragment key={`result of ${tool.ref}`}>
        <SignInNeeded source={tool.source} />
        <OpenResource value={openResource}>
          <ResultPane
            invocation={invocation}
            tool={tool}
            appTool={hasRunnableApp(tool, backend) ? tool : undefined}
            inputNote={
              invocation?.ending && (
                <>
                  <InputNote tool={tool} sentText={invocation.inputText} />
                  {invocation.started && <WireLink source={tool.source} callId={invocation.started.id} />}
                </>
              )
            }
            refusal={
              invocation && (
                <Suspense fallback={<Loading />}>
                  <PinRefusal
                    tool={tool}
                    onOpen={openTool}
                    onCallOnce={isExact ? hashes => calling.call?.(invocation.inputText, hashes) : undefined}
                  />
                </Suspense>
              )
            }
            drawQuestion={(question, callId) => (
              <QuestionCard key={question.id} question={question} callId={callId} source={tool.source} />
            )}
          />
        </OpenResource>
      </Fragment>
    ) : undefined,
  )
}

const hasRunnableApp = (tool: ToolDetail, backend: Backend) =>
  getAppUri(tool) !== undefined && backend.has('POST /api/apps')

/** Says that the input was edited since the call. Left-out secrets cannot be compared. */
function InputNote({ tool, sentText }: { readonly tool: ToolDetail; readonly sentText: string }) {
  const { text, secretMarker } = useDraft(tool)
  const isChanged = useMemo(
    () => secretMarker === undefined && !isSameJson(toInputText(text), sentText),
    [text, secretMarker, sentText],
  )
  return isChanged ? <span className="muted">input changed since this result</span> : null
}

function isSameJson(left: string, right: string): boolean {
  const [first, second] = [readJson(left), readJson(right)]
  if (!first.ok || !second.ok) return left === right
  return jsonEquals(first.value ?? null, second.value ?? null)
}

function Missing({ error, toolRef }: { readonly error: unknown; readonly toolRef: string }) {
  const go = useWorkbenchNavigate()
  const isUnknown = toAppError(error).code === 'tool-not-found'
  const closed = findClosedSource(toolRef, useSources().data ?? [])
  if (isUnknown && closed !== undefined) return <ClosedSource source={closed} />
  return (
    <EmptyState
      title="This tool cannot be shown"
      actions={<Button onClick={() => go({ tool: undefined, tab: undefined })}>To the catalog</Button>}
    >
      <ErrorNote
        error={error}
        {...(isUnknown && {
          hint: 'Its source may list it under another name, or not at all. Search the catalog.',
        })}
      />
    </EmptyState>
  )
}

/** Entries of a source that are searched for a template. */
const maxEntries = 1_000

/**
 * Opens a resource of a source by its address: the listed one, else the template that makes this address, filled in.
 * Nothing is read until the user asks for it. Undefined if the source has no resources.
 */
function useOpenResource(source: string): ((uri: string) => void) | undefined {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  const { data: sources } = useSources()
  const surface = sources?.find(({ name }) => name === source)?.surface
  const openUri = useCallback(
    async (uri: string) => {
      const openTool = (tool: string) => go({ tool, tab: undefined, about: undefined })
      const listed = `${source}/resources/${uri}`
      const prefix = `${source}/templates/`
      const query = { source: [source], surface: '1' as const, limit: maxEntries }
      const { tools } = await backend.request('GET /api/tools', { query })
      if (tools.some(({ ref }) => ref === listed)) return openTool(listed)
      for (const { ref } of tools) {
        const values = ref.startsWith(prefix) ? readTemplate(ref.slice(prefix.length), uri) : undefined
        if (values === undefined) continue
        const template = await client.fetchQuery(toolQuery(backend, ref))
        const text = writeJson(values)
        fillForm(template, { text }, `The address of that link replaced your input in ${template.name}.`)
        return openTool(ref)
      }
      showNotice(`${source} lists no resource with the address ${uri.slice(0, 200)}`)
    },
    [backend, client, go, source],
  )
  if (!surface || surface.resources + surface.templates === 0) return undefined
  return uri =>
    void openUri(uri).catch(() => showNotice(`The resources of ${source} could not be listed. Try again.`))
}
