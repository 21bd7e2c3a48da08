/**
 * The tools of all sources, each under a unique reference; found by reference, name, command or search. Also holds the
 * prompts, resources and templates, which only references and `browse` find.
 */
import { setImmediate } from 'node:timers/promises'
import type { ToolDetail } from '../../core/api/catalog.ts'
import { createSearchIndex, type SearchIndex } from '../../core/catalog/search-index.ts'
import { AppError } from '../../core/errors.ts'
import { readToolForms, type ToolForms } from '../../core/form/tool-forms.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { KnownName, ToolName } from '../../core/prompt/legal-names.ts'
import { nameToolCommandsInSteps, type ToolCommands, toToolCommand } from '../../core/prompt/tool-commands.ts'
import { finish, type Slices } from '../../core/slices.ts'
import { freeName } from '../../core/text/free-name.ts'
import { nearest } from '../../core/text/wording.ts'
import { surfaceEntries } from '../../core/tool/surface.ts'
import type { Callable, ManifestTool, Surface, Tool } from '../../core/tool/tool.ts'
import { inSlices } from '../workers/run-slices.ts'
import { schemaHash } from '../workers/schema-hash.ts'
import { addRules, findDuplicates } from './duplicate-tools.ts'

/** How many names are compared with one that was not found. */
const maxSuggestedTools = 5_000

const noSurface: Surface = {}
const none: object = {}

export class ToolIndex {
  forms: ToolForms = readToolForms(undefined)
  private readonly bySource = new Map<string, SourceTools>()
  /** Tools that two sources list: each hidden one, and the one that is shown in its place. */
  private duplicates: ReadonlyMap<Tool, Tool> = new Map()
  /** Shown tools whose hidden duplicate has a rule, each with the rule. */
  private withRules: ReadonlyMap<Tool, Tool> = new Map()
  private readonly prepared = new WeakMap<object, SourceTools>()
  private built: BuiltIndex = {}
  /** Set by the pins. */
  approvals: Approvals = { revision: () => none, list: () => [] }
  private readonly unread: () => readonly string[]

  /** @param unread names of the sources whose list could not be read; an error names them */
  constructor(unread: () => readonly string[] = () => []) {
    this.unread = unread
  }

  /** Sets the tools of a source; a new source is added at the end. Returns the sources whose shown tools changed. */
  set(
    source: string,
    tools: readonly ManifestTool[],
    lister: Lister = {},
    surface: Surface = noSurface,
  ): readonly string[] {
    const prepared = this.prepared.get(tools)
    const callable = lister.session?.call !== undefined
    const isPrepared =
      prepared?.source === source && prepared.callable === callable && prepared.surface === surface
    const before = this.bySource.get(source)
    const next = isPrepared ? prepared : finish(referToTools(source, tools, lister, surface))
    this.bySource.set(source, next)
    this.prepared.delete(tools)
    return this.rebuild(source, before, next)
  }

  /** Does the work of the following `set` with the same parameters in slices, so that other work can run in between. */
  async prepare(
    source: string,
    tools: readonly ManifestTool[],
    lister: Lister,
    surface: Surface,
  ): Promise<void> {
    this.prepared.set(tools, await inSlices(referToTools(source, tools, lister, surface)))
  }

  /** Renames a source without changing its position. `set` must follow. */
  rename(source: string, next: string): void {
    const entries = [...this.bySource]
    this.bySource.clear()
    for (const [name, tools] of entries) this.bySource.set(name === source ? next : name, tools)
  }

  /** Removes a source with its tools. Returns the sources whose shown tools changed. */
  remove(source: string): readonly string[] {
    const before = this.bySource.get(source)
    this.bySource.delete(source)
    return this.rebuild(source, before)
  }

  /** Another object after each change of the tools, or of the approved ones. */
  get revision(): object {
    return this.withCommands()
  }

