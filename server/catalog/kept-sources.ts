/**
 * Sources that were added in the page: kept in the store for the folder that Toolscope was started in, open or stopped as
 * they are, and put into the list again at the next start (docs/decisions/048-kept-sources.md).
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import parseArgv from 'string-argv'
import { z } from 'zod'
import { type SourceEntry, sourceEntry } from '../../core/api/source-entry.ts'
import type { ConfigChange, SourceState } from '../../core/api/sources.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import { fileAndServer } from '../recognise/detect-source.ts'
import { entrySource } from '../recognise/entry.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import { openSecretBox, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import { maskEntry, unmaskEntry } from './mask-entry.ts'
import type { SourceRegistry } from './source-registry.ts'

const keptSource = z.object({
  name: z.string(),
  entry: sourceEntry,
  formerNames: z.array(z.string()),
  isStopped: z.boolean(),
})
type KeptSource = z.infer<typeof keptSource>

/** A source as toolscope.json is to name it. */
export interface SavedSource {
  readonly name: string
  readonly entry: SourceEntry
  /** What it turned out to be when it was opened. */
  readonly kind: string
  /** That the relative paths of the entry start from. Absolute. */
  readonly directory: string
}

/** The project's toolscope.json. */
export interface ConfigWriter {
  /** Throws AppError `request-invalid` where the source cannot be written there, `config-invalid` where the file is broken. */
  preview(source: SavedSource): ConfigChange
  /**
   * Writes what was shown, for a user who thereby trusts it. Throws AppError `request-invalid` where the file has changed
   * since, `files-failed` where it cannot be written.
   */
  write(change: ConfigChange, name: string): void
}

export interface KeptSourcesParts {
  readonly sources: SourceRegistry
  readonly store: Store
  /** `directory` is the folder that the sources are kept for, and that their relative paths start from. */
  readonly context: SourceContext
  readonly say: (line: string) => void
  readonly config: ConfigWriter
}

export interface NamedEntry {
  readonly entry: SourceEntry
  /** One is proposed where it is absent. */
  readonly name?: string | undefined
  /** The user has not chosen the name: where it is taken, another one like it is given. */
  readonly isProposed?: boolean
}

export class KeptSources {
  private readonly parts: KeptSourcesParts
  private box: SecretBox | undefined
  /** Writes go one after another: the last state counts. */
  private written: Promise<unknown> = Promise.resolve()
  private readonly positions = new Map<string, number>()

  constructor(parts: KeptSourcesParts) {
    this.parts = parts
  }

  /** That relative paths start from. Absolute. */
  get directory(): string {
    return this.parts.context.directory
  }

  /** Files whose servers the page added by their paths. Absolute, each once. */
  files(): readonly string[] {
    const { sources, context } = this.parts
    const paths = sources.list().flatMap(({ name }) => {
      const origin = sources.find(name)?.spec.origin
      const line = origin?.from === 'page' ? origin.entry.line : undefined
      return line === undefined ? [] : (fileAndServer(parseArgv(line), context.directory)?.path ?? [])
    })
    return [...new Set(paths)]
  }

  /** Puts what is kept into the list, and opens what was open. Never rejects: what is wrong is said. */
  async load(): Promise<void> {
    try {
      const kept = await this.read()
      const specs = await Promise.all(kept.map(each => this.keptSpec(each)))
      await Promise.all(specs.map(spec => this.putBack(spec)))
    } catch (thrown) {
      this.parts.say(`The sources that were added in the page are not here: ${toAppError(thrown).detail}`)
    }
  }

  /** Opens a source and keeps it. Rejects with the AppError why it cannot be opened; then it is not kept. */
  async add({ entry, name, isProposed = name === undefined }: NamedEntry): Promise<SourceState> {
    const spec = await this.specOf(entry, name)
    const state = await this.parts.sources.openNamed(spec, !isProposed)
    await this.keep(state.name)
    return state
  }

