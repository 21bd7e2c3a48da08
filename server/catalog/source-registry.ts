/** The sources of the catalog by name: adds and removes them, and emits their changes. */
import type { CallSettings } from '../../core/api/call-settings.ts'
import type { CatalogEvent } from '../../core/api/events.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { AppError } from '../../core/errors.ts'
import type { SnapshotCause } from '../../core/manifest/snapshot.ts'
import { freeName } from '../../core/text/free-name.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { Emitter } from '../process/events.ts'
import { nameOfServer, toSourceName } from '../recognise/source-name.ts'
import { mayStart, type SourceContext, type SourceSpec } from '../sources/source.ts'
import { withWire } from './create-wire.ts'
import { SourceConnection } from './source-connection.ts'
import type { ToolIndex } from './tool-index.ts'

/** A list was read, even if it equals the one before. */
export interface ManifestRead {
  readonly source: string
  readonly manifest: Manifest
  readonly cause: SnapshotCause
}

export interface SourceRenamed {
  readonly name: string
  readonly next: string
}

export class SourceRegistry {
  private readonly connections = new Map<string, SourceConnection>()
  /** Sources that are opened before they are listed. Their names are reserved; they are not listed and emit nothing. */
  private readonly unlisted = new Set<SourceConnection>()
  private readonly removed = new Map<string, SourceSpec>()
  /** For `freeName`, until a name is free again. */
  private readonly nextNumbers = new Map<string, number>()
  private readonly changes = new Emitter<CatalogEvent>()
  private readonly manifests = new Emitter<ManifestRead>()
  private readonly renames = new Emitter<SourceRenamed>()
  private readonly context: SourceContext
  private readonly index: ToolIndex

  /** @param index receives the tools of every source */
  constructor(context: SourceContext, index: ToolIndex) {
    this.context = context
    this.index = index
  }

  /** Adds a source under a unique name (`acme`, `acme-2`) and reads its list. Never rejects: its state has a failure. */
  async open(spec: SourceSpec): Promise<SourceState> {
    return this.openListed(this.enter(spec, 'opening'))
  }

  /**
   * Like `open`, for a source that the user has just named: it is kept only if it opens, or if only a sign-in is
   * missing. Otherwise rejects with the AppError; `source-known` if the same source is already there.
   *
   * @param isNameChosen the user has chosen the name: rejects with `name-taken` if another source has it
   * @param findName returns the name that a server gets that calls itself `own`
   */
  async openNamed(spec: SourceSpec, isNameChosen = false, findName = async (own: string) => own) {
    this.demandUnknown(spec)
    if (isNameChosen) this.demandFree(spec.settings.name)
    const connection = await this.openUnlisted(spec)
    const own = isNameChosen || !spec.isNameWeak ? undefined : nameOfServer(connection.session)
    if (own !== undefined) this.moveTo(freeName(await findName(own), this.connections), connection)
    return this.show(connection, 'opened')
  }

  /** Opens a source and reads its list without adding it. Rejects with an AppError if that fails. */
  async probe(spec: SourceSpec): Promise<SourceState> {
    const connection = await this.openUnlisted(spec)
    try {
      const toolCount = connection.manifest?.tools.length ?? 0
      return { ...this.stateOf(connection), toolCount }
    } finally {
      await this.discard(connection)
    }
  }

  /**
   * Opens a source with another definition in place of its own. If that fails nothing changes: rejects with the
   * AppError; `source-known` if another source has this definition.
   */
  async change(name: string, spec: SourceSpec): Promise<SourceState> {
    const before = this.get(name)
    this.demandUnknown(spec, name)
    const connection = await this.openUnlisted(spec)
    if (this.connections.get(name) !== before) {
      await this.discard(connection)
      throw new AppError('request-invalid', `"${name}" was removed or changed meanwhile`)
    }
    this.release(connection.name)
    this.index.remove(connection.name)
    connection.name = name
    this.connections.set(name, connection)
    const state = this.show(connection, 'refreshed')
    await before.close()
    return state
  }

  /** Renames a source, which stays open. Throws AppError `name-taken`. */
  rename(name: string, next: string): SourceState {
    const connection = this.get(name)
    if (next === name) return this.stateOf(connection)
    this.demandFree(next)
    this.moveTo(next, connection)
    this.renames.emit({ name, next })
    this.updateTools(connection)
    this.emit('sources', [name, next])
    this.emit('tools', [name])
    this.emit('agents', [name])
    if (connection.manifest) this.emitManifest(connection, connection.manifest, 'opened')
    return this.stateOf(connection)
  }

  /** Adds a source. An untrusted or list-only source stays stopped until it is restarted. */
  async add(spec: SourceSpec): Promise<SourceState> {
    return this.addNamed(spec).opened
  }

  /** Like `add`, for a caller that needs the name that the source gets before it is open. */
  addNamed(spec: SourceSpec): { readonly name: string; readonly opened: Promise<SourceState> } {
    const isOpened = mayStart(spec)
    const connection = this.enter(spec, isOpened ? 'opening' : 'stopped')
    const opened = isOpened ? this.openListed(connection) : Promise.resolve(this.stateOf(connection))
    return { name: connection.name, opened }
  }

