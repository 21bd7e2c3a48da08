/**
 * Sources that were added in the page. The store keeps them, with their state, for the folder that Toolscope was
 * started in; the next start lists them again (docs/decisions/048-kept-sources.md).
 */
import parseArgv from 'string-argv'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { ConfigChange, Recognised, SourceState } from '../../core/api/sources.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { counted } from '../../core/text/wording.ts'
import { fileAndServer } from '../recognise/detect-source.ts'
import { entrySource } from '../recognise/open-entry.ts'
import { recogniseLine } from '../recognise/recognise-line.ts'
import type { SourceContext, SourceSpec } from '../sources/source.ts'
import type { Store } from '../store/store.ts'
import { startInSlices } from '../workers/run-slices.ts'
import { maskEntry, unmaskEntry } from './mask-entry.ts'
import type { SourceRegistry } from './source-registry.ts'
import { type KeyProblem, type StoredSource, StoredSourceRows } from './stored-rows.ts'

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

export interface StoredSourcesParts {
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

export class StoredSources {
  private readonly parts: StoredSourcesParts
  private readonly rows: StoredSourceRows
  /** Writes run one after another, so that the last state is stored. */
  private written: Promise<unknown> = Promise.resolve()

  constructor(parts: StoredSourcesParts) {
    this.parts = parts
    this.rows = new StoredSourceRows(parts.store, parts.context)
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
      const problem = await this.rows.findKeyProblem()
      if (problem !== undefined) {
        if (problem.count > 0) await this.parts.sources.add(unreadableSpec(problem))
        throw problem.error
      }
      const stored = await this.rows.read()
      const specs = await startInSlices(stored, each => this.toSpec(each))
      await startInSlices(specs, spec => this.putBack(spec))
    } catch (thrown) {
      const { detail, hint } = toAppError(thrown).toShape()
      this.parts.say(`The sources that were added in the page are not here: ${detail}. ${hint}`)
    }
  }

  /** Opens a source and keeps it. Rejects with an AppError if it cannot be opened, and does not keep it then. */
  async add({ entry, name, isProposed = name === undefined }: NamedEntry): Promise<SourceState> {
    const named = await this.specOf(entry, name)
    if (!isProposed) await this.rows.demandFree(named.settings.name)
    const spec = isProposed ? await this.withUnkeptName(named) : named
    const state = await this.parts.sources.openNamed(spec, !isProposed, own => this.findUnkept(own))
    await this.keep(state.name)
    return state
  }

  /** Opens several sources that were named together and keeps them all: a failure becomes the state of its source. */
  async addAll(entries: readonly NamedEntry[]): Promise<SourceState[]> {
    const specs = await Promise.all(entries.map(({ entry, name }) => this.specOf(entry, name)))
    const opened: Promise<SourceState>[] = []
    // Each gets its name before the next one is looked up.
    for (const spec of specs) opened.push(this.parts.sources.open(await this.withUnkeptName(spec)))
    const states = await Promise.all(opened)
    await Promise.all(states.map(({ name }) => this.keep(name)))
    return states
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
   * thrown; only if another source takes the name while this one is opened, it has the new entry under its own name.
   */
  async change(name: string, to: Partial<NamedEntry>): Promise<SourceState> {
    const { sources } = this.parts
    const { formerNames } = this.ownOrigin(name)
    const next = to.name ?? name
    if (next !== name && sources.find(next) !== undefined)
      throw new AppError('name-taken', `there is a source "${next}" already`)
    if (next !== name) await this.rows.demandFree(next)
    if (to.entry !== undefined)
      await sources.change(name, await this.specOf(this.completed(to.entry, name), name, formerNames))
    if (next !== name) {
      try {
        sources.rename(name, next)
      } catch (thrown) {
        // Another source took the name while this one was opened; its entry is already the new one.
        await this.keep(name)
        throw thrown
      }
      const connection = sources.get(next)
      const former = [...formerNames.filter(each => each !== next && each !== name), name]
      const { entry } = this.ownOrigin(next)
      connection.spec = { ...connection.spec, origin: { from: 'page', entry, formerNames: former } }
      this.rows.movePosition(name, next)
    }
    await this.keep(next, name)
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
   *
   * @param before its name in the store until now; its row is deleted after the new one is written
   */
  async keep(name: string, before = name): Promise<void> {
    const write = this.written.then(async () => {
      await this.write(name)
      if (before !== name) await this.write(before)
    })
    this.written = write.catch(() => undefined)
    await write.catch((thrown: unknown) => {
      this.parts.say(`What you changed of "${name}" holds until Toolscope ends: ${toAppError(thrown).detail}`)
    })
  }

  private async write(name: string): Promise<void> {
    const { sources } = this.parts
    const connection = sources.find(name)
    const { origin } = connection?.spec ?? {}
    if (connection === undefined || origin?.from !== 'page') return this.rows.remove(name)
    const { entry, formerNames } = origin
    const isStopped = sources.stateOf(connection).status === 'stopped'
    await this.rows.write({ name, entry, formerNames: [...formerNames], isStopped })
  }

  private async withUnkeptName(spec: SourceSpec): Promise<SourceSpec> {
    const taken = new Set<string>()
    const name = await this.findUnkept(spec.settings.name, taken)
    return taken.size === 0 ? spec : { ...spec, settings: { ...spec.settings, name } }
  }

  /** Returns a name that is free here and that no other program keeps. Adds to `taken` those that one keeps. */
  private async findUnkept(wanted: string, taken = new Set<string>()): Promise<string> {
    for (;;) {
      const name = this.parts.sources.nameFor(wanted, taken)
      if (!(await this.rows.isTaken(name))) return name
      taken.add(name)
    }
  }

  private async toSpec({ name, entry, formerNames, isStopped }: StoredSource): Promise<SourceSpec> {
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
    this.rows.movePosition(name, given)
    await this.keep(given, name)
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
}

/** Listed in place of kept sources that cannot be read: their names are encrypted too. */
const unreadableSpec = ({ error, count }: KeyProblem): SourceSpec => ({
  settings: { name: 'kept-sources' },
  kind: 'program',
  label: `${counted(count, 'source')} of the page`,
  definition: 'kept-sources',
  open: () => Promise.reject(error),
})

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