  /** Opens several sources that were named together and keeps them all: a failure is the state of one. */
  async addAll(entries: readonly NamedEntry[]): Promise<SourceState[]> {
    const specs = await Promise.all(entries.map(({ entry, name }) => this.specOf(entry, name)))
    return Promise.all(
      specs.map(async spec => {
        const state = await this.parts.sources.open(spec)
        await this.keep(state.name)
        return state
      }),
    )
  }

  /** Opens a source and closes it again: what is there. Rejects with the AppError why it cannot be opened. */
  async probe({ entry, name }: NamedEntry): Promise<SourceState> {
    return this.parts.sources.probe(await this.specOf(this.completed(entry, name), undefined))
  }

  /**
   * Renames a source, opens it in another way, or both. Where that cannot be done it stays as it was: rejects with the
   * AppError why.
   */
  async change(name: string, to: Partial<NamedEntry>): Promise<SourceState> {
    const { sources } = this.parts
    const { formerNames } = this.ownOrigin(name)
    const next = to.name ?? name
    if (next !== name && sources.find(next) !== undefined)
      throw new AppError('name-taken', `there is a source "${next}" already`)
    if (to.entry !== undefined)
      await sources.change(name, await this.specOf(this.completed(to.entry, name), name, formerNames))
    if (next !== name) {
      sources.rename(name, next)
      const connection = sources.get(next)
      const former = [...formerNames.filter(each => each !== next && each !== name), name]
      const { entry } = this.ownOrigin(next)
      connection.spec = { ...connection.spec, origin: { from: 'page', entry, formerNames: former } }
      this.positions.set(next, this.positions.get(name) ?? Date.now())
      await this.keep(name)
    }
    await this.keep(next)
    return sources.stateOf(sources.get(next))
  }

  /** The entry of a source, its secrets masked. Throws AppError `request-invalid` where the page did not add it. */
  entryOf(name: string): SourceEntry {
    return maskEntry(this.ownOrigin(name).entry)
  }

  /** What toolscope.json would be with the source in it. Throws as `ConfigWriter.preview`. */
  configChange(name: string): ConfigChange {
    const { sources, config, context } = this.parts
    const { entry } = this.ownOrigin(name)
    const { kind } = sources.stateOf(sources.get(name))
    return config.preview({ name, entry, kind, directory: context.directory })
  }

  /**
   * Moves a source to toolscope.json: from then on the file names it. Throws as `ConfigWriter`.
   *
   * @param before the file as the user was shown it
   */
  async saveToConfig(name: string, before: string | null): Promise<ConfigChange> {
    const change = { ...this.configChange(name), before }
    const connection = this.parts.sources.get(name)
    const { spec } = connection
    // Before the file is written: whoever follows the file must find its source here.
    connection.spec = { ...spec, origin: { from: 'file', file: change.file } }
    try {
      this.parts.config.write(change, name)
    } catch (thrown) {
      connection.spec = spec
      throw thrown
    }
    await this.keep(name)
    return change
  }

  /** Writes down how a source is now: open, stopped or gone. Others than those of the page are left alone. Never rejects. */
  async keep(name: string): Promise<void> {
    const write = this.written.then(() => this.write(name))
    this.written = write.catch(() => undefined)
    await write.catch((thrown: unknown) => {
      this.parts.say(`What you changed of "${name}" holds until Toolscope ends: ${toAppError(thrown).detail}`)
    })
  }

