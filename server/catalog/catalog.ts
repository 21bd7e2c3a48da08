/** The catalog: opens sources, holds their tools, answers by reference, and says when something changed. */
import { setMaxListeners } from 'node:events'
import type { Agent } from '../../core/agent/agent.ts'
import type { SourceState, ToolDetail } from '../../core/api/api.ts'
import { createSearchIndex, type SearchIndex } from '../../core/catalog/search-index.ts'
import { AppError, type AppErrorShape, toAppError } from '../../core/errors.ts'
import { type CommandNames, commandNames } from '../../core/help/command-name.ts'
import type { SnapshotCause } from '../../core/snapshot/snapshot.ts'
import { nearest } from '../../core/text/nearest.ts'
import type { Manifest, Tool } from '../../core/tool/tool.ts'
import type { SourceSpec } from '../sources/index.ts'
import type { Session, SourceContext } from '../sources/source.ts'
import { schemaHash } from '../validation/schema-hash.ts'
import { bridgedTwins } from './bridged-twins.ts'
import { agentsOfSource } from './catalog-agents.ts'

/** A list was read, whether or not it differs from the one before. */
export interface ManifestNews {
  readonly source: string
  readonly manifest: Manifest
  readonly cause: SnapshotCause
}

interface Entry {
  readonly name: string
  spec: SourceSpec
  label: string
  session?: Session
  status: SourceState['status']
  manifest?: Manifest
  tools: readonly Tool[]
  error?: AppErrorShape
  refreshedAt?: string
  durationMs?: number
  /** Two refreshes at once read the list once. */
  refreshing?: Promise<void>
  /** Files changed, and the source starts anew as soon as its calls have ended. */
  renewing?: Promise<void>
  /** The list changed while it was being read: once more. */
  again?: boolean
}

/** How long a server that is busy may keep us from starting it anew. */
const RENEW_WAIT_MS = 60_000

export class Catalog {
  private readonly entries = new Map<string, Entry>()
  private readonly listeners = new Set<() => void>()
  private readonly manifestListeners = new Set<(news: ManifestNews) => void>()
  private readonly closing = new AbortController()
  private readonly context: SourceContext
  private byRef: ReadonlyMap<string, Tool> = new Map()
  /** Tools that are listed by two sources and shown once. */
  private twins: ReadonlyMap<Tool, Tool> = new Map()
  private built: SearchIndex | undefined
  private named: CommandNames | undefined

  constructor(context: SourceContext) {
    this.context = context
    // Every open source listens for the end; that is no leak.
    setMaxListeners(0, this.closing.signal)
  }

  /** Adds a source under a name of its own (`acme`, `acme-2`) and reads its list. Never rejects: a failure is its state. */
  async open(spec: SourceSpec): Promise<SourceState> {
    const entry = this.put(spec, 'opening')
    await this.read(entry, 'opened')
    return this.stateOf(entry)
  }

  /** Adds a source; one that is only to be listed is left stopped until it is restarted. */
  async add(spec: SourceSpec): Promise<SourceState> {
    return spec.listedOnly === true ? this.stateOf(this.put(spec, 'stopped')) : this.open(spec)
  }

  /** Closes a source where it is open and opens it anew. A failure is its state. */
  async restart(name: string, cause: SnapshotCause = 'opened'): Promise<SourceState> {
    const entry = this.entry(name)
    await this.leave(entry)
    entry.status = 'starting'
    this.tell()
    await this.read(entry, cause)
    return this.stateOf(entry)
  }

  /** Closes a source and keeps it in the list, without its tools. */
  async stop(name: string): Promise<SourceState> {
    const entry = this.entry(name)
    await this.leave(entry)
    entry.status = 'stopped'
    delete entry.error
    delete entry.manifest
    entry.tools = []
    this.rebuild()
    this.tell()
    return this.stateOf(entry)
  }

  /** The end of what a source wrote beside its answers; empty where it keeps no log. */
  log(name: string): string {
    return this.entry(name).session?.log?.() ?? ''
  }

