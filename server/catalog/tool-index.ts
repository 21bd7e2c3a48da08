/**
 * The tools of all sources: each under a reference of its own, found by reference, name, command or search. Beside them
 * the prompts, resources and templates, which only references and `browse` find.
 */
import { setImmediate } from 'node:timers/promises'
import type { ToolDetail } from '../../core/api/catalog.ts'
import { createSearchIndex, type SearchIndex } from '../../core/catalog/search-index.ts'
import { AppError } from '../../core/errors.ts'
import { readToolForms, type ToolForms } from '../../core/form/tool-forms.ts'
import { nameToolCommands, type ToolCommands } from '../../core/help/tool-commands.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { nearest } from '../../core/text/wording.ts'
import { surfaceEntries } from '../../core/tool/surface.ts'
import type { Callable, ManifestTool, Surface, Tool } from '../../core/tool/tool.ts'
import { schemaHash } from '../validation/schema-hash.ts'

/** Tools whose names are compared with one that was not found. */
const MAX_SUGGESTED_TOOLS = 5_000

export class ToolIndex {
  /** How the forms of the tools are drawn. */
  forms: ToolForms = readToolForms(undefined)
  private readonly bySource = new Map<string, readonly Tool[]>()
  /** Prompts, resources and templates of the sources that have some. */
  private readonly besideTools = new Map<string, readonly Tool[]>()
  private byRef: ReadonlyMap<string, Tool> = new Map()
  /** Tools that two sources list: each hidden one, and the one that is shown in its place. */
  private duplicates: ReadonlyMap<Tool, Tool> = new Map()
  private built: { search?: SearchIndex; browse?: SearchIndex; commands?: ToolCommands } = {}
  private readonly unread: () => readonly string[]

  /** @param unread names of the sources whose list could not be read; an error names them */
  constructor(unread: () => readonly string[] = () => []) {
    this.unread = unread
  }

  /** Sets the tools of a source; a new source comes after the others. Returns the sources whose shown tools changed. */
  set(
    source: string,
    tools: readonly ManifestTool[],
    callable: boolean,
    surface: Surface = {},
  ): readonly string[] {
    const entries = surfaceEntries(surface)
    const taken = new Set<string>()
    const referTo = (tool: Callable, path: string, index: number): Tool => {
      const ref = freeReference(`${source}/${path}`, taken)
      return { ...tool, ref, source, index, callable }
    }
    this.bySource.set(
      source,
      tools.map((tool, index) => referTo(tool, tool.name, index)),
    )
    const beside = entries.map((entry, at) => referTo(entry.callable, entry.path, tools.length + at))
    if (beside.length === 0) this.besideTools.delete(source)
    else this.besideTools.set(source, beside)
    return this.rebuild(source)
  }

  /** Gives a source another name, in its place among the others. `set` follows. */
  rename(source: string, next: string): void {
    const entries = [...this.bySource]
    this.bySource.clear()
    for (const [name, tools] of entries) this.bySource.set(name === source ? next : name, tools)
  }

  /** Removes a source with its tools. Returns the sources whose shown tools changed. */
  remove(source: string): readonly string[] {
    this.bySource.delete(source)
    this.besideTools.delete(source)
    return this.rebuild(source)
  }

  /** Source by source, each in the order of its own list. */
  list(): readonly Tool[] {
    return this.search().tools
  }

  /** The tools that a source lists; where another source shows one in its place, that one. */
  ofSource(source: string): readonly Tool[] {
    return (this.bySource.get(source) ?? []).map(tool => this.duplicates.get(tool) ?? tool)
  }

  /** How many tools of a source are shown, and how many another source shows in their place. */
  countOf(source: string): { readonly shown: number; readonly hidden: number } {
    const tools = this.bySource.get(source) ?? []
    const hidden = tools.filter(tool => this.duplicates.has(tool)).length
    return { shown: tools.length - hidden, hidden }
  }

  /** Search and tree; built when first asked for after a change. */
  search(): SearchIndex {
    this.built.search ??= createSearchIndex(
      this.besideTools.size === 0
        ? [...this.byRef.values()]
        : [...this.byRef.values()].filter(({ kind }) => kind === undefined),
      [...this.bySource.keys()],
    )
    return this.built.search
  }

  /** As `search`, with the prompts, resources and templates after the tools. */
  browse(): SearchIndex {
    this.built.browse ??=
      this.besideTools.size === 0
        ? this.search()
        : createSearchIndex([...this.byRef.values()], [...this.bySource.keys()])
    return this.built.browse
  }

  /** `browse`, its text read in slices: other requests go on meanwhile. */
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

  /** The prompts, resources and templates of a source, in this order. */
  surfaceOf(source: string): readonly Tool[] {
    return this.besideTools.get(source) ?? []
  }

