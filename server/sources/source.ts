/** The interface of a source. CONTRIBUTING.md lists the steps to add a new kind. */

import type { CallSettings } from '../../core/api/call-settings.ts'
import type { ClientInput } from '../../core/api/clients.ts'
import type { HiddenCatalogPattern } from '../../core/api/hidden-catalog.ts'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { SourceAbout } from '../../core/api/sources.ts'
import type { AppError } from '../../core/errors.ts'
import type { AgentDefinition, AgentEnvironment } from '../../core/tool/agent.ts'
import type { CallTrace, SessionEvent } from '../../core/tool/invocation.ts'
import type { LogLevel, LogLine } from '../../core/tool/log-line.ts'
import type { GivenAnswer, Question } from '../../core/tool/question.ts'
import type { Callable, Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import type { SignIns, SourceSignIn } from '../sign-in/sign-ins.ts'
import type { Inputs, InputValues } from './inputs.ts'
import type { McpServerConfig } from './mcp-server-config.ts'

/** Options of a command line for the sources that it opens. They take precedence over the files of these sources. */
export interface SourceOptions {
  /** Variables of its programs (`--env`). */
  readonly environment?: Readonly<Record<string, string>> | undefined
  /** Headers of requests to its address (`--header`). */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Working directory of its programs (`--cwd`). Absolute. */
  readonly directory?: string | undefined
}

/** The environment in which a source is opened. */
export interface SourceContext {
  /** Directory against which relative paths of this source are resolved. Absolute. */
  readonly directory: string
  /** The directory in which the user started Toolscope; `directory` unless given. Absolute. */
  readonly callerDirectory?: string
  /** The directory that the user chose for its tools on the page, read at each use; takes precedence. Absolute. */
  readonly chosenDirectory?: () => string | undefined
  readonly environment: NodeJS.ProcessEnv
  readonly options?: SourceOptions
  /** The source's present settings, which take precedence over those of its definition: the page can change them. */
  readonly callSettings?: CallSettings
  /** The user's sign-ins at remote servers; without them a server that requires a sign-in cannot be opened. */
  readonly signIns?: SignIns
  /** The user's values for files of other clients that ask for inputs. */
  readonly inputValues?: InputValues
  /** The input values for this source. */
  readonly inputs?: Inputs
  /** Reports that the list of tools may have changed (a watcher, a server's notification). */
  readonly changed?: (cause: string) => void
  /** Reports that a resource changed; only for subscribed resources. */
  readonly resourceChanged?: (uri: string) => void
  /** Passes on what an MCP server says to its client at any time, with the source's name in the catalog. */
  readonly notified?: (notification: ServerNotification, source?: string) => void
  /** Receives each message between Toolscope and the source, if messages are recorded. */
  readonly wire?: WireSink
  /** The catalog keeps the messages of each of its sources; a recording names their lists by this hash. */
  readonly hashForWire?: (manifest: Manifest) => Promise<{ readonly hash: string }>
  /** Reports that the source stopped answering. Its list stays; `changed` reports that the source is back. */
  readonly down?: (error: AppError) => void
}

/** A log message of an MCP server, or that what it asked for at an address is done. */
export interface ServerNotification {
  readonly method: 'notifications/message' | 'notifications/elicitation/complete'
  readonly params: Readonly<Record<string, unknown>>
}

/** The settings that every kind shares; from toolscope.json or the command line. */
export interface SourceSettings extends CallSettings {
  /** The name in the catalog; unique there (a second `acme` becomes `acme-2`). */
  readonly name: string
  /** Milliseconds for its list of tools: per answer over MCP, otherwise in total. Each kind has its own default. */
  readonly listTimeoutMs?: number
  /** Variables for its programs, in addition to the inherited ones. */
  readonly environment?: Readonly<Record<string, string>>
  /** With `keep`, background processes of a tool continue after the call. */
  readonly background?: 'end' | 'keep'
  /**
   * Names of the variables that its programs inherit from Toolscope; the usual ones unless given (programEnvironment).
   */
  readonly inherit?: readonly string[]
  /** For an MCP server: how its tools offer other tools, if that is not recognised. */
  readonly hiddenCatalog?: HiddenCatalogPattern
}

/** The origin of a source: the page (with the user's entry), or a file. */
export type SourceOrigin =
  | { readonly from: 'page'; readonly entry: SourceEntry; readonly formerNames: readonly string[] }
  /** Absolute. */
  | { readonly from: 'file'; readonly file: string }

/** A source that is known but not yet opened. */
export interface SourceSpec {
  readonly settings: SourceSettings
  readonly kind: string
  /** The user's words for the source; shown before it is opened. */
  readonly label: string
  /** Equal for sources that would be opened in the same way: shows whether an entry of a configuration changed. */
  readonly definition: string
  /** The source as a command-line argument with secrets masked; absent if it cannot be named there. */
  readonly argument?: string
  /** The options that `argument` needs next to it on a command line. Not masked. */
  readonly argumentOptions?: Pick<SourceOptions, 'headers' | 'directory'>
  /** How a client reaches it, if it is an MCP server, or a program or an address that may be one. */
  readonly server?: {
    readonly config: McpServerConfig
    /** The folder that its relative paths start from, if its file sets one. Absolute. */
    readonly directory?: string
    /** The inputs that its file asks for: their defaults are parts of the command. */
    readonly inputs?: readonly ClientInput[]
  }
  /** The folder in which the tools of a functions directory run, if it is given; that of the caller otherwise. */
  readonly directory?: string
  /** The address that the user named; absent for a file or a program. */
  readonly url?: string
  /** The proposed name says little: what a server calls itself is a better one. */
  readonly isNameWeak?: boolean
  /** Absent for sources of the command line. */
  readonly origin?: SourceOrigin
  /** Known, but started only when the user asks for it. */
  readonly listedOnly?: boolean
  /**
   * Returns false if a configuration names it and the user does not trust that file: it is listed, but opening fails.
   */
  readonly isTrusted?: () => boolean
  open(context: SourceContext): Promise<Session>
}

/** Whether a source from a file may start without asking the user. */
export const mayStart = (spec: SourceSpec): boolean =>
  spec.listedOnly !== true && spec.isTrusted?.() !== false

/** An input to send: the exact JSON text and its parsed value. */
export interface CallInput {
  readonly text: string
  readonly value: unknown
}

/** The request of an MCP server that a question was read from. Neither shown nor stored. */
export interface QuestionRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage'
  readonly params: Readonly<Record<string, unknown>>
}

