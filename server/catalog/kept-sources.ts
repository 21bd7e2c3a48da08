/**
 * Sources that were added in the page. The store keeps them, with their state, for the folder that Toolscope was
 * started in; the next start lists them again (docs/decisions/048-kept-sources.md).
 */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import parseArgv from 'string-argv'
import { z } from 'zod'
import { type SourceEntry, sourceEntry } from '../../core/api/source-entry.ts'
import type { ConfigChange, Recognised, SourceState } from '../../core/api/sources.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import { fileAndServer } from '../recognise/detect-source.ts'
import { entrySource } from '../recognise/entry.ts'
import { recogniseLine } from '../recognise/recognise-line.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import { openSecretBox, type SecretBox } from '../store/secret-box.ts'
import type { Store } from '../store/store.ts'
import { startInSlices } from '../workers/slices.ts'
import { maskEntry, unmaskEntry } from './mask-entry.ts'
import type { SourceRegistry } from './source-registry.ts'

const keptSource = z.object({
  name: z.string(),
  entry: sourceEntry,
  formerNames: z.array(z.string()),
  isStopped: z.boolean(),
})
type KeptSource = z.infer<typeof keptSource>

/** A source to be written to toolscope.json. */
export interface SavedSource {
  readonly name: string
  readonly entry: SourceEntry
  /** The kind that was detected when it was opened. */
  readonly kind: string
  /** The folder that the entry's relative paths start from. Absolute. */
  readonly directory: string
}

/** The project's toolscope.json. */
export interface ConfigWriter {
  /**
   * Returns the change of the file. Throws AppError `request-invalid` if the source cannot be written there,
   * `config-invalid` if the file is broken.
   */
  preview(source: SavedSource): ConfigChange
  /**
   * Writes the change that the user has seen and thereby trusts. Throws AppError `request-invalid` if the file has
   * changed since, `files-failed` if it cannot be written.
   */
  write(change: ConfigChange, name: string): void
}

export interface KeptSourcesParts {
  readonly sources: SourceRegistry
  readonly store: Store
  /** `directory` is the folder that the sources are kept for and that their relative paths start from. */
  readonly context: SourceContext
  readonly say: (line: string) => void
  readonly config: ConfigWriter
}

export interface NamedEntry {
  readonly entry: SourceEntry
  /** Absent: a name is proposed. */
  readonly name?: string | undefined
  /** The user has not chosen the name: if it is in use, a similar one is given. */
  readonly isProposed?: boolean
}

export class KeptSources {
  private readonly parts: KeptSourcesParts
  private box: SecretBox | undefined
  /** Writes run one after another, so that the last state is stored. */
  private written: Promise<unknown> = Promise.resolve()
  private readonly positions = new Map<string, number>()

  constructor(parts: KeptSourcesParts) {
    this.parts = parts
  }

  /** The folder that relative paths start from. Absolute. */
  get directory(): string {
    return this.parts.context.directory
  }

  /** Returns the files whose servers the page added by path. Absolute, each once. */
  files(): readonly string[] {
    const { sources, context } = this.parts
    const paths = sources.list().flatMap(({ name }) => {
      const origin = sources.find(name)?.spec.origin
      const line = origin?.from === 'page' ? origin.entry.line : undefined
      return line === undefined ? [] : (fileAndServer(parseArgv(line), context.directory)?.path ?? [])
    })
    return [...new Set(paths)]
  }

  /** Lists the kept sources and opens those that were open. Never rejects: problems are printed. */
  async load(): Promise<void> {
    try {
      const kept = await this.read()
      const specs = await startInSlices(kept, each => this.keptSpec(each))
      await startInSlices(specs, spec => this.putBack(spec))
    } catch (thrown) {
      this.parts.say(`The sources that were added in the page are not here: ${toAppError(thrown).detail}`)
    }
  }

  /** Opens a source and keeps it. Rejects with an AppError if it cannot be opened, and does not keep it then. */
  async add({ entry, name, isProposed = name === undefined }: NamedEntry): Promise<SourceState> {
    const spec = await this.specOf(entry, name)
    const state = await this.parts.sources.openNamed(spec, !isProposed)
    await this.keep(state.name)
    return state
  }

  /** Opens several sources that were named together and keeps them all: a failure becomes the state of its source. */
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

  /** Returns what a typed line names. Starts nothing. Rejects as `recogniseLine` does. */
  recogniseLine(line: string): Promise<Recognised> {
    return recogniseLine(line, this.parts.context)
  }

  /** Opens a source, returns its state and closes it again. Rejects with an AppError if it cannot be opened. */
  async probe({ entry, name }: NamedEntry): Promise<SourceState> {
    return this.parts.sources.probe(await this.specOf(this.completed(entry, name), undefined))
  }

  /**
   * Renames a source, opens it in another way, or both. If that fails, the source stays unchanged and the AppError is
   * thrown.
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

  /**
   * Returns the entry of a source with its secrets masked. Throws AppError `request-invalid` if the page did not add
   * it.
   */
  entryOf(name: string): SourceEntry {
    return maskEntry(this.ownOrigin(name).entry)
  }

  /** Returns toolscope.json with the source in it. Throws as `ConfigWriter.preview`. */
  configChange(name: string): ConfigChange {
    const { sources, config, context } = this.parts
    const { entry } = this.ownOrigin(name)
    const { kind } = sources.stateOf(sources.get(name))
    return config.preview({ name, entry, kind, directory: context.directory })
  }

  /**
   * Moves a source to toolscope.json: from then on the file defines it. Throws as `ConfigWriter`.
   *
   * @param before the file as the user was shown it
   */
  async saveToConfig(name: string, before: string | null): Promise<ConfigChange> {
    const change = { ...this.configChange(name), before }
    const connection = this.parts.sources.get(name)
    const { spec } = connection
    // Set before the file is written, so that the watcher of the file finds its source here.
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

  /**
   * Stores the current state of a source: open, stopped or removed. Ignores sources that the page did not add. Never
   * rejects.
   */
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
    // A pasted manifest can be large: sealing it took a whole turn, and SQLite writes it on this thread.
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
    const kept = await startInSlices(rows, async ({ id, position, body }) => {
      const text = this.openBox().open(body, id)
      const parsed = keptSource.safeParse(text === null ? undefined : parseJson(text))
      if (parsed.data === undefined) return []
      this.positions.set(parsed.data.name, position)
      return [parsed.data]
    })
    return kept.flat()
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
    // A file already uses the name for another source.
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

  /** Returns the entry with the secrets that the user has left masked. */
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
    return hashParts([this.openBox().id, this.parts.context.directory])
  }

  private idOf(name: string): string {
    return hashParts([this.folderId(), name])
  }
}

/** A kept source whose entry no longer works, listed so that the user can correct or remove it. */
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

const hashParts = (parts: readonly string[]) =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')
