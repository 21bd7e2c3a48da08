/** What a source is to the rest of the program. A new kind is a file beside this one and a line in index.ts (CONTRIBUTING.md). */

import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { SourceAbout } from '../../core/api/sources.ts'
import type { AppError } from '../../core/errors.ts'
import type { AgentDefinition, AgentEnvironment } from '../../core/tool/agent.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { GivenAnswer, Question } from '../../core/tool/question.ts'
import type { Callable, Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import type { SignIns, SourceSignIn } from '../sign-in/sign-ins.ts'
import type { Inputs, InputValues } from './inputs.ts'

/** What a kind needs to know of the program around it. */
export interface SourceContext {
  /** Directory against which relative paths of this source are resolved. Absolute. */
  readonly directory: string
  /** Where the user started Toolscope; `directory` unless given. Absolute. */
  readonly callerDirectory?: string
  /** The directory that the user chose for its tools on the page, asked for each use; goes before all others. Absolute. */
  readonly chosenDirectory?: () => string | undefined
  readonly environment: NodeJS.ProcessEnv
  /** The user's sign-ins at remote servers; without them a server that wants one cannot be opened. */
  readonly signIns?: SignIns
  /** What the user has answered to files of other clients that ask for values. */
  readonly inputValues?: InputValues
  /** The answers for this source. */
  readonly inputs?: Inputs
  /** Say that the list of tools may have changed (a watcher, a server's notification). */
  readonly changed?: (cause: string) => void
  /** Say that a resource is another one; only of those that were subscribed to. */
  readonly resourceChanged?: (uri: string) => void
  /** Say that the source stopped answering by itself. Its list stands; `changed` says that it is back. */
  readonly down?: (error: AppError) => void
}

/** Settings every kind shares; from toolscope.json or the command line. */
export interface SourceSettings {
  /** The name in the catalog; unique there (a second `acme` becomes `acme-2`). */
  readonly name: string
  /** Milliseconds for one call; 60,000 unless configured. */
  readonly timeoutMs?: number
  /**
   * Milliseconds for its list of tools: over MCP for each answer, else for the whole. Each kind has its own unless
   * configured.
   */
  readonly listTimeoutMs?: number
  /** Variables for its programs, beside those that they inherit. */
  readonly environment?: Readonly<Record<string, string>>
  /** `keep`: what a tool leaves running in the background stays. */
  readonly background?: 'end' | 'keep'
  /** Names of the variables of ours that its programs inherit; the usual ones unless given (programEnvironment). */
  readonly inherit?: readonly string[]
}

/** What named a source: the page (with what the user gave), or a file. */
export type SourceOrigin =
  | { readonly from: 'page'; readonly entry: SourceEntry; readonly formerNames: readonly string[] }
  /** Absolute. */
  | { readonly from: 'file'; readonly file: string }

/** A source that is known but not yet opened. */
export interface SourceSpec {
  readonly settings: SourceSettings
  readonly kind: string
  /** What the user named, for people, before it is opened. */
  readonly label: string
  /** Equal where it would be opened in the same way: tells whether an entry of a configuration changed. */
  readonly definition: string
  /** What names it on the command line, secrets masked; absent where nothing does. */
  readonly argument?: string
  /** Absent: the command line. */
  readonly origin?: SourceOrigin
  /** Known, but started only when the user says so. */
  readonly listedOnly?: boolean
  /** False where a configuration names it and the user has not agreed to that: it is listed, and opening it fails. */
  readonly isTrusted?: () => boolean
  open(context: SourceContext): Promise<Session>
}

/** An input to send: the JSON text to the letter, and its parsed value. */
export interface CallInput {
  readonly text: string
  readonly value: unknown
}

export interface CallOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Nobody looks at progress: it need not be asked for. */
  readonly withoutProgress?: boolean
  /**
   * Answers what the source asks back while the tool runs; absent where nobody can. The time limit stands still until it
   * resolves. The signal says that the answer is no longer wanted.
   */
  readonly answer?: ((question: Question, signal: AbortSignal) => Promise<GivenAnswer>) | undefined
  /** What a program leaves running when it ends by itself stays. */
  readonly keepsBackground?: boolean | undefined
  /** Values of an agent's variables, by name. */
  readonly variables?: Readonly<Record<string, string>>
}

