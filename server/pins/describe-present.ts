import { isObject, type UnknownObject, withoutUndefined } from '../../core/json/json.ts'
import { groupBy } from '../../core/lists.ts'
import type { PinItem, PinKind } from '../../core/pin/pin.ts'
import { legalName, withoutNumber } from '../../core/prompt/legal-names.ts'
import { toToolCommand } from '../../core/prompt/tool-commands.ts'
import type { AgentDefinition } from '../../core/tool/agent.ts'
import type { Manifest, ManifestTool, Tool } from '../../core/tool/tool.ts'
import type { Session, SourceSpec } from '../sources/source.ts'
import { type AddressBase, describeAddress, sha256 } from './describe-address.ts'

export interface PresentSource {
  readonly server: PinItem
  /** The entries of the catalog by their index there. */
  readonly entries: readonly PinItem[]
  readonly agents: readonly PinItem[]
  /** By agent: the names of its variables with a value of the environment, which no definition has. */
  readonly environmentValues: ReadonlyMap<PinItem, readonly string[]>
  /** All of these, in this order. */
  readonly items: readonly PinItem[]
  /** The kinds whose list could not be read the last time: their entries are from before. */
  readonly unread: ReadonlySet<PinKind>
  /** The server's own tools that call others, if they are listed, and the tools that are called by another one. */
  readonly calling: { readonly callers: readonly PinItem[]; readonly called: readonly PinItem[] }
  /** The entries with the kind and the name of each one that is not the only one: a call names no other part. */
  readonly namesakes: ReadonlyMap<PinItem, readonly PinItem[]>
}

/** A list is described at every call, and may have 100,000 tools. */
const described = new WeakMap<Manifest, DescribedList>()

type DescribedList = Pick<PresentSource, 'entries' | 'calling' | 'namesakes'>

/** The name and version that came with a list: they are not known while the server is connected again. */
const describedServers = new WeakMap<Manifest, object>()

/**
 * @param source the name of the source in the catalog
 * @param manifest the list that the catalog uses
 * @param base see `describeAddress`
 */
export function describePresent(
  source: string,
  spec: SourceSpec,
  session: Session | undefined,
  manifest: Manifest,
  base?: AddressBase,
): PresentSource {
  const list = describeOnce(source, manifest, session)
  const { instructions, callingConvention, capabilities, icons } = manifest
  const serverInfo = session?.about?.().serverInfo ?? describedServers.get(manifest)
  if (serverInfo !== undefined) describedServers.set(manifest, serverInfo)
  const facts = {
    address: describeAddress(spec, base),
    serverInfo,
    instructions,
    callingConvention,
    capabilities,
    icons,
  }
  const server: PinItem = { kind: 'server', name: '', definition: withoutUndefined(facts) }
  const environmentValues = new Map(
    (session?.agents?.list() ?? []).map(agent => {
      const given = agent.variables.filter(({ inEnvironment }) => inEnvironment)
      return [describeAgent(agent), given.map(({ name }) => name)]
    }),
  )
  const agents = [...environmentValues.keys()]
  const unread = new Set(
    [...listMethods].filter(([, method]) => session?.lists?.unread.has(method)).map(([kind]) => kind),
  )
  const items = [server, ...list.entries, ...agents]
  return { ...list, server, agents, environmentValues, items, unread }
}

const listMethods: ReadonlyMap<PinKind, string> = new Map([
  ['prompt', 'prompts/list'],
  ['resource', 'resources/list'],
  ['template', 'resources/templates/list'],
  ['skill', 'skills/list'],
])

/** Returns the items of the entries of a list, by their index there. */
export const describeEntries = (source: string, manifest: Manifest, session: Session | undefined) =>
  describeOnce(source, manifest, session).entries

/**
 * Returns the SHA-256 of the definition of an entry, by which its caller decides: 64 hex digits. That of a tool is the one
 * of its item, whether it is listed or approved.
 */
export function hashDefinition(entry: Tool, session: Session | undefined): string {
  const { ref: _ref, source: _source, index: _index, callable: _callable, ...listed } = entry
  const { kind, name, ...definition } = listed
  return hashItem(
    kind === undefined
      ? { kind: 'tool', name, definition: describeTool(listed, session?.agents !== undefined) }
      : toItem(kind, name, definition),
  )
}

export const hashItem = ({ kind, name, definition }: PinItem): string => sha256([kind, name, definition])

function describeOnce(source: string, manifest: Manifest, session: Session | undefined) {
  const list = described.get(manifest) ?? describeList(source, manifest, session?.agents !== undefined)
  described.set(manifest, list)
  return list
}

