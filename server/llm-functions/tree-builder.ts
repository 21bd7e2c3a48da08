/** Collects the tools of a tree under unique names, with their details. */
import { join } from 'node:path'
import { canonicalJson } from '../../core/json/equality.ts'
import { isObject, own, type UnknownObject } from '../../core/json/json.ts'
import { without } from '../../core/manifest/tool-entry.ts'
import { type FunctionExtra, functionExtraKeys } from '../../core/tool/function-extra.ts'
import type { JsonSchema, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { fileStatus } from '../process/command-line.ts'
import type { Declaration } from './declaration.ts'
import { type ReadSource, readToolSource } from './read-sources.ts'
import { isPlainName, readTreeFile } from './tree-files.ts'

const buildHint = 'Run the build (`argc build`).'

export class TreeBuilder {
  readonly tools: ManifestTool[] = []
  readonly problems: ManifestProblem[] = []
  readonly targets = new Map<string, TreeCallTarget>()
  readonly files: string[] = []
  /** Each functions.json that was read, and the errors of those that could not be read. */
  readonly lists: string[] = []
  readonly broken: string[] = []
  private readonly root: string
  private readonly environment: NodeJS.ProcessEnv
  private readonly byName = new Map<string, ManifestTool>()
  /** The agents that list a shared tool, by its name; only tools that the root does not list. */
  private readonly sharedBy = new Map<string, string[]>()
  private readonly binsChecked = new Set<string>()

  constructor(root: string, environment: NodeJS.ProcessEnv) {
    this.root = root
    this.environment = environment
  }

  /**
   * Adds a tool of a functions.json, called through `bin/<name>` or, with `mcp`, the bridge. Returns its name.
   *
   * @param agent the owner of the functions.json; absent for the root's
   */
  addBuiltTool(tool: ManifestTool, agent?: string): string {
    const { name } = tool
    const server = tool.extra?.mcp
    const earlier = this.byName.get(name)
    if (earlier !== undefined) {
      if (agent !== undefined) this.sharedBy.get(name)?.push(agent)
      // Agents repeat the shared tools; only differences are reported.
      if (canonicalJson(earlier.inputSchema) !== canonicalJson(tool.inputSchema))
        this.report(name, 'Two functions.json say different things of it.')
      return name
    }
    if (agent !== undefined) this.sharedBy.set(name, [agent])
    if (server !== undefined) {
      const mcp = String(server)
      this.add(tool, { mcp, throughBridge: true }, { kind: 'bridge', name, server: mcp })
      return name
    }
    const source = isPlainName(name) ? readToolSource(this.root, name) : null
    const [declaration] = source?.declarations ?? []
    if (source !== null) {
      this.files.push(join(this.root, source.path))
      this.noteSourceProblems(name, source)
    }
    this.add(tool, this.compared(tool, source, declaration), { kind: 'program', program: name, words: [] })
    this.checkBin(name, name)
    return name
  }

  /** Adds an agent's own tool of its functions.json: `<agent> <function>`, called through `bin/<agent>`. */
  addAgentTool(agent: string, tool: ManifestTool, source: ReadSource | null): string {
    const declaration = source?.declarations.find(each => each.name === tool.name)
    return this.addAgents(agent, tool, {
      ...this.compared(tool, source, declaration),
      ...(source !== null && declaration === undefined && source.problems.length === 0
        ? this.stale(`${agent} ${tool.name}`, source, ['it is no longer in the source'])
        : {}),
    })
  }

  /** Adds a tool that only its source declares. */
  addDeclared(name: string, source: ReadSource, othersBuilt: boolean): void {
    this.files.push(join(this.root, source.path))
    this.noteSourceProblems(name, source)
    const [declaration] = source.declarations
    if (declaration === undefined) return
    const found = this.unbuilt(name, declaration, source, othersBuilt)
    this.add(asTool(declaration), found, { kind: 'program', program: name, words: [] })
  }

  addDeclaredAgentTool(
    agent: string,
    declaration: Declaration,
    source: ReadSource,
    othersBuilt: boolean,
  ): string {
    const tool = asTool(declaration)
    const extra = this.unbuilt(`${agent} ${tool.name}`, declaration, source, othersBuilt)
    return this.addAgents(agent, { ...tool, extra: { agent: true } }, extra)
  }

  private addAgents(agent: string, tool: ManifestTool, found: FunctionExtra): string {
    const name = `${agent} ${tool.name}`
    this.add(
      { ...tool, name },
      { ...found, agentName: agent, functionName: tool.name },
      { kind: 'program', program: agent, words: [tool.name], agent },
    )
    if (found.unbuilt !== true) this.checkBin(agent, name)
    return name
  }

  private add(tool: ManifestTool, found: FunctionExtra, target: TreeCallTarget): void {
    const sharedBy = this.sharedBy.get(tool.name)
    const { declaredIn, agentName, functionName } = found
    const called = agentName === undefined ? undefined : functionName
    const guard = declaredIn === undefined ? undefined : guardQuestion(this.root, declaredIn, called)
    const extra = {
      ...without(tool.extra ?? {}, functionExtraKeys),
      ...found,
      ...(sharedBy === undefined ? {} : { sharedBy }),
      ...(guard === undefined ? {} : { guard }),
    }
    const { extra: _raw, ...rest } = tool
    const complete = { ...rest, ...(Object.keys(extra).length === 0 ? {} : { extra }) }
    this.tools.push(complete)
    if (this.targets.has(tool.name)) return
    this.targets.set(tool.name, target)
    this.byName.set(tool.name, complete)
  }

  private compared(
    tool: ManifestTool,
    source: ReadSource | null,
    declaration: Declaration | undefined,
  ): FunctionExtra {
    if (source === null) return {}
    const differences = declaration === undefined ? [] : declarationDifferences(declaration, tool)
    return {
      declaredIn: source.path,
      ...(differences.length === 0 ? {} : this.stale(tool.name, source, differences)),
      ...this.environmentOf(tool.name, declaration),
    }
  }

  private stale(name: string, source: ReadSource, stale: readonly string[]): FunctionExtra {
    this.report(
      name,
      `functions.json and ${source.path} disagree: ${stale.join('; ')}.`,
      `${buildHint} Until then functions.json is what callers see.`,
    )
    return { stale }
  }

  private unbuilt(
    name: string,
    declaration: Declaration,
    source: ReadSource,
    othersBuilt: boolean,
  ): FunctionExtra {
    if (othersBuilt)
      this.report(name, `It is declared in ${source.path}, and functions.json does not have it.`)
    return { unbuilt: true, declaredIn: source.path, ...this.environmentOf(name, declaration) }
  }

  private environmentOf(name: string, declaration: Declaration | undefined): FunctionExtra {
    if (declaration?.environment === undefined) return {}
    const environment = declaration.environment.map(each => ({
      ...each,
      // LLM_OUTPUT is set for each call.
      set: each.name === 'LLM_OUTPUT' || this.environment[each.name] !== undefined,
    }))
    for (const { name: variable } of environment.filter(each => each.required && !each.set))
      this.report(
        name,
        `It needs the environment variable ${variable}, which is not set.`,
        'Set it, or write it into .env at the root of the tree.',
      )
    return { environment }
  }

  private report(name: string, message: string, hint = buildHint): void {
    this.problems.push({ name, message, hint })
  }

  private noteSourceProblems(name: string, source: ReadSource): void {
    for (const problem of source.problems) this.problems.push({ name, message: `${source.path}: ${problem}` })
  }

  private checkBin(program: string, name: string): void {
    if (this.binsChecked.has(program)) return
    this.binsChecked.add(program)
    if (isPlainName(program) && fileStatus(join(this.root, 'bin', program)) === null)
      this.report(name, `It is declared, but bin/${program} does not exist.`)
  }
}

function asTool(declaration: Declaration): ManifestTool {
  const { name, description, inputSchema } = declaration
  return { name, ...(description === '' ? {} : { description }), inputSchema }
}

export type TreeCallTarget =
  /** `bin/<program> [<function>] '<json>'`. */
  | {
      readonly kind: 'program'
      readonly program: string
      readonly words: readonly string[]
      /** The agent whose variables are passed with calls of its own tools. */
      readonly agent?: string
    }
  /** `POST /tools/<name>` of the MCP bridge. */
  | { readonly kind: 'bridge'; readonly name: string; readonly server: string }

/* The question that a tool asks on a terminal before it continues: it calls `guard_operation.sh` or `guard_path.sh`. */

const maxQuestionLength = 200
const text = String.raw`("(?:[^"\\]|\\.)*"|'[^']*')`
const guardCall = new RegExp(
  String.raw`^[^#\n]*(?:guard_operation\.sh["']?(?:[ \t]+${text})?|guard_path\.sh["']?[ \t]+\S+[ \t]+${text})`,
  'm',
)

/**
 * Returns the question as written, including `$argc_…`; `''` for a call without its own question; undefined if the
 * source asks no question. Never throws.
 *
 * @param path the source, relative to the tree
 * @param called only this function of a Bash file; the whole file if it is absent
 */
function guardQuestion(root: string, path: string, called?: string): string | undefined {
  const source = readSource(join(root, path))
  const found = guardCall.exec(called === undefined ? source : functionBody(source, called))
  if (found === null) return undefined
  return (found[1] ?? found[2] ?? '').slice(1, -1).slice(0, maxQuestionLength)
}

function readSource(path: string): string {
  try {
    return readTreeFile(path) ?? ''
  } catch {
    return ''
  }
}

/**
 * Returns the text from `name() {` to the closing line; llm-functions replaces `-` of a command with `_` in its
 * function's name.
 */
function functionBody(source: string, name: string): string {
  const begin = source.search(
    new RegExp(`^(?:function[ \\t]+)?${name.replace(/[^\w]/g, '.')}[ \\t]*\\(\\)`, 'm'),
  )
  if (begin < 0) return ''
  const end = source.slice(begin).search(/^\}/m)
  return end < 0 ? source.slice(begin) : source.slice(begin, begin + end)
}