  /** Closes a source if it is open and opens it again. A failure becomes its state. */
  restart(name: string): Promise<SourceState> {
    return this.after(name, connection => connection.restart('opened'))
  }

  /** Closes a source and keeps it in the list, without its tools. */
  stop(name: string): Promise<SourceState> {
    return this.after(name, connection => connection.stop())
  }

  /**
   * Reads a source's list again. If that fails, the last good list stays in use and the state has the error. Throws
   * AppError `request-invalid` if the source is stopped, because reading must not start it.
   */
  async refresh(name: string): Promise<SourceState> {
    if (this.stateOf(this.get(name)).status === 'stopped')
      throw new AppError('request-invalid', `"${name}" is stopped`, { hint: 'Start it first.' })
    return this.after(name, connection => connection.refresh('refreshed'))
  }

  /** Reads the lists again that are no longer fresh, in the background. */
  refreshExpired(): void {
    for (const connection of this.connections.values()) connection.refreshExpired()
  }

  /** Sets the working directory of a source's tools. Throws as `SourceConnection.setDirectory`. */
  setDirectory(name: string, directory: string): SourceState {
    const connection = this.get(name)
    connection.setDirectory(directory)
    return this.stateOf(connection)
  }

  /** Sets how the tools of a source are called; without a kept entry, until Toolscope ends. */
  setCallSettings(name: string, settings: CallSettings): Promise<SourceState> {
    return this.after(name, connection => connection.setCallSettings(settings))
  }

  private async after(name: string, act: (connection: SourceConnection) => unknown): Promise<SourceState> {
    const connection = this.get(name)
    await act(connection)
    return this.stateOf(connection)
  }

  /** Closes a source and removes it; `restore` brings it back. */
  async remove(name: string): Promise<void> {
    const connection = this.get(name)
    const isStopped = this.stateOf(connection).status === 'stopped'
    this.removed.set(name, { ...connection.spec, listedOnly: isStopped })
    this.release(name)
    await connection.close()
  }

  /**
   * Brings back a removed source and opens it unless it was stopped. Throws AppError `not-found` if no source of this
   * name was removed.
   */
  async restore(name: string): Promise<SourceState> {
    const spec = this.removed.get(name)
    if (spec === undefined) throw new AppError('not-found', `no source "${name}" was removed`)
    this.removed.delete(name)
    return this.add({ ...spec, settings: { ...spec.settings, name } })
  }

  /** Returns the sources that `restore` can bring back, newest last. */
  listRemoved(): { readonly name: string; readonly label: string }[] {
    return [...this.removed].flatMap(([name, { label }]) =>
      this.connections.has(name) ? [] : [{ name, label }],
    )
  }

  names(): string[] {
    return this.list().map(({ name }) => name)
  }

  list(): SourceState[] {
    return [...this.connections.values()]
      .filter(connection => !this.unlisted.has(connection))
      .map(connection => this.stateOf(connection))
  }

  /** Returns the name of the source with the same definition; undefined if no source has it. */
  nameOf({ definition }: SourceSpec, except?: string): string | undefined {
    for (const { spec, name } of this.connections.values())
      if (spec.definition === definition && name !== except) return name
    return undefined
  }

  find(name: string): SourceConnection | undefined {
    return this.connections.get(name)
  }

  /** Throws AppError `request-invalid`, which lists the existing sources. */
  get(name: string): SourceConnection {
    const connection = this.connections.get(name)
    if (connection !== undefined) return connection
    throw new AppError(
      'request-invalid',
      `there is no source "${name}"; there are ${[...this.connections.keys()].join(', ') || 'none'}`,
    )
  }

  /** Calls `listener` after every change, until the returned function is called. */
  onChange(listener: (event: CatalogEvent) => void): () => void {
    return this.changes.on(listener)
  }

  /** Emits that the tools of every source must be read again. */
  emitToolsChanged(): void {
    this.emit('tools', ['*'])
  }

  /** Calls `listener` after every change of the tools that are shown, until the returned function is called. */
  onToolsChange(listener: () => void): () => void {
    return this.onChange(({ what }) => {
      if (what === 'tools') listener()
    })
  }

  /** Caches the result of `build` until the tools change, or the approved ones. */
  cached<Value>(build: () => Value): () => Value {
    let built: { readonly value: Value; readonly revision: object } | undefined
    return () => {
      const { revision } = this.index
      if (built?.revision !== revision) built = { value: build(), revision }
      return built.value
    }
  }

  /** Calls `listener` after every list that was read, until the returned function is called. */
  onManifest(listener: (read: ManifestRead) => void): () => void {
    return this.manifests.on(listener)
  }

  /** Calls `listener` after every rename, before the list is emitted under the new name. Returns a function that stops it. */
  onRenamed(listener: (renamed: SourceRenamed) => void): () => void {
    return this.renames.on(listener)
  }

  /** Closes every source. Nothing is emitted afterwards. */
  async close(): Promise<void> {
    this.changes.clear()
    this.manifests.clear()
    this.renames.clear()
    await Promise.all([...this.connections.values()].map(connection => connection.close()))
  }