function describeList(source: string, manifest: Manifest, isTree: boolean): DescribedList {
  const { tools, prompts = [], resources = [], resourceTemplates = [], skills = [] } = manifest
  const shared = findSharedNames(tools, source)
  const positions = toPositions(tools)
  const toolItems = tools.map((tool, index): PinItem => {
    const { name } = tool
    const definition = describeTool(tool, isTree)
    const position = positions[index]
    const sharesName = shared.get(name)
    const named = position === undefined ? sharesName : [sharesName ?? name, position]
    return {
      kind: 'tool',
      name,
      definition: named === undefined ? definition : { ...definition, sharesName: named },
    }
  })
  const called = toolItems.filter(({ definition }) => definition.calledBy !== undefined)
  const names = new Set(called.map(({ definition }) => definition.calledBy))
  const entries = addSharedReferences([
    ...toolItems,
    ...prompts.map(({ name, ...definition }) => toItem('prompt', name, definition)),
    ...resources.map(({ uri, ...definition }) => toItem('resource', uri, definition)),
    ...resourceTemplates.map(({ uriTemplate, ...definition }) => toItem('template', uriTemplate, definition)),
    ...skills.map(({ uri, ...definition }) => toItem('skill', uri, definition)),
  ])
  const byName = groupBy(entries, ({ kind, name }) => `${kind} ${name}`)
  const repeated = [...byName.values()].filter(items => items.length > 1)
  return {
    entries,
    namesakes: new Map(repeated.flatMap(items => items.map(item => [item, items]))),
    calling: { called, callers: toolItems.filter(({ name }) => names.has(name)) },
  }
}

/**
 * Returns `2 of 3` for each tool whose name is not the only one: such tools are numbered for clients, and the first one says
 * what is run in a functions directory. So two approved ones could change places.
 */
function toPositions(tools: readonly ManifestTool[]): readonly (string | undefined)[] {
  const counts = new Map<string, number>()
  const positions = tools.map(({ name }) => {
    const position = (counts.get(name) ?? 0) + 1
    counts.set(name, position)
    return { name, position }
  })
  return positions.map(({ name, position }) => {
    const count = counts.get(name) ?? 1
    return count === 1 ? undefined : `${position} of ${count}`
  })
}

/**
 * Adds to the entries whose references are numbered (`get~2`) all that may have one of these, in their order. A tool named
 * `prompts/x`, or a prompt named `x~2`, may have the reference of a prompt `x`.
 */
function addSharedReferences(entries: readonly PinItem[]): readonly PinItem[] {
  const toPath = ({ kind, name }: PinItem) => (kind === 'tool' ? name : `${kind}s/${name}`)
  const groups = groupBy(entries, item => toPath(item).replace(/(?:~\d+)+$/, ''))
  if (groups.size === entries.length) return entries
  const shared = new Map<PinItem, readonly string[] | string>()
  for (const group of groups.values()) {
    const names = group.map(({ kind, name }) => `${kind} ${name}`)
    const areNumbered = new Set(group.map(toPath)).size < group.length
    if (!areNumbered || new Set(names).size === 1) continue
    const listed = group.length > maxSharedNames ? sha256(names) : names
    for (const item of group) shared.set(item, listed)
  }
  return entries.map(item => {
    const sharesReference = shared.get(item)
    return sharesReference === undefined
      ? item
      : { ...item, definition: { ...item.definition, sharesReference } }
  })
}

/**
 * Returns the names of a list that may become that of one another, each with all of these in their order, or their hash.
 * Names for other clients, scripts and commands are made of letters, digits and `_`, are cut, may have the source as prefix,
 * and equal ones are numbered in the order of the list. So two approved tools, `get data` and `get_data`, could change
 * places, and a client that may call the one would call the other. `get_data_2` could be left out, and its name be that of
 * the second one; `acme_echo` could be, and scripts call `echo` by that name.
 */
function findSharedNames(
  tools: readonly ManifestTool[],
  source: string,
): ReadonlyMap<string, readonly string[] | string> {
  const all = tools.map(({ name }) => name)
  const names = [...new Set(all)]
  const inAgents = listNamesInAgents(tools)
  const served = new Map(
    names.map(name => [name, [...listServedNames(source, name), ...(inAgents.get(name) ?? [])]]),
  )
  const withKey = new Map<string, string[]>()
  for (const [name, spellings] of served)
    for (const key of new Set(spellings.map(withoutNumber))) {
      const others = withKey.get(key)
      if (others === undefined) withKey.set(key, [name])
      else others.push(name)
    }
  const shared = new Map<string, readonly string[] | string>()
  const grouped = new Set<string>()
  const positions = groupBy(all.keys(), at => all[at])
  for (const first of names) {
    if (grouped.has(first)) continue
    // A set yields also what is added to it meanwhile.
    const group = new Set([first])
    for (const name of group)
      for (const key of (served.get(name) ?? []).map(withoutNumber)) {
        for (const other of withKey.get(key) ?? []) group.add(other)
        withKey.delete(key)
      }
    for (const name of group) grouped.add(name)
    if (group.size === 1) continue
    // Equal names are numbered too, and another one may have the number.
    const inOrder = [...group]
      .flatMap(name => positions.get(name) ?? [])
      .sort((a, b) => a - b)
      .map(at => all[at] ?? '')
    const spellings = inOrder.flatMap(name => served.get(name) ?? [])
    if (new Set(spellings).size === spellings.length) continue
    const listed = inOrder.length > maxSharedNames ? sha256(inOrder) : inOrder
    for (const name of group) shared.set(name, listed)
  }
  return shared
}