/** An answer, and what the server receives instead of it: the result of a client that got the server's own request. */
export interface AnswerWithResult extends GivenAnswer {
  readonly result?: Readonly<Record<string, unknown>>
}

/** The person that wrote a message to a server. */
export interface MessageAuthor {
  readonly name: string
  /** Why the person may not change the session, which all share; undefined if it may. */
  readonly sessionRefusal: string | undefined
  /** Is called once the message is answered, or its time is over. */
  ended(): void
}

export interface CallerFacts {
  /** Absent: the call begins one. */
  readonly trace?: CallTrace | undefined
  /** The lowest level of the log messages that a server of 2026-07-28 sends during the call. */
  readonly logLevel?: string | undefined
}

export interface CallOptions {
  /** The id of the call, for the wire. */
  readonly callId?: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Each progress that an MCP server reports resets the time limit, up to `longestCallMs`. */
  readonly progressResetsTimeout?: boolean
  /** Progress is not displayed and need not be requested. */
  readonly withoutProgress?: boolean
  /**
   * Answers a question that the source asks while the tool runs; absent if no user can answer. The time limit is paused
   * until it resolves. The signal aborts when the answer is no longer needed. `request` is the server's own.
   */
  readonly answer?:
    | ((question: Question, signal: AbortSignal, request: QuestionRequest) => Promise<AnswerWithResult>)
    | undefined
  /**
   * Called before the call is sent over a connection whose list was not compared, and before it is sent again with
   * answers: reads the list, and returns the ending of the call if it must not be sent. Absent if no list was approved.
   */
  readonly confirmList?: () => Promise<SessionEvent | undefined>
  /** `Session.starts` before the list was compared: a later connection may lead to another server. */
  readonly comparedStarts?: number | undefined
  /** The list was approved: the call gives nothing on that the list has in another version. */
  readonly isPinned?: boolean | undefined
  /** Background processes continue after the program ends by itself. */
  readonly keepsBackground?: boolean | undefined
  /** Values of an agent's variables, by name. */
  readonly variables?: Readonly<Record<string, string>>
  /** The request to an MCP server says this of the client that made the call. */
  readonly caller?: CallerFacts | undefined
  /** Asks the server to make a task of the call, if the tool leaves it to the caller. */
  readonly asTask?: boolean | undefined
  /** Calls nothing: returns the result of this task, which an earlier call of the tool left. */
  readonly taskId?: string | undefined
}

/** An argument of a prompt or a variable of a template, as typed so far. */
export interface ArgumentText {
  readonly argument: string
  readonly text: string
  /** The values of the other arguments. */
  readonly others: Readonly<Record<string, string>>
}

export type CallArguments = readonly [tool: Callable, input: CallInput, options: CallOptions]

/** The events of a call; the last one is the result or failure. */
export type CallEvents = AsyncGenerator<SessionEvent>

/** Returns the word of a source that is named by a single word. */
export const loneWord = (words: readonly string[]) => (words.length === 1 ? words[0] : undefined)

/** The changes of resources that a source reports. */
export interface ResourceChanges {
  /** URIs of the resources whose changes are reported. */
  readonly uris: ReadonlySet<string>
  /** Starts or stops reporting the changes of a resource. Rejects with an AppError. */
  set(uri: string, isWanted: boolean): Promise<void>
}

/** The agents of a source. */
export interface SessionAgents {
  /** Returns the agents of the latest list. */
  list(): readonly AgentDefinition[]
  /** Returns the values of their built-in variables. */
  environment(): AgentEnvironment
  /**
   * Runs the function that returns an agent's instructions if its `dynamicInstructions` is true; events as of `call`.
   */
  instructions(agent: string, options: CallOptions): CallEvents
}

