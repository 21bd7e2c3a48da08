/** The connection to one source: opens it, reads its list, restarts and stops it. Its states: connection-state.ts. */
import { setMaxListeners } from 'node:events'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type CallSettings, needsNewConnection, replaceCallSettings } from '../../core/api/call-settings.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { AppError, type AppErrorShape, toAppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { SnapshotCause } from '../../core/manifest/snapshot.ts'
import type { LogLine } from '../../core/tool/log-line.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { isDirectory } from '../process/command-line.ts'
import { readLogLines, readMaskedManifest } from '../sources/masked.ts'
import { fillEnvironment } from '../sources/program-environment.ts'
import type { Session, SourceContext, SourceSpec } from '../sources/source.ts'
import { type RuledList, ruleList } from './confirm-rules.ts'
import {
  type ConnectionEvent,
  type ConnectionState,
  incompleteError,
  ListChanges,
  nextState,
  renewalWait,
  toSourceStatus,
} from './connection-state.ts'
import { describeSource } from './describe-source.ts'

/** How long a busy server may delay its own restart. */
const maxBusyWaitMs = 60_000
/** A change this soon after a start may come from the program that was started. */
const startWritesMs = 2_000
/** Minimum time between two readings of a list that its source reports as changed. */
const minRereadIntervalMs = 1_000
/** Reports within this time count as one change. */
const settleMs = 100

export interface ConnectionListeners {
  /** The state, the error or the times changed. */
  onState(): void
  /** Called after a new list was read, to do long work in slices before `onList`. */
  onRead(manifest: Manifest): Promise<void>
  /** The list was replaced or dropped. Called before `onState`. */
  onList(): void
  /** A subscribed resource has changed. */
  onResource(uri: string): void
  /** A list was read, even if it equals the one before. Called last. */
  onManifest(manifest: Manifest, cause: SnapshotCause): void
}

/** One session, from the moment it is wanted. Reports are ignored after it is aborted. */
interface OpenAttempt {
  readonly abort: AbortController
  session?: Session
  reading?: Promise<void>
  readonly changes: ListChanges
  /** The next reading, after the source reported a change. */
  rereading?: Promise<void>
  /** When it was last read because of a change, as `performance.now()`. */
  rereadAt?: number
  /** The replacement of this session, after a file changed. */
  renewing?: Promise<void>
}

function newAttempt(): OpenAttempt {
  const abort = new AbortController()
  setMaxListeners(0, abort.signal) // Every running call adds a listener.
  return { abort, changes: new ListChanges() }
}

export class SourceConnection {
  name: string
  readonly context: SourceContext
  private readonly listeners: ConnectionListeners
  /** How it is opened; `replace` changes it. */
  spec: SourceSpec
  private state: ConnectionState
  private attempt = newAttempt()
  /** Resolves when every earlier session has ended; only then is the next one opened. */
  private disconnected: Promise<unknown> = Promise.resolve()
  /** The last good list. */
  last: RuledList | undefined
  private error: AppErrorShape | undefined
  private refreshedAt: string | undefined
  private durationMs: number | undefined
  /** When all lists were read last, in milliseconds since 1970, and how long that took. */
  readAt: { readonly at: number; readonly durationMs: number } | undefined
  /** When it was last restarted because a file changed, as `performance.now()`. */
  private renewedAt = Number.NEGATIVE_INFINITY
  /** How long the last such restart waited. */
  private renewalWaitMs = 0
  private chosenDirectory: string | undefined
  private filled: SourceSpec['settings'] | undefined

  /** @param state `opening` if `refresh` follows at once, `stopped` if the source is only listed */
  constructor(
    name: string,
    spec: SourceSpec,
    state: 'opening' | 'stopped',
    context: SourceContext,
    listeners: ConnectionListeners,
  ) {
    this.name = name
    this.spec = spec
    this.state = state
    this.context = context
    this.listeners = listeners
  }

  get session(): Session | undefined {
    return this.attempt.session
  }

  /** Aborted before the session is closed, which ends its calls. */
  get closed(): AbortSignal {
    return this.attempt.abort.signal
  }

  get changes(): ListChanges {
    return this.attempt.changes
  }

  /** The list that was read last; undefined before the first list. */
  get manifest(): Manifest | undefined {
    return this.last?.ruled
  }

  /** The settings with the values of their variables at the last opening. */
  get settings(): SourceSpec['settings'] {
    return this.filled ?? this.spec.settings
  }

  /** Returns the last lines of the source's log; empty if it keeps none. */
  logLines(): readonly LogLine[] {
    return readLogLines(this.session, this.settings)
  }

  /** Reads the list again, and opens the source if it is not open. A failure becomes its state; the last list stays. */
  async refresh(cause: SnapshotCause): Promise<void> {
    await this.read(cause)
  }

  /** Reads the lists again that are no longer fresh, in the background. Called when a user looks at the catalog. */
  refreshExpired(): void {
    const { attempt } = this
    if (attempt.reading === undefined && attempt.session?.hasExpiredList?.() === true)
      void this.listChanged('list changed')
  }