  /** Returns an index of the sources that `sees` accepts, as they are now. */
  limitedTo(sees: (source: string) => boolean): ToolIndex {
    const limited = new ToolIndex(() => this.unread().filter(sees))
    limited.forms = this.forms
    limited.approvals = {
      revision: () => this.approvals.revision(),
      list: () => this.approvals.list().filter(({ source }) => sees(source)),
    }
    for (const [source, tools] of this.bySource)
      if (sees(source)) {
        limited.bySource.set(source, tools)
        limited.rebuild(source, undefined, tools)
      }
    return limited
  }

  /** Returns the shown tools, source by source, in the order of each list. */
  list(): readonly Tool[] {
    return this.search().tools
  }

  /** Returns the tools that a source lists; a hidden tool is replaced by the one that is shown instead. */
  ofSource(source: string): readonly Tool[] {
    return (this.bySource.get(source)?.tools ?? []).map(tool => this.duplicates.get(tool) ?? tool)
  }

  /** Returns the entries that a source lists itself, also the tools that another source hides. */
  listedBy(source: string): readonly Tool[] {
    const listed = this.bySource.get(source)
    return listed === undefined ? [] : [...listed.tools, ...listed.otherEntries]
  }

  /** Returns an entry that its source lists, also a tool that another source hides. */
  findListed(ref: string): Tool | undefined {
    // The name of a source has no "/".
    return this.bySource.get(ref.slice(0, ref.indexOf('/')))?.byRef.get(ref)
  }

  /** Returns how many tools of a source are shown, and how many are hidden because another source shows them. */
  countOf(source: string): { readonly shown: number; readonly hidden: number } {
    const tools = this.bySource.get(source)?.tools ?? []
    if (this.duplicates.size === 0) return { shown: tools.length, hidden: 0 }
    const hidden = tools.filter(tool => this.duplicates.has(tool)).length
    return { shown: tools.length - hidden, hidden }
  }

  /** Search and tree; built on first use after a change. */
  search(): SearchIndex {
    this.built.search ??= createSearchIndex(this.joinVisibleTools(), [...this.bySource.keys()])
    return this.built.search
  }

  /** Like `search`, with the prompts, resources and templates after the tools. */
  browse(): SearchIndex {
    if (this.built.browse !== undefined) return this.built.browse
    const otherEntries = [...this.bySource.values()].flatMap(each => each.otherEntries)
    this.built.browse =
      otherEntries.length === 0
        ? this.search()
        : createSearchIndex([...this.joinVisibleTools(), ...otherEntries], [...this.bySource.keys()])
    return this.built.browse
  }

  /** Returns `browse` after reading its text in slices, so that other requests can run in between. */
  async browseReady(): Promise<SearchIndex> {
    for (;;) {
      const index = this.browse()
      const isCurrent = async () => {
        await setImmediate()
        return this.browse() === index
      }
      if (await index.prepare(isCurrent)) return index
    }
  }

  /** Returns the prompts, resources and templates of a source, in this order. */
  surfaceOf(source: string): readonly Tool[] {
    return this.bySource.get(source)?.otherEntries ?? []
  }

  /** The command names of the tools; built on first use after a change. */
  commands(): ToolCommands {
    const built = this.withCommands()
    built.commands ??= finish(nameToolCommandsInSteps(this.list(), this.knownNames()))
    return built.commands
  }

  /** Builds the names for `commands` in slices. */
  async prepareCommands(): Promise<void> {
    while (this.withCommands().commands === undefined) {
      const built = this.withCommands()
      const commands = await inSlices(nameToolCommandsInSteps(this.list(), this.knownNames()))
      if (built === this.withCommands()) built.commands ??= commands
    }
  }

  /** Returns the approved tools that another source does not hide, whether they are listed or not. */
  listApproved(): readonly ToolName[] {
    return this.approvals.list().filter(({ source, name }) => {
      const listed = this.findListed(`${source}/${name}`)
      return listed === undefined || !this.duplicates.has(listed)
    })
  }

  private knownNames(): readonly KnownName[] {
    return [...this.bySource.keys(), ...this.listApproved()]
  }