/** `expired`: the parts that their source reported as changed, or that are no longer fresh. */
export type ListScope = 'all' | 'expired'

/** An open connection to a source. Every source has a label, a list and `close`; everything else is optional. */
export interface Session {
  /** The source as shown to people (`node examples/acme/acme.mjs`), secrets masked. */
  readonly label: string
  /** How its list is asked for, if it can be asked in several ways: `as an MCP server`. */
  readonly requestedAs?: string | undefined
  /** Secret texts of its configuration (arguments, headers, environment) that logs and errors must not show. */
  readonly secrets?: readonly string[] | undefined
  /** The actual kind if only opening could determine it (a URL may be a bridge or an MCP server). */
  readonly kind?: string | undefined
  /** Problems of its configuration, known before the list is read; the list's problems contain them too. */
  readonly problems?: readonly ManifestProblem[] | undefined
  /**
   * Returns the variables that hold the confirm rules for its tools, if its own files set some too (`.env`); otherwise
   * those of its settings take precedence over those of Toolscope.
   */
  confirmVariables?(): NodeJS.ProcessEnv | undefined
  /** Signs in at a remote server's authorization server, and out; absent if not possible. */
  readonly signIn?: SourceSignIn | undefined
  /** Returns the server's description of itself, once connected. */
  about?(): SourceAbout
  /** Returns the end of the source's log (a server's stderr). At most 64 KiB. */
  log?: (() => string) | undefined
  /** Returns the last lines of that log, with their times: at most 1,000, or 256 KiB. */
  logLines?(): readonly LogLine[]
  /** Sets the lowest level of the messages in the log; undefined: the server decides. */
  setLogLevel?(level: LogLevel | undefined): Promise<void>
  /**
   * Reads the list: every part, unless the scope is `expired`. Rejects with an AppError if there is no list; an invalid tool
   * becomes a problem in the list.
   */
  manifest(signal: AbortSignal, scope?: ListScope): Promise<Manifest>
  /** Its lists, by MCP's methods; those in `unread` could not be read the last time, and have the entries from before. */
  readonly lists?: { readonly unread: ReadonlySet<string> } | undefined
  /** Whether a part of the list is older than its source says that it may be used. */
  hasExpiredList?(): boolean
  /**
   * Runs a tool: any number of stdout, stderr and progress events, then exactly one result or failure.
   * Never throws after the first event; aborting the signal ends it with `cancelled` and ends all its processes.
   * Absent if the source cannot run tools.
   */
  call?: ((...parts: CallArguments) => AsyncIterable<SessionEvent>) | undefined
  readonly resourceChanges?: ResourceChanges | undefined
  /**
   * Returns the source's suggestions for an argument of a prompt or a variable of a template. Rejects if the source
   * fails.
   */
  complete?(entry: Callable, text: ArgumentText, signal: AbortSignal): Promise<readonly string[]>
  /** Reads a resource of an MCP server, listed or not. Returns its answer unchanged; rejects if the server fails. */
  readResource?(uri: string, signal: AbortSignal): Promise<unknown>
  /** Files whose change means that the list may have changed. Absolute paths. */
  readonly watch?: readonly string[] | undefined
  /** The only file that the list is read from, absolute: the git history of the file is the list's history. */
  readonly manifestPath?: string | undefined
  /** The directory in which its tools run, absolute; absent if the page cannot choose it. */
  readonly directory?: string | undefined
  /**
   * Sends a request or a notification of JSON-RPC, a request with a new id. Its answer is on the wire. Throws AppError
   * `request-invalid` if the text is neither. Absent if the source does not speak JSON-RPC. An author that
   * is a person may send only what does not concern others.
   */
  send?: ((text: string, author?: MessageAuthor) => Promise<void>) | undefined
  /** A change of the watched files needs a new session, because the running program is still the previous one. */
  readonly renews?: boolean | undefined
  /**
   * Returns whether the server that is running answers a request within the time. If it does not, it is ended, and the
   * next call starts it again. Absent if no server is running between calls.
   */
  isAlive?: ((signal: AbortSignal, timeoutMs: number) => Promise<boolean>) | undefined
  /** How often its server was started or connected to. */
  readonly starts?: number | undefined
  /** Returns whether a call is running; checked before a session is renewed. */
  busy?(): boolean
  readonly agents?: SessionAgents | undefined
  close(): Promise<void>
}

export interface SourceKind<Config> {
  /** The value in toolscope.json and in SourceState.kind. */
  readonly kind: string
  /**
   * Returns the configuration if a bare command-line argument names such a source, else null. No side effects except
   * reading a file's beginning. Words are the argument split as a shell would (`node tool.mjs` is two).
   */
  detect(words: readonly string[], context: SourceContext): Promise<Config | null>
  open(config: Config, settings: SourceSettings, context: SourceContext): Promise<Session>
}