  /** Closes the source if it is open and opens it again. A failure becomes its state. */
  async restart(cause: SnapshotCause): Promise<void> {
    if (!this.enter('open')) return
    void this.disconnect()
    this.listeners.onState()
    await this.read(cause)
  }

  /** Reports why a sign-in did not succeed; the source waits for another one. */
  signInFailed(error: AppError): void {
    const { detail, hint } = error.toShape()
    this.error = new AppError('sign-in-needed', detail, { hint }).toShape()
    this.listeners.onState()
  }

  /** Closes the source and drops its list. */
  async stop(): Promise<void> {
    if (!this.enter('stop')) return
    this.error = undefined
    await this.dropList()
  }

  /** Stops the source for good. */
  async close(): Promise<void> {
    if (this.enter('close')) await this.dropList()
  }

  /** Reads the list after a file changed. A session that is still starting may have read the old file: it is replaced too. */
  async fileChanged(): Promise<void> {
    const { attempt } = this
    if (this.state === 'stopped') return
    if (attempt.session !== undefined && attempt.session.renews !== true)
      return this.listChanged('file changed')
    attempt.renewing ??= this.restartWhenIdle(attempt).finally(() => {
      delete attempt.renewing
    })
    await attempt.renewing
  }

  /** Changes the definition of the source. An open source is opened again, or stopped if `open` is false. */
  async replace(spec: SourceSpec, open: boolean): Promise<void> {
    this.spec = spec
    if (this.state === 'stopped') this.listeners.onState()
    else if (open) await this.restart('file changed')
    else await this.stop()
  }

  /**
   * Sets the folder in which the tools run from the next call on, until Toolscope ends, relative to where Toolscope was
   * started; an empty text resets it. Throws AppError `request-invalid` if it is not a directory, or if the source has a
   * fixed one.
   */
  setDirectory(directory: string): void {
    const { session, context, name } = this
    if (session?.directory === undefined)
      throw new AppError('request-invalid', `the working directory of "${name}" cannot be changed`, {
        hint: 'Only for an open llm-functions directory. For a program, set "directory" in toolscope.json.',
      })
    const path = resolve(context.callerDirectory ?? context.directory, directory)
    if (directory !== '' && !isDirectory(path))
      throw new AppError('request-invalid', `${path} is not a directory`, { hint: 'Name one that is there.' })
    this.chosenDirectory = directory === '' ? undefined : path
    this.listeners.onState()
  }

  /** Sets how its tools are called from now on. It is opened again only if its server must receive a setting. */
  async setCallSettings(given: CallSettings): Promise<void> {
    const { settings, origin } = this.spec
    const entry = origin?.from === 'page' && { entry: replaceCallSettings(origin.entry, given) }
    this.spec = {
      ...this.spec,
      settings: replaceCallSettings(settings, given),
      ...(entry && { origin: { ...origin, ...entry } }),
    }
    this.filled &&= replaceCallSettings(this.filled, given)
    this.listeners.onState()
    if (needsNewConnection(settings, given) && this.state !== 'stopped')
      await this.restart('settings changed')
    else if (settings.logLevel !== given.logLevel) await this.session?.setLogLevel?.(given.logLevel)
    await this.updateRules()
  }

  /** Adds the confirm rules again until the last good list has those of the present setting. */
  private async updateRules(): Promise<void> {
    for (;;) {
      // A reading in progress may have taken the setting as it was before.
      await this.attempt.reading
      const { last, session } = this
      if (last?.askMode === this.settings.askBeforeDestructive) return
      // Rules may be in the variables of the session; the next one adds them.
      if (last === undefined || session === undefined) return
      const next = await this.addRules(last.list)
      await this.listeners.onRead(next.ruled)
      if (this.last !== last) continue
      this.last = next
      this.listeners.onList()
      this.listeners.onState()
    }
  }

  /** Returns the state that the page shows. @param tools how many of its tools the catalog shows and hides */
  describe(tools: { readonly shown: number; readonly hidden: number }): SourceState {
    const { name, spec, settings, session, chosenDirectory, manifest, error, refreshedAt, durationMs } = this
    const status = toSourceStatus(this.state)
    const read = withoutUndefined({ error, refreshedAt, durationMs })
    return describeSource({ name, spec, settings, session, chosenDirectory, manifest, status, read, tools })
  }

  private enter(event: ConnectionEvent): boolean {
    const next = nextState(this.state, event)
    if (next !== null) this.state = next
    return next !== null
  }

  /** Concurrent calls share one reading of the list, if it misses nothing. */
  private async read(cause: SnapshotCause): Promise<void> {
    const { attempt } = this
    while (cause === 'refreshed' && attempt.changes.isMissed && attempt.reading !== undefined)
      await attempt.reading
    attempt.reading ??= this.readList(attempt, cause).finally(() => {
      delete attempt.reading
      attempt.changes.isReading = false
    })
    await attempt.reading
  }