/** An argument of a prompt, or a variable of a template, as far as it is typed. */
export interface ArgumentText {
  readonly argument: string
  readonly text: string
  /** What the other arguments are. */
  readonly others: Readonly<Record<string, string>>
}

export type CallArguments = readonly [tool: Callable, input: CallInput, options: CallOptions]

/** What a call tells, the result or failure last. */
export type CallEvents = AsyncGenerator<SessionEvent>

/** The one word of a source that is named by one word. */
export const loneWord = (words: readonly string[]) => (words.length === 1 ? words[0] : undefined)

/** The changes of resources that a source reports. */
export interface ResourceChanges {
  /** Addresses of the resources whose changes are reported now. */
  readonly uris: ReadonlySet<string>
  /** Has the changes of a resource reported from now on, or no longer. Rejects with an AppError. */
  set(uri: string, isWanted: boolean): Promise<void>
}

/** The agents beside the tools. */
export interface SessionAgents {
  /** Those of the list that was read last. */
  list(): readonly AgentDefinition[]
  /** The values of their built-in variables. */
  environment(): AgentEnvironment
  /** Runs what gives the instructions of an agent whose `dynamicInstructions` is true; events as of `call`. */
  instructions(agent: string, options: CallOptions): CallEvents
}

/** An open connection to a source. Every source has its label, its list and an end; what else it can do is optional. */
export interface Session {
  /** What it is, for people (`node examples/acme/acme.mjs`), secrets masked. */
  readonly label: string
  /** Texts of its set-up (arguments, headers, environment) that no log and no error may show. */
  readonly secrets?: readonly string[] | undefined
  /** The kind it turned out to be, where only opening could tell (an address may be a bridge or an MCP server). */
  readonly kind?: string | undefined
  /** What is wrong with how it is set up, known before its list is; part of the list's problems as well. */
  readonly problems?: readonly ManifestProblem[] | undefined
  /** Signs in at the authorization server of a remote server, and out; absent where that cannot be. */
  readonly signIn?: SourceSignIn | undefined
  /** What the other side says of itself, once connected. */
  about?(): SourceAbout
  /** The end of what the source wrote beside its answers (a server's stderr). At most 64 KiB. */
  log?: (() => string) | undefined
  /** Reads the list. Rejects with an AppError when there is none to be had; one bad tool is a problem in the list. */
  manifest(signal: AbortSignal): Promise<Manifest>
  /**
   * Runs a tool: any number of stdout, stderr and progress events, then exactly one result or failure.
   * Never throws after the first event; aborting the signal ends it with `cancelled` and leaves no process behind.
   * Absent where the source can only be looked at.
   */
  call?: ((...parts: CallArguments) => AsyncIterable<SessionEvent>) | undefined
  readonly resourceChanges?: ResourceChanges | undefined
  /** What the source suggests for an argument of a prompt or a variable of a template. Rejects where it does not answer. */
  complete?(entry: Callable, text: ArgumentText, signal: AbortSignal): Promise<readonly string[]>
  /** Files whose change means that the list may have changed. Absolute paths. */
  readonly watch?: readonly string[] | undefined
  /** The one file that the list is read from, absolute: its history in git is the list's. */
  readonly manifestPath?: string | undefined
  /** Where its tools run, absolute; absent where the page cannot choose it. */
  readonly directory?: string | undefined
  /** A change of these files needs a new session: the program that answers now is still the old one. */
  readonly renews?: boolean | undefined
  /** Whether a call is under way; asked before a session is renewed. */
  busy?(): boolean
  readonly agents?: SessionAgents | undefined
  close(): Promise<void>
}

export interface SourceKind<Config> {
  /** The word in toolscope.json and in SourceState.kind. */
  readonly kind: string
  /**
   * Does a bare command-line argument name such a source? Null when it does not. No side effects beyond
   * reading a file's head. Words are the argument split as a shell would (`node tool.mjs` is two).
   */
  detect(words: readonly string[], context: SourceContext): Promise<Config | null>
  open(config: Config, settings: SourceSettings, context: SourceContext): Promise<Session>
}
