import { createContext, useContext } from 'react'
import type { Agent } from '../../core/agent/agent.ts'
import type { RowPage, ToolDetail, ToolFilter, ToolPage } from '../../core/api/catalog.ts'
import type { CatalogEvent, SourceChanged, StoreEvent } from '../../core/api/events.ts'
import type { ExampleList, SavedExample } from '../../core/api/examples.ts'
import type { LintQuery, PromptAnswer, PromptQuery } from '../../core/api/prompt.ts'
import type { ConsoleCommand, ScriptList } from '../../core/api/scripts.ts'
import type { SourceList, SourceState } from '../../core/api/sources.ts'
import type { DiffAnswer, VersionList } from '../../core/api/versions.ts'
import type { CallEvent, Validation } from '../../core/call/invocation.ts'
import type { ExampleOutcome } from '../../core/example/outcome.ts'
import type { LintSummary } from '../../core/lint/report.ts'
import type { CommandAnswer } from '../../core/script/protocol.ts'
import type { HistoryBackend } from './history.ts'

export interface RowsQuery {
  readonly q: string
  readonly sources: readonly string[]
  readonly filters: readonly ToolFilter[]
  /** Ids of the rows that are folded. */
  readonly collapsed: readonly string[]
  readonly offset: number
  readonly limit: number
  /** Ref of a tool whose position is asked for too. */
  readonly find?: string
}

export interface CallRequest {
  readonly ref: string
  /** The exact JSON text to send. */
  readonly inputText: string
  readonly options?: {
    /** Values of an agent's variables. */
    readonly variables?: Readonly<Record<string, string>>
    /** Who makes the call, where it is not the form. */
    readonly origin?: 'script'
  }
}

export type LiveState = 'live' | 'lost'

export interface LiveListener {
  onCatalogChanged(event: CatalogEvent): void
  /** Something in the memory changed: a call was kept, a snapshot taken. */
  onStoreChanged(event: StoreEvent): void
  onState(state: LiveState): void
  /** A source's manifest is another one than before, and it is known how bad that is. */
  onSourceChanged(changed: SourceChanged): void
  /** Something that people should know. */
  onNotice(text: string): void
}

/**
 * Where the page's data come from. A function that is absent hides the feature it would serve, so that a read-only
 * place (an export without a server) needs no flags. Every promise rejects with an AppError.
 */
export interface Backend {
  sources(signal: AbortSignal): Promise<readonly SourceState[]>
  rows(query: RowsQuery, signal: AbortSignal): Promise<RowPage>
  /** Flat, best match first. */
  searchTools(q: string, limit: number, signal: AbortSignal): Promise<ToolPage>
  tool(ref: string, signal: AbortSignal): Promise<ToolDetail>
  /** Opens what a user typed, as on the command line. */
  openSource?(input: string): Promise<SourceState>
  /** Sources that ship with the program. */
  exampleSources?(signal: AbortSignal): Promise<SourceList['examples']>
  /** Adds a manifest from its text: a file that was dropped on the page. */
  openManifest?(name: string, text: string): Promise<SourceState>
  refreshSource?(name: string): Promise<SourceState>
  /** Closes a source where it is open and opens it anew; starts a stopped one. */
  restartSource?(name: string): Promise<SourceState>
  stopSource?(name: string): Promise<SourceState>
  /** The end of what a source wrote beside its answers. */
  sourceLog?(name: string, signal: AbortSignal): Promise<string>
  agents?(signal: AbortSignal): Promise<readonly Agent[]>
  /** The server's judgement of an input. */
  validate?(ref: string, inputText: string, signal: AbortSignal): Promise<Validation>
  examples?(ref: string, signal: AbortSignal): Promise<ExampleList>
  /** Keeps an example (the text of its file) under its name; the one that had the name goes. */
  saveExample?(ref: string, text: string): Promise<SavedExample>
  removeExample?(ref: string, name: string): Promise<ExampleList>
  /** Makes the call and judges what comes back. */
  runExample?(ref: string, name: string): Promise<ExampleOutcome>
  /** Compares two manifests: each a source's name, a file, `git:REV:path` or a URL. */
  diff?(a: string, b: string, signal: AbortSignal): Promise<DiffAnswer>
  /** A set of tools as an agent would get it, weighed. */
  prompt?(query: PromptQuery, signal: AbortSignal): Promise<PromptAnswer>
  /** The whole prompt, which may be megabytes. */
  promptText?(query: PromptQuery): Promise<string>
  /** What clients would refuse or alter in a set of tools. */
  lint?(query: LintQuery, signal: AbortSignal): Promise<LintSummary>
  /** Kept versions of a source's manifest and those in git, newest first. */
  sourceVersions?(name: string, limit: number, signal: AbortSignal): Promise<VersionList>
  /** Those that touched a tool. */
  toolVersions?(ref: string, limit: number, signal: AbortSignal): Promise<VersionList>
  /** Names a version; a label that names another one moves. */
  setLabel?(source: string, version: number, label: string): Promise<VersionList>
  removeLabel?(source: string, label: string): Promise<VersionList>
  /** Runs a tool. Aborting the signal ends it, and the iteration, on both sides. */
  call?(request: CallRequest, signal: AbortSignal): AsyncIterable<CallEvent>
  /** The commands of the console. */
  consoleCommands?(signal: AbortSignal): Promise<readonly ConsoleCommand[]>
  /** `help` and `discover` of a script. */
  scriptHelp?(name: 'help' | 'discover', words: readonly string[]): Promise<CommandAnswer>
  savedScripts?(signal: AbortSignal): Promise<ScriptList>
  saveScript?(name: string, text: string): Promise<ScriptList>
  deleteScript?(name: string): Promise<ScriptList>
  /** The calls that were kept. */
  readonly history?: HistoryBackend
  /** Listens for changes until the function it returns is called. */
  listen?(listener: LiveListener): () => void
}

export const BackendContext = createContext<Backend | null>(null)

export function useBackend(): Backend {
  const backend = useContext(BackendContext)
  if (!backend) throw new Error('BackendContext is missing above this component')
  return backend
}

/** The history behind the page. Only where `backend.history` was looked for first: it throws without one. */
export function useHistory(): HistoryBackend {
  const { history } = useBackend()
  if (!history) throw new Error('this backend keeps no history')
  return history
}