/* Compares a built functions.json with the source code that it was built from. */

/** Returns each difference in a few words, naming the source first. Empty if both agree. */
function declarationDifferences(declaration: Declaration, tool: ManifestTool): string[] {
  const source = readParameters(declaration.inputSchema)
  const built = readParameters(tool.inputSchema)
  const differences: string[] = []
  if (!sameText(declaration.description, tool.description ?? '')) differences.push('the description differs')
  for (const name of Object.keys(built.properties))
    if (!Object.hasOwn(source.properties, name)) differences.push(`"${name}" is no longer in the source`)
  for (const name of Object.keys(source.properties)) {
    const property = own(source.properties, name)
    const other = own(built.properties, name)
    if (other === undefined) differences.push(`"${name}" is missing in functions.json`)
    else {
      differences.push(...propertyDifferences(name, asObject(property), asObject(other)))
      const isRequired = source.required.has(name)
      if (isRequired !== built.required.has(name))
        differences.push(`"${name}" is ${isRequired ? 'required' : 'optional'} in the source`)
    }
  }
  return differences
}

function readParameters(schema: JsonSchema): { properties: UnknownObject; required: ReadonlySet<unknown> } {
  const object = asObject(schema)
  const required = own(object, 'required')
  return {
    properties: asObject(own(object, 'properties')),
    required: new Set(Array.isArray(required) ? required : []),
  }
}