  /** Reads a source's list again. When that fails, the last good list stands and the state says so. */
  async refresh(name: string): Promise<SourceState> {
    const entry = this.entry(name)
    await this.read(entry, 'refreshed')
    return this.stateOf(entry)
  }

  /** A file that an open source is made of changed: its list is read again, from a new session where that is needed. */
  async fileChanged(name: string): Promise<void> {
    const entry = this.entries.get(name)
    if (entry?.session === undefined || this.closing.signal.aborted) return
    if (entry.session.renews !== true) return this.readAgain(entry, 'file changed')
    entry.renewing ??= this.renew(entry).finally(() => {
      delete entry.renewing
    })
    await entry.renewing
  }

  /** Puts another definition in the place of a source's; one that is open is opened anew unless `open` says no. */
  async replace(name: string, spec: SourceSpec, open: boolean): Promise<void> {
    const entry = this.entry(name)
    const wasOpen = entry.status !== 'stopped'
    entry.spec = spec
    entry.label = spec.label
    if (!wasOpen) this.tell()
    else if (open) await this.restart(name, 'file changed')
    else await this.stop(name)
  }

  /** Closes a source and forgets it. */
  async remove(name: string): Promise<void> {
    const entry = this.entry(name)
    this.entries.delete(name)
    await this.leave(entry)
    this.rebuild()
    this.tell()
  }

  /** The list that was read last; undefined where there is none. */
  manifest(name: string): Manifest | undefined {
    return this.entries.get(name)?.manifest
  }

  /** The file that a source's list is read from, where there is one. */
  manifestPath(name: string): string | undefined {
    return this.entries.get(name)?.session?.manifestPath
  }