  private enter(spec: SourceSpec, state: 'opening' | 'stopped'): SourceConnection {
    const connection = this.connect(spec, state)
    this.emit('sources', [connection.name])
    return connection
  }

  private async openListed(connection: SourceConnection): Promise<SourceState> {
    await connection.refresh('opened')
    return this.stateOf(connection)
  }

  /** Makes the name of a source free. */
  private release(name: string): void {
    this.connections.delete(name)
    this.nextNumbers.clear()
  }

  /** Returns the name that the next source gets for a wanted one: free here, and not in `taken`. */
  nameFor(wanted: string, taken: ReadonlySet<string>): string {
    return freeName(toSourceName(wanted), { has: name => this.connections.has(name) || taken.has(name) })
  }

  private connect(spec: SourceSpec, state: 'opening' | 'stopped'): SourceConnection {
    const name = freeName(toSourceName(spec.settings.name), this.connections, undefined, this.nextNumbers)
    const listed = (report: () => void) => {
      // `change` may have replaced it with another connection.
      const isCurrent = (this.connections.get(connection.name) ?? connection) === connection
      if (isCurrent && !this.unlisted.has(connection)) report()
    }
    const notified: SourceContext['notified'] = said => this.context.notified?.(said, connection.name)
    const context = withWire({ ...this.context, notified }, () => connection)
    const connection: SourceConnection = new SourceConnection(name, spec, state, context, {
      onState: () => listed(() => this.emit('sources', [connection.name])),
      onRead: manifest => this.index.prepare(connection.name, manifest.tools, connection, manifest),
      onList: () => listed(() => this.updateTools(connection)),
      onResource: uri => listed(() => this.changes.emit({ what: 'resource', source: connection.name, uri })),
      onManifest: (manifest, cause) => listed(() => this.emitManifest(connection, manifest, cause)),
    })
    this.connections.set(name, connection)
    this.index.set(name, [])
    return connection
  }

  /** Opens a source that is not listed yet, under a unique name. Rejects if it returns no list of tools. */
  private async openUnlisted(spec: SourceSpec): Promise<SourceConnection> {
    const connection = this.connect(spec, 'opening')
    this.unlisted.add(connection)
    try {
      await connection.refresh('opened')
      const { status, error } = this.stateOf(connection)
      if (status === 'failed' && error !== undefined && error.code !== 'sign-in-needed')
        throw new AppError(error.code, error.detail, error)
      return connection
    } catch (thrown) {
      await this.discard(connection)
      throw thrown
    }
  }

  /** Gives a connection another name, in the same position. */
  private moveTo(next: string, connection: SourceConnection): void {
    const { name } = connection
    connection.name = next
    const entries = [...this.connections.entries()]
    this.connections.clear()
    this.nextNumbers.clear()
    for (const [each, value] of entries) this.connections.set(each === name ? next : each, value)
    this.index.rename(name, next)
  }

  private async discard(connection: SourceConnection): Promise<void> {
    this.release(connection.name)
    this.index.remove(connection.name)
    await connection.close()
    this.unlisted.delete(connection)
  }

  /** Adds an open, unlisted source to the list, under its name. */
  private show(connection: SourceConnection, cause: SnapshotCause): SourceState {
    this.unlisted.delete(connection)
    this.updateTools(connection)
    this.emit('sources', [connection.name])
    if (connection.manifest) this.emitManifest(connection, connection.manifest, cause)
    return this.stateOf(connection)
  }

  /** @param except the name of a source that may have the same definition */
  private demandUnknown(spec: SourceSpec, except?: string): void {
    const known = this.nameOf(spec, except)
    if (known !== undefined) throw new AppError('source-known', `it is called "${known}"`)
  }

  private demandFree(name: string): void {
    if (this.connections.has(name)) throw new AppError('name-taken', `there is a source "${name}" already`)
  }

  private emitManifest({ name }: SourceConnection, manifest: Manifest, cause: SnapshotCause): void {
    this.manifests.emit({ source: name, manifest, cause })
  }

  /** Updates the index. A changed source may hide tools of other sources, or show them again. */
  private updateTools(connection: SourceConnection): void {
    const { name, session, manifest } = connection
    const changed = this.connections.has(name)
      ? this.index.set(name, manifest?.tools ?? [], connection, manifest)
      : this.index.remove(name)
    const others = changed.filter(each => each !== name)
    this.emit('sources', others)
    this.emit('tools', changed)
    // Agents name their tools. A source without a session may have had agents.
    const findSession = (each: string) => (each === name ? session : this.connections.get(each)?.session)
    this.emit(
      'agents',
      changed.filter(each => findSession(each) === undefined || findSession(each)?.agents !== undefined),
    )
  }

  private emit(what: 'sources' | 'tools' | 'agents', sources: readonly string[]): void {
    for (const source of sources) this.changes.emit({ what, source })
  }

  stateOf(connection: SourceConnection): SourceState {
    return connection.describe(this.index.countOf(connection.name))
  }
}