  /** The names of the tools as commands; built when first asked for after a change. */
  commands(): ToolCommands {
    this.built.commands ??= nameToolCommands(this.list())
    return this.built.commands
  }

  has(ref: string): boolean {
    return this.byRef.has(ref)
  }

  /** Throws AppError `tool-not-found`. */
  get(ref: string): Tool {
    const tool = this.byRef.get(ref)
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

  /** By reference, by name where that is unique, or by command name. Throws `tool-not-found` or `tool-ambiguous`. */
  find(nameOrRef: string): Tool {
    const exact = this.byRef.get(nameOrRef)
    if (exact !== undefined) return exact
    const named = this.list().filter(tool => tool.name === nameOrRef)
    const found = named[0] ?? this.commands().toolOf(nameOrRef)
    if (found === undefined) throw this.notFound(nameOrRef)
    if (named.length < 2) return found
    throw new AppError(
      'tool-ambiguous',
      `"${nameOrRef}" is ${named.map(tool => `"${tool.ref}"`).join(' and ')}`,
    )
  }

  /** The error `tool-not-found`, with the nearest name and the sources that could not be read. */
  notFound(ref: string): AppError {
    const unread = this.unread()
    const missing = unread.length > 0 ? ` (not read: ${unread.join(', ')})` : ''
    const guess = nearest(
      ref,
      this.list()
        .slice(0, MAX_SUGGESTED_TOOLS)
        .flatMap(tool => [tool.name, tool.ref]),
    )
    return new AppError('tool-not-found', `"${ref}"${guess ? `; did you mean "${guess}"?` : ''}${missing}`)
  }

  private rebuild(changed: string): readonly string[] {
    const before = this.duplicates
    const found = findDuplicates([...this.bySource.values()])
    const withRules = addRules(found)
    const asShown = (tool: Tool) => withRules.get(tool) ?? tool
    this.duplicates = new Map([...found].map(([hidden, shown]) => [hidden, asShown(shown)]))
    const shown = [...this.bySource.values()]
      .flat()
      .filter(tool => !this.duplicates.has(tool))
      .map(asShown)
    const byRef = new Map(shown.map(tool => [tool.ref, tool]))
    for (const source of this.bySource.keys())
      for (const entry of this.surfaceOf(source)) byRef.set(entry.ref, entry)
    this.byRef = byRef
    this.built = {}
    const moved = [
      ...[...before.keys()].filter(tool => !this.duplicates.has(tool)),
      ...[...this.duplicates.keys()].filter(tool => !before.has(tool)),
    ]
    // What a source says of a tool that another one shows is part of the shown tool.
    const elsewhere = [...this.duplicates].flatMap(([tool, { source }]) =>
      tool.source === changed ? [source] : [],
    )
    return [...new Set([changed, ...moved.map(tool => tool.source), ...elsewhere])]
  }
}

/** `source/path`; the second of a path gets `~2`, or the next number that no other has. */
function freeReference(base: string, taken: Set<string>): string {
  let ref = base
  for (let count = 2; taken.has(ref); count++) ref = `${base}~${count}`
  taken.add(ref)
  return ref
}

/**
 * A functions.json also lists the tools of its bridge (`throughBridge`). Where the bridge is a source itself, its own
 * tools are shown: those of the same name and the same MCP server.
 */
function findDuplicates(lists: readonly (readonly Tool[])[]): ReadonlyMap<Tool, Tool> {
  const keyOf = (tool: Tool) => JSON.stringify([tool.name, tool.extra?.mcp])
  const isThroughBridge = (tool: Tool) => tool.extra?.throughBridge === true
  const bridged = lists.flat().filter(tool => tool.extra?.mcp !== undefined)
  const direct = new Map(
    bridged.filter(tool => tool.callable && !isThroughBridge(tool)).map(tool => [keyOf(tool), tool]),
  )
  return new Map(
    bridged.filter(isThroughBridge).flatMap(tool => {
      const shown = direct.get(keyOf(tool))
      return shown === undefined ? [] : [[tool, shown] as const]
    }),
  )
}

/**
 * The shown tools that a hidden one has a rule for (LLM_MCP_NEED_CONFIRM), each with the rule; to ask goes before not to.
 */
function addRules(duplicates: ReadonlyMap<Tool, Tool>): ReadonlyMap<Tool, Tool> {
  const ruled = new Map<Tool, Tool>()
  for (const [hidden, shown] of duplicates) {
    const confirm = [hidden, ruled.get(shown) ?? shown].map(tool => tool.extra?.confirm)
    if (confirm.some(each => typeof each === 'boolean'))
      ruled.set(shown, { ...shown, extra: { ...shown.extra, confirm: confirm.includes(true) } })
  }
  return ruled
}