/** Returns further names of tools: for a client of one agent, its own tools are named by their functions. */
function listNamesInAgents(tools: readonly ManifestTool[]): ReadonlyMap<string, readonly string[]> {
  const owned = tools.flatMap(({ name, extra: { agentName, functionName } = {} }) =>
    typeof agentName === 'string' && typeof functionName === 'string'
      ? [{ name, agentName, called: toSpelling(functionName) }]
      : [],
  )
  const isOwned = new Set(owned.map(({ name }) => name))
  const byCalled = groupBy(owned, ({ called }) => called)
  const others = tools.flatMap(({ name }) => (isOwned.has(name) ? [] : [{ name, called: toSpelling(name) }]))
  return new Map(
    [...owned, ...others].map(({ name, called }) => [
      name,
      (byCalled.get(called) ?? []).map(owner => `${owner.agentName}/${called}`),
    ]),
  )
}

/** Returns the names by which a client, a script or a command may call a tool, each in its spelling. */
export function listServedNames(source: string, name: string): readonly string[] {
  const plain = [name, `${source}_${name}`]
  // Some other letters become an ASCII one in lower case (U+212A), for the bridge, and `_` for other clients.
  const isUnchanged =
    source.length + name.length < minCutCharacters && /[a-z0-9]/i.test(name) && !/[^ -~]/.test(name)
  const forms = isUnchanged
    ? plain
    : [
        ...plain,
        legalName(name),
        legalName(`${source}_${legalName(name)}`),
        toToolCommand(name),
        toToolCommand(`${source}_${toToolCommand(name)}`),
      ]
  return [...new Set(forms.map(toSpelling))]
}

/** Returns the same text for all names that clients, commands and the bridge make equal, except for their numbers. */
export const toSpelling = (name: string) =>
  name
    .slice(0, maxSpelledCharacters)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')

/** No name that is shorter with its source is cut (core/prompt). */
const minCutCharacters = 60
/** No name has more of them after it was cut. */
const maxSpelledCharacters = 600
const maxSharedNames = 10

/** Leaves out the size and the time of a resource, which change with every look at it; any other text there counts. */
function toItem(kind: PinKind, name: string, { extra, ...definition }: UnknownObject): PinItem {
  if (!isObject(extra)) return { kind, name, definition }
  const { annotations } = extra
  const hints = isObject(annotations)
    ? withoutIf(annotations, 'lastModified', value => typeof value === 'string' && isoTime.test(value))
    : annotations
  const counted = withoutIf(extra, 'size', value => typeof value === 'number')
  const other = withoutUndefined({
    ...counted,
    annotations: isObject(hints) && Object.keys(hints).length === 0 ? undefined : hints,
  })
  return { kind, name, definition: { ...definition, ...(Object.keys(other).length > 0 && { extra: other }) } }
}

const isoTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,20}(?:Z|[+-]\d\d:?\d\d)?)?$/

const withoutIf = (fields: UnknownObject, name: string, isLeftOut: (value: unknown) => boolean) =>
  Object.fromEntries(Object.entries(fields).filter(([key, value]) => key !== name || !isLeftOut(value)))

/**
 * Every field of a server counts, also if Toolscope has a field of that name. Only the rules of the user that the catalog
 * adds are left out, and for a functions directory what depends on this machine.
 */
function describeTool(tool: ManifestTool, isTree: boolean): UnknownObject {
  const { name: _name, extra = {}, writtenSchemas: _written, ...definition } = tool
  const { confirm: _confirm, askBeforeDestructive: _ask, ...own } = extra
  const counted = isTree ? withoutLocalFacts(own) : own
  return withoutUndefined({ ...definition, extra: Object.keys(counted).length === 0 ? undefined : counted })
}

function withoutLocalFacts({
  unbuilt: _unbuilt,
  stale: _stale,
  environment,
  ...own
}: UnknownObject): UnknownObject {
  if (!Array.isArray(environment)) return own
  const variables = environment.map(each => (isObject(each) ? { ...each, set: undefined } : each))
  return { ...own, environment: variables }
}

export function describeAgent({
  name,
  problems: _,
  variables,
  documents,
  ...agent
}: AgentDefinition): PinItem {
  return {
    kind: 'agent',
    name,
    definition: {
      ...agent,
      variables: variables.map(({ inEnvironment, default: value, ...variable }) =>
        withoutUndefined({ ...variable, default: inEnvironment ? undefined : value }),
      ),
      documents: documents.map(({ path, kind }) => ({ path, kind })),
    },
  }
}