  /** What each open source is made of: absolute paths, by the source's name. */
  watched(): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.entries.values()].flatMap(({ name, session }) =>
        session?.watch === undefined ? [] : [[name, session.watch] as const],
      ),
    )
  }

  sources(): SourceState[] {
    return [...this.entries.values()].map(entry => this.stateOf(entry))
  }

  /** Search and tree; built when first asked for after a change. */
  index(): SearchIndex {
    this.built ??= createSearchIndex([...this.byRef.values()], [...this.entries.keys()])
    return this.built
  }

  /** What the tools are called as commands; worked out when first asked for after a change. */
  commands(): CommandNames {
    this.named ??= commandNames([...this.byRef.values()])
    return this.named
  }

  /** Source by source, each in the order of its own list. */
  inOrder(): readonly Tool[] {
    return [...this.byRef.values()]
  }

  get tools(): readonly Tool[] {
    return this.index().tools
  }

  has(ref: string): boolean {
    return this.byRef.has(ref)
  }

  /** The tool and its open session. Throws AppError `tool-not-found`. */
  get(ref: string): {
    tool: Tool
    session: Session
    timeoutMs?: number
    environment?: Readonly<Record<string, string>>
  } {
    const tool = this.byRef.get(ref)
    const entry = tool && this.entries.get(tool.source)
    if (tool === undefined || entry?.session === undefined)
      throw new AppError('tool-not-found', this.notFound(ref))
    const { timeoutMs, environment } = entry.spec.settings
    return {
      tool,
      session: entry.session,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(environment === undefined ? {} : { environment }),
    }
  }

  detail(ref: string): ToolDetail {
    const { tool } = this.get(ref)
    const command = this.commands().commandOf(ref)
    return { ...tool, schemaHash: schemaHash(tool.inputSchema), ...(command !== undefined && { command }) }
  }

  /** By reference, by name where that is unique, or by command name. Throws `tool-not-found` or `tool-ambiguous`. */
  find(nameOrRef: string): Tool {
    const exact = this.byRef.get(nameOrRef)
    if (exact !== undefined) return exact
    const named = this.tools.filter(tool => tool.name === nameOrRef)
    const [first, second] = named
    if (first === undefined) {
      const commanded = this.commands().toolOf(nameOrRef)
      if (commanded !== undefined) return commanded
      throw new AppError('tool-not-found', this.notFound(nameOrRef))
    }
    if (second === undefined) return first
    throw new AppError(
      'tool-ambiguous',
      `"${nameOrRef}" is ${named.map(tool => `"${tool.ref}"`).join(' and ')}`,
    )
  }

  agents(): Agent[] {
    return [...this.entries.values()].flatMap(({ name, session, tools }) =>
      session === undefined
        ? []
        : agentsOfSource(
            name,
            session,
            tools.map(tool => this.twins.get(tool) ?? tool),
          ),
    )
  }

  /** Calls `listener` after every change of the list or of a source's state, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Calls `listener` after every list that was read, until the returned function is called. */
  onManifest(listener: (news: ManifestNews) => void): () => void {
    this.manifestListeners.add(listener)
    return () => this.manifestListeners.delete(listener)
  }

  async close(): Promise<void> {
    this.closing.abort()
    this.listeners.clear()
    this.manifestListeners.clear()
    await Promise.allSettled(
      [...this.entries.values()].map(async entry => {
        await entry.session?.close()
        // A source that was still opening closes as soon as it is open.
        await entry.refreshing
        await entry.session?.close()
      }),
    )
  }

  private async read(entry: Entry, cause: SnapshotCause): Promise<void> {
    entry.refreshing ??= this.readOnce(entry, cause).finally(() => {
      delete entry.refreshing
    })
    await entry.refreshing
  }

  private async readOnce(entry: Entry, cause: SnapshotCause): Promise<void> {
    const started = performance.now()
    let news: ManifestNews | undefined
    try {
      entry.session ??= await this.openSession(entry)
      const manifest = await entry.session.manifest(this.closing.signal)
      entry.manifest = manifest
      entry.tools = withReferences(entry.name, manifest, entry.session.call !== undefined)
      entry.status = 'ready'
      entry.refreshedAt = new Date().toISOString()
      delete entry.error
      news = { source: entry.name, manifest, cause }
    } catch (thrown) {
      entry.error = toAppError(thrown).toShape()
      entry.status = entry.manifest === undefined ? 'failed' : 'degraded'
    }
    entry.durationMs = Math.round(performance.now() - started)
    this.rebuild()
    this.tell()
    // A source that was stopped or removed meanwhile has no news.
    if (news === undefined || this.entries.get(entry.name)?.manifest !== news.manifest) return
    for (const listener of this.manifestListeners) listener(news)
  }

  /** Its own server still runs the old program: it is closed and started anew, once it has nothing to do. */
  private async renew(entry: Entry): Promise<void> {
    const { session } = entry
    const until = Date.now() + RENEW_WAIT_MS
    while (session?.busy?.() === true && Date.now() < until && !this.closing.signal.aborted)
      await new Promise(resolve => setTimeout(resolve, 200))
    if (entry.session !== session || this.closing.signal.aborted) return
    await this.restart(entry.name, 'file changed')
  }

  private put(spec: SourceSpec, status: SourceState['status']): Entry {
    const name = this.freeName(spec.settings.name)
    const entry: Entry = { name, spec, label: spec.label, status, tools: [] }
    this.entries.set(name, entry)
    this.tell()
    return entry
  }

  private entry(name: string): Entry {
    const entry = this.entries.get(name)
    if (entry !== undefined) return entry
    throw new AppError(
      'request-invalid',
      `there is no source "${name}"; there are ${[...this.entries.keys()].join(', ') || 'none'}`,
    )
  }

  /** A session whose own news (its list changed, it went down) reaches this entry for as long as it is its session. */
  private async openSession(entry: Entry): Promise<Session> {
    let session: Session | undefined
    const isCurrent = () => session !== undefined && entry.session === session && !this.closing.signal.aborted
    session = await entry.spec.open({
      ...this.context,
      changed: () => {
        if (isCurrent()) void this.readAgain(entry, 'list changed')
      },
      down: error => {
        if (!isCurrent()) return
        entry.status = entry.manifest === undefined ? 'failed' : 'degraded'
        entry.error = error.toShape()
        this.tell()
      },
    })
    return session
  }

  /** News that comes while the list is being read may be too late for that reading. */
  private async readAgain(entry: Entry, cause: SnapshotCause): Promise<void> {
    if (entry.refreshing === undefined) return this.read(entry, cause)
    if (entry.again === true) return
    entry.again = true
    await entry.refreshing
    delete entry.again
    await this.read(entry, cause)
  }

  private async leave(entry: Entry): Promise<void> {
    const { session } = entry
    delete entry.session
    await session?.close().catch(() => {})
    await entry.refreshing
    // A reading that was under way may have opened another one.
    await this.sessionOf(entry)
      ?.close()
      .catch(() => {})
    delete entry.session
  }

  private sessionOf(entry: Entry): Session | undefined {
    return entry.session
  }

  private stateOf(entry: Entry): SourceState {
    return stateOf(entry, entry.tools.filter(tool => this.twins.has(tool)).length)
  }

  private tell(): void {
    for (const listener of this.listeners) listener()
  }

  private rebuild(): void {
    const byRef = new Map<string, Tool>()
    this.twins = bridgedTwins([...this.entries.values()].map(entry => entry.tools))
    for (const entry of this.entries.values())
      for (const tool of entry.tools) if (!this.twins.has(tool)) byRef.set(tool.ref, tool)
    this.byRef = byRef
    this.built = undefined
    this.named = undefined
  }

  private freeName(wanted: string): string {
    const base = wanted.replace(/[/,~\s]+/g, '-') || 'source'
    let name = base
    for (let count = 2; this.entries.has(name); count++) name = `${base}-${count}`
    return name
  }

  private notFound(ref: string): string {
    const failed = this.sources().filter(source => source.status === 'failed')
    const missing = failed.length > 0 ? ` (not read: ${failed.map(source => source.name).join(', ')})` : ''
    const guess = nearest(
      ref,
      this.tools.slice(0, 5_000).flatMap(tool => [tool.name, tool.ref]),
    )
    return `"${ref}"${guess ? `; did you mean "${guess}"?` : ''}${missing}`
  }
}