  /** Returns what was built, without what was built for other approved tools. */
  private withCommands(): BuiltIndex {
    const approved = this.approvals.revision()
    if (this.built.approved !== approved) {
      const { search, browse } = this.built
      this.built = withoutUndefined({ search, browse, approved })
    }
    return this.built
  }

  has(ref: string): boolean {
    return this.lookUp(ref) !== undefined
  }

  /** Throws AppError `tool-not-found`. */
  get(ref: string): Tool {
    const tool = this.lookUp(ref)
    if (tool === undefined) throw this.notFound(ref)
    return tool
  }

  /** Throws AppError `tool-not-found`. */
  detail(ref: string): ToolDetail {
    const tool = this.get(ref)
    const command = this.commands().commandOf(ref)
    const uiSchema = this.forms.uiSchemaOf(tool)
    return { ...tool, schemaHash: schemaHash(tool.inputSchema), ...withoutUndefined({ command, uiSchema }) }
  }

  /**
   * Finds a tool by reference, by name if it is unique, or by command name. Throws `tool-not-found` or
   * `tool-ambiguous`.
   */
  find(nameOrRef: string): Tool {
    const exact = this.lookUp(nameOrRef)
    if (exact !== undefined) return exact
    // A list of a source does not decide what a reference or a command of another one means.
    const [start = '', ...path] = nameOrRef.split('/')
    if (path.length > 0 && this.bySource.has(start)) throw this.notFound(nameOrRef)
    const named = this.list().filter(tool => tool.name === nameOrRef)
    const commanded = this.commands().toolOf(nameOrRef)
    const atPath = this.inOneSource(nameOrRef)
    const found = named[0] ?? atPath ?? commanded
    if (found === undefined) throw this.notFound(nameOrRef)
    const isSpelled = ({ name }: ToolName) => name === nameOrRef || toToolCommand(name) === nameOrRef
    // Its command may have the source as prefix.
    const isCommand = ({ source, name }: ToolName) =>
      toToolCommand(`${source}_${toToolCommand(name)}`) === nameOrRef
    const others = [atPath, commanded, ...this.list().filter(isSpelled)].flatMap(tool =>
      tool === undefined || tool.source === found.source ? [] : [tool.ref],
    )
    const approved = this.listApproved().flatMap(tool =>
      tool.source === found.source || !(isSpelled(tool) || isCommand(tool))
        ? []
        : [`${tool.source}/${tool.name}`],
    )
    const meant = [...new Set([...named.map(({ ref }) => ref), ...others, ...approved])]
    if (meant.length < 2 && (meant[0] ?? found.ref) === found.ref) return found
    const listed = meant.includes(found.ref) ? meant : [found.ref, ...meant]
    throw new AppError('tool-ambiguous', `"${nameOrRef}" is ${listed.map(ref => `"${ref}"`).join(' and ')}`)
  }

  /** Returns the error `tool-not-found`, with the most similar name and the sources that could not be read. */
  notFound(ref: string): AppError {
    const unread = this.unread()
    const missing = unread.length > 0 ? ` (not read: ${unread.join(', ')})` : ''
    const guess = nearest(
      ref,
      this.list()
        .slice(0, maxSuggestedTools)
        .flatMap(tool => [tool.name, tool.ref]),
    )
    return new AppError('tool-not-found', `"${ref}"${guess ? `; did you mean "${guess}"?` : ''}${missing}`)
  }

  /** Finds a tool by its reference without the source, if only one source has it. */
  private inOneSource(path: string): Tool | undefined {
    const found = [...this.bySource.keys()].flatMap(source => this.lookUp(`${source}/${path}`) ?? [])
    return found.length === 1 ? found[0] : undefined
  }

  private lookUp(ref: string): Tool | undefined {
    const tool = this.findListed(ref)
    if (tool === undefined || this.duplicates.has(tool)) return undefined
    return this.withRules.get(tool) ?? tool
  }