  private async readList(attempt: OpenAttempt, cause: SnapshotCause): Promise<void> {
    const started = performance.now()
    const { signal } = attempt.abort
    const scope = cause === 'list changed' ? 'expired' : 'all'
    attempt.changes.beginReading(scope)
    let read: RuledList | { readonly error: AppError }
    try {
      attempt.session ??= await this.openSession(attempt)
      const list = await readMaskedManifest(attempt.session, this.settings, signal, scope)
      read =
        list.incomplete !== undefined && this.last && this.last.list.incomplete === undefined
          ? { error: incompleteError(list.incomplete) }
          : await this.addRules(list)
      if ('ruled' in read && !signal.aborted && read.ruled !== this.manifest)
        await this.listeners.onRead(read.ruled)
    } catch (thrown) {
      read = { error: toAppError(thrown) }
    }
    if (signal.aborted || !this.enter('ruled' in read ? 'listRead' : 'readFailed')) return
    this.durationMs = Math.round(performance.now() - started)
    if ('error' in read) {
      this.error = read.error.toShape()
      this.listeners.onState()
      return
    }
    const { incomplete } = read.ruled
    if (incomplete !== undefined) this.enter('readFailed')
    this.error = incomplete === undefined ? undefined : incompleteError(incomplete).toShape()
    const isUnchanged = read.ruled === this.manifest
    this.last = read
    this.refreshedAt = new Date().toISOString()
    attempt.changes.endReading()
    if (scope === 'all') this.readAt = { at: Date.now(), durationMs: this.durationMs }
    if (!isUnchanged) this.listeners.onList()
    this.listeners.onState()
    if (incomplete === undefined) this.listeners.onManifest(read.ruled, cause)
  }

  /** Adds the confirm rules to a list. An unchanged list is the same object as before. */
  private async addRules(list: Manifest): Promise<RuledList> {
    const { last, settings, session } = this
    const own = { ...this.context.environment, ...settings.environment }
    return ruleList(list, last, session?.confirmVariables?.() ?? own, settings.askBeforeDestructive)
  }

  private async openSession(attempt: OpenAttempt): Promise<Session> {
    await this.disconnected
    attempt.abort.signal.throwIfAborted()
    const isCurrent = () => attempt === this.attempt && attempt.session !== undefined
    this.filled = fillEnvironment(this.spec.settings, this.context.environment)
    return this.spec.open({
      ...this.context,
      callSettings: this.filled,
      chosenDirectory: () => this.chosenDirectory,
      changed: () => {
        if (isCurrent()) void this.listChanged('list changed')
      },
      resourceChanged: uri => {
        if (isCurrent()) this.listeners.onResource(uri)
      },
      down: error => {
        if (!isCurrent() || !this.enter('wentDown')) return
        this.error = error.toShape()
        this.listeners.onState()
      },
    })
  }

  /** Limits how often the list is read, even if the source reports changes all the time. */
  private async listChanged(cause: SnapshotCause): Promise<void> {
    const { attempt } = this
    attempt.changes.add()
    attempt.rereading ??= this.reread(attempt, cause)
    await attempt.rereading
  }

  private async reread(attempt: OpenAttempt, cause: SnapshotCause): Promise<void> {
    const next = (attempt.rereadAt ?? Number.NEGATIVE_INFINITY) + minRereadIntervalMs
    await setTimeout(Math.max(settleMs, next - performance.now()), undefined, { ref: false })
    // The reading in progress may have missed this change.
    await attempt.reading
    if (attempt !== this.attempt) return
    attempt.rereadAt = performance.now()
    const reading = this.read(cause)
    // A report from here on starts another reading.
    delete attempt.rereading
    await reading
  }

  /** The old program still answers: restarts it once no call is running. */
  private async restartWhenIdle(attempt: OpenAttempt): Promise<void> {
    const isSoon = attempt.reading !== undefined || performance.now() - this.renewedAt < startWritesMs
    const waitMs = renewalWait(isSoon, this.renewalWaitMs)
    if (waitMs === undefined) return
    this.renewalWaitMs = waitMs
    await setTimeout(waitMs, undefined, { ref: false })
    const until = Date.now() + maxBusyWaitMs
    while (attempt.session?.busy?.() === true && Date.now() < until && !attempt.abort.signal.aborted)
      await setTimeout(200)
    if (attempt !== this.attempt) return
    await this.restart('file changed')
    this.renewedAt = performance.now()
  }

  private async dropList(): Promise<void> {
    this.last = undefined
    const disconnected = this.disconnect()
    this.listeners.onList()
    this.listeners.onState()
    await disconnected
  }

  /** Ends the session, even if it is still being opened. Its later reports are ignored. */
  private disconnect(): Promise<unknown> {
    const { attempt, session } = this
    this.attempt = newAttempt()
    attempt.abort.abort()
    const end = async () => {
      await session?.close().catch(() => {})
      await attempt.reading
      if (attempt.session !== session) await attempt.session?.close().catch(() => {})
    }
    this.disconnected = Promise.all([this.disconnected, end()])
    return this.disconnected
  }
}