const asObject = (value: unknown): UnknownObject => (isObject(value) ? value : {})

function propertyDifferences(name: string, source: UnknownObject, built: UnknownObject): string[] {
  const differences: string[] = []
  const [type, builtType] = [describeType(source), describeType(built)]
  // The build refuses a source without a type, so its output is unknown.
  if (own(source, 'type') !== undefined && type !== builtType)
    differences.push(`"${name}" is ${type} in the source and ${builtType} in functions.json`)
  if (toChoicesText(source) !== toChoicesText(built)) differences.push(`the choices of "${name}" differ`)
  if (!sameText(own(source, 'description'), own(built, 'description')))
    differences.push(`the description of "${name}" differs`)
  return differences
}

function describeType(property: UnknownObject): string {
  const type = own(property, 'type')
  if (type !== 'array') return typeof type === 'string' ? type : 'of any type'
  return `${String(own(asObject(own(property, 'items')), 'type') ?? 'any')}[]`
}

const toChoicesText = (property: UnknownObject) => JSON.stringify(own(property, 'enum')) ?? ''

const sameText = (one: unknown, other: unknown) => squeezed(one) === squeezed(other)
const squeezed = (text: unknown) => (typeof text === 'string' ? text.replace(/\s+/g, ' ').trim() : '')