  /** Joins the shown tools of all sources. Called on first use after a change, which may be one of thousands. */
  private joinVisibleTools(): readonly Tool[] {
    // Not `flat`, which takes ten times as long for 100,000 tools.
    const all = ([] as readonly Tool[]).concat(...[...this.bySource.values()].map(({ tools }) => tools))
    if (this.duplicates.size === 0) return all
    return all.filter(tool => !this.duplicates.has(tool)).map(tool => this.withRules.get(tool) ?? tool)
  }

  private rebuild(changed: string, previous?: SourceTools, next?: SourceTools): readonly string[] {
    this.built = {}
    // Only tools of bridges can be duplicates: other changes leave those of the other sources as they are.
    if ((previous?.bridged.length ?? 0) + (next?.bridged.length ?? 0) === 0) return [changed]
    const before = this.duplicates
    const found = findDuplicates([...this.bySource.values()].flatMap(({ bridged }) => bridged))
    const withRules = addRules(found)
    const applyRules = (tool: Tool) => withRules.get(tool) ?? tool
    this.withRules = withRules
    this.duplicates = new Map([...found].map(([hidden, visible]) => [hidden, applyRules(visible)]))
    const moved = [
      ...[...before.keys()].filter(tool => !this.duplicates.has(tool)),
      ...[...this.duplicates.keys()].filter(tool => !before.has(tool)),
    ]
    // A shown tool depends on its hidden duplicates, so its source has changed too.
    const elsewhere = [...this.duplicates].flatMap(([tool, { source }]) =>
      tool.source === changed ? [source] : [],
    )
    return [...new Set([changed, ...moved.map(tool => tool.source), ...elsewhere])]
  }
}

/** Parts that are built on first use. */
interface BuiltIndex {
  search?: SearchIndex
  browse?: SearchIndex
  commands?: ToolCommands
  /** For which approved tools the commands were named. */
  approved?: object
}

/** The approved tools of the sources. */
interface Approvals {
  /** Returns the same object until other tools are approved. */
  revision(): object
  /** Returns the tools under the names of their sources in the catalog. */
  list(): readonly ToolName[]
}

/** A source that gave a list: what it is, and whether it calls tools. */
interface Lister {
  readonly spec?: { readonly kind: string }
  readonly session?: { readonly kind?: string | undefined; readonly call?: unknown } | undefined
}

/**
 * The kinds of sources whose tools are listed twice. Any other one may have fields of these names too, and must not hide
 * the tools of a functions directory behind its own.
 */
const bridgeKinds: readonly unknown[] = ['bridge-url', 'functions-directory', 'recording']

/** The list of one source, each entry under its reference. */
interface SourceTools {
  readonly source: string
  readonly callable: boolean
  readonly surface: Surface
  readonly tools: readonly Tool[]
  /** Those of its tools that an MCP server behind a bridge has. */
  readonly bridged: readonly Tool[]
  /** Its prompts, resources and templates. */
  readonly otherEntries: readonly Tool[]
  readonly byRef: ReadonlyMap<string, Tool>
}

function* referToTools(
  source: string,
  manifestTools: readonly ManifestTool[],
  { session, spec }: Lister,
  surface: Surface,
): Slices<SourceTools> {
  const callable = session?.call !== undefined
  const byRef = new Map<string, Tool>()
  const nextNumbers = new Map<string, number>()
  const referTo = (tool: Callable, path: string, index: number): Tool => {
    const base = `${source}/${path}`
    const ref = freeName(base, byRef, number => `${base}~${number}`, nextNumbers)
    const referred = { ...tool, ref, source, index, callable }
    byRef.set(ref, referred)
    return referred
  }
  const tools: Tool[] = []
  for (const tool of manifestTools) {
    tools.push(referTo(tool, tool.name, tools.length))
    yield
  }
  const otherEntries: Tool[] = []
  for (const { callable: entry, path } of surfaceEntries(surface)) {
    otherEntries.push(referTo(entry, path, tools.length + otherEntries.length))
    yield
  }
  const isBridge = bridgeKinds.includes(session?.kind ?? spec?.kind)
  const bridged = isBridge ? tools.filter(tool => tool.extra?.mcp !== undefined) : []
  return { source, callable, surface, tools, bridged, otherEntries, byRef }
}