  private async write(name: string): Promise<void> {
    const { store, sources } = this.parts
    const connection = sources.find(name)
    const { origin } = connection?.spec ?? {}
    const isKept = this.positions.has(name)
    if (connection === undefined || origin?.from !== 'page') {
      if (isKept) await store.database().deleteFrom('sources').where('id', '=', this.idOf(name)).execute()
      this.positions.delete(name)
      return
    }
    const { entry, formerNames } = origin
    const isStopped = sources.stateOf(connection).status === 'stopped'
    const kept: KeptSource = { name, entry, formerNames: [...formerNames], isStopped }
    const id = this.idOf(name)
    const body = this.openBox().seal(JSON.stringify(kept), id)
    // A pasted manifest can be large: sealing it was a turn of its own, and SQLite writes it on this thread.
    await setImmediate()
    const position = this.positions.get(name) ?? Date.now()
    this.positions.set(name, position)
    await store
      .database()
      .insertInto('sources')
      .values({ id, folder: this.folderId(), position, body })
      .onConflict(conflict => conflict.column('id').doUpdateSet({ body }))
      .execute()
  }

  private async read(): Promise<KeptSource[]> {
    if (this.parts.store.status().state !== 'ready') return []
    const rows = await this.parts.store
      .database()
      .selectFrom('sources')
      .select(['id', 'position', 'body'])
      .where('folder', '=', this.folderId())
      .orderBy('position')
      .execute()
    return rows.flatMap(({ id, position, body }) => {
      const text = this.openBox().open(body, id)
      const parsed = keptSource.safeParse(text === null ? undefined : parseJson(text))
      if (parsed.data === undefined) return []
      this.positions.set(parsed.data.name, position)
      return [parsed.data]
    })
  }

  private async keptSpec({ name, entry, formerNames, isStopped }: KeptSource): Promise<SourceSpec> {
    const spec = await this.specOf(entry, name, formerNames).catch(thrown =>
      brokenSpec(name, entry, formerNames, toAppError(thrown)),
    )
    return { ...spec, listedOnly: isStopped }
  }

  private async putBack(spec: SourceSpec): Promise<void> {
    const { name } = spec.settings
    const { name: given } = await this.parts.sources.add(spec)
    if (given === name) return
    // A file names another source so.
    this.positions.set(given, this.positions.get(name) ?? Date.now())
    await this.keep(name)
    await this.keep(given)
  }

  private async specOf(
    entry: SourceEntry,
    name: string | undefined,
    formerNames: readonly string[] = [],
  ): Promise<SourceSpec> {
    const { directory } = this.parts.context
    const spec = await entrySource(entry, name, this.parts.context, formerNames)
    return { ...spec, open: context => spec.open({ ...context, directory }) }
  }

  /** With the secrets that the user has left masked. */
  private completed(entry: SourceEntry, name: string | undefined): SourceEntry {
    const origin = name === undefined ? undefined : this.parts.sources.find(name)?.spec.origin
    return origin?.from === 'page' ? unmaskEntry(entry, origin.entry) : entry
  }

  private ownOrigin(name: string) {
    const { origin } = this.parts.sources.get(name).spec
    if (origin?.from === 'page') return origin
    const from = origin === undefined ? 'the command line' : origin.file
    throw new AppError('request-invalid', `"${name}" is from ${from}`, { hint: 'Change it there.' })
  }

  private openBox(): SecretBox {
    this.box ??= openSecretBox(this.parts.context.environment)
    return this.box
  }

  private folderId(): string {
    return hashOf([this.openBox().id, this.parts.context.directory])
  }

  private idOf(name: string): string {
    return hashOf([this.folderId(), name])
  }
}

/** What is kept and names nothing any more, so that the user can mend or remove it. */
function brokenSpec(
  name: string,
  entry: SourceEntry,
  formerNames: readonly string[],
  error: AppError,
): SourceSpec {
  const label = entry.line ?? entry.url ?? name
  return {
    settings: { name },
    kind: 'program',
    label: maskEntry({ line: label }).line ?? name,
    definition: JSON.stringify(entry),
    origin: { from: 'page', entry, formerNames },
    open: () => Promise.reject(error),
  }
}

const hashOf = (parts: readonly string[]) => createHash('sha256').update(JSON.stringify(parts)).digest('hex')