/** `source/name`; the second tool of a name gets `~2`, and a name that looks like that makes it count on. */
function withReferences(source: string, manifest: Manifest, callable: boolean): Tool[] {
  const taken = new Set<string>()
  return manifest.tools.map((tool, index) => {
    const base = `${source}/${tool.name}`
    let ref = base
    for (let count = 2; taken.has(ref); count++) ref = `${base}~${count}`
    taken.add(ref)
    return { ...tool, ref, source, index, callable }
  })
}

function stateOf(entry: Entry, hidden: number): SourceState {
  const { manifest, session } = entry
  return {
    name: entry.name,
    kind: session?.kind ?? entry.spec.kind,
    label: session?.label ?? entry.label,
    ...(entry.spec.argument === undefined ? {} : { argument: entry.spec.argument }),
    status: entry.status,
    toolCount: entry.tools.length - hidden,
    ...(hidden === 0 ? {} : { hiddenTools: hidden }),
    callable: session?.call !== undefined,
    problems: manifest?.problems ?? session?.problems ?? [],
    ...(manifest === undefined ? {} : { format: manifest.format }),
    ...(manifest?.callingConvention === undefined ? {} : { callingConvention: manifest.callingConvention }),
    ...(manifest?.instructions === undefined ? {} : { instructions: manifest.instructions }),
    ...(entry.error === undefined ? {} : { error: entry.error }),
    ...(entry.refreshedAt === undefined ? {} : { refreshedAt: entry.refreshedAt }),
    ...(entry.durationMs === undefined ? {} : { durationMs: entry.durationMs }),
    ...session?.about?.(),
    ...(session?.log === undefined ? {} : { hasLog: true }),
  }
}
