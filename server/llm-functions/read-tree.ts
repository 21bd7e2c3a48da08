/** Reads a whole llm-functions tree: its tools, its agents, and how each tool is called. */

import { realpathSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { LineCounter, parseDocument } from 'yaml'
import { toAppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, own, withoutUndefined } from '../../core/json/json.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import {
  type AgentDefinition,
  type AgentDocument,
  type AgentVariable,
  builtInVariables,
  variableEnvironmentName,
} from '../../core/tool/agent.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { fileStatus } from '../process/command-line.ts'
import { readAgentSource, readToolSource } from './read-sources.ts'
import { TreeBuilder, type TreeCallTarget } from './tree-builder.ts'
import { findToolFile, isPlainName, languages, namesIn, readListFile, readTreeFile } from './tree-files.ts'

export interface FunctionsTree {
  readonly manifest: Manifest
  readonly agents: readonly AgentDefinition[]
  /** By the tool's name in the manifest. */
  readonly targets: ReadonlyMap<string, TreeCallTarget>
  /** Absolute paths of the files that the list was read from. */
  readonly files: readonly string[]
  /** Each functions.json that was read, relative to the root. */
  readonly lists: readonly string[]
}

/**
 * Reads a tree. Never throws because of a file's content.
 *
 * @param environment of the tree's programs, including its `.env`
 */
export function readTree(root: string, environment: NodeJS.ProcessEnv): FunctionsTree {
  const tree = new TreeBuilder(root, environment)
  const built = readBuiltList(root, 'functions.json', tree)
  for (const tool of built?.tools ?? []) tree.addBuiltTool(tool)
  addUnbuilt(tree, root, listedTools(root, tree, built !== null), built !== null, 'tools.txt')
  const agents = agentNames(root, tree).map(name => readAgent(tree, root, name))
  const format =
    built === null && tree.tools.every(tool => tool.extra?.unbuilt === true)
      ? 'declared in source'
      : 'functions.json'
  const problems: ManifestProblem[] = [...tree.problems, ...agents.flatMap(agent => agent.problems)]
  if (built === null && tree.tools.length > 0)
    problems.unshift({
      message:
        'The tree is not built: there is no functions.json at its root. The declarations of the sources are shown.',
      hint: 'Run the build (`argc build`); it writes functions.json and bin/.',
    })
  const incomplete = tree.broken.length === 0 ? {} : { incomplete: tree.broken.join('; ') }
  return {
    manifest: { tools: tree.tools, problems, format, ...incomplete },
    agents,
    targets: tree.targets,
    files: [...tree.files, ...programFiles(root, tree.targets.values())],
    lists: tree.lists,
  }
}

/** Includes bin/ itself, because a build may create it again. */
function programFiles(root: string, targets: Iterable<TreeCallTarget>): string[] {
  const programs = [...targets].flatMap(target => (target.kind === 'program' ? [target.program] : []))
  return [join(root, 'bin'), ...programs.filter(isPlainName).map(program => join(root, 'bin', program))]
}

/** Returns the names in tools.txt without extension. Without a build and tools.txt, it returns all tools. */
function listedTools(root: string, tree: TreeBuilder, isBuilt: boolean): string[] {
  const chosen = readNames(root, 'tools.txt', tree)
  if (chosen !== null) return chosen.map(stem)
  return isBuilt ? [] : namesIn(join(root, 'tools')).filter(hasLanguage).map(stem)
}

const hasLanguage = (name: string) => Object.keys(languages).some(extension => name.endsWith(extension))
const stem = (name: string) => name.replace(/\.\w+$/, '')

function readNames(root: string, path: string, tree: TreeBuilder): string[] | null {
  tree.files.push(join(root, path))
  try {
    return readListFile(join(root, path))
  } catch (thrown) {
    tree.problems.push({ message: `${path}: ${toErrorMessage(thrown)}` })
    return null
  }
}

function addUnbuilt(
  tree: TreeBuilder,
  root: string,
  names: readonly string[],
  isBuilt: boolean,
  list: string,
): void {
  const known = new Set(tree.tools.map(tool => tool.name))
  for (const name of names) {
    if (known.has(name)) continue
    const source = readToolSource(root, name)
    if (source === null) {
      tree.problems.push({ name, message: `${list} names "${name}", and tools/ has no such source.` })
      continue
    }
    known.add(name)
    tree.addDeclared(name, source, isBuilt)
  }
}

/** Returns the agents that agents.txt selects for the build, and those that are already built. */
function agentNames(root: string, tree: TreeBuilder): string[] {
  const chosen = readNames(root, 'agents.txt', tree)
  const names = namesIn(join(root, 'agents')).filter(name => {
    const has = (file: string) => fileStatus(join(root, 'agents', name, file))?.isFile() === true
    if (!isPlainName(name)) return false
    if (has('functions.json')) return true
    return (
      (chosen?.includes(name) ?? true) &&
      (has('index.yaml') || findToolFile(root, `agents/${name}/tools`) !== null)
    )
  })
  for (const name of chosen ?? [])
    if (!names.includes(name))
      tree.problems.push({ name, message: `agents.txt names "${name}", and agents/ has no such folder.` })
  return names
}

function readAgent(tree: TreeBuilder, root: string, name: string): AgentDefinition {
  const folder = `agents/${name}`
  tree.files.push(join(root, folder, 'index.yaml'))
  const index = readAgentIndex(root, name)
  const built = readBuiltList(root, `${folder}/functions.json`, tree)
  const source = readAgentSource(root, name)
  if (source !== null) tree.files.push(join(root, source.path))
  const own: string[] = []
  const shared: string[] = []
  const isOwn = (tool: ManifestTool) => tool.extra?.agent === true
  for (const tool of built?.tools ?? [])
    if (isOwn(tool)) own.push(tree.addAgentTool(name, tool, source))
    else shared.push(tree.addBuiltTool(tool, name))
  for (const declaration of source?.declarations ?? [])
    if (source !== null && !built?.tools.some(tool => isOwn(tool) && tool.name === declaration.name))
      own.push(tree.addDeclaredAgentTool(name, declaration, source, built !== null))
  const listed = (readNames(root, `${folder}/tools.txt`, tree) ?? []).map(stem)
  addUnbuilt(tree, root, listed, built !== null, `${folder}/tools.txt`)
  for (const tool of listed) if (!shared.includes(tool) && tree.targets.has(tool)) shared.push(tool)
  for (const message of source?.problems ?? [])
    tree.problems.push({ name, message: `${source?.path}: ${message}` })
  return { ...index, ownTools: own, sharedTools: shared }
}

/**
 * Reads a functions.json of the tree. Returns null if the file does not exist; an unreadable file is recorded in `broken` and
 * counts as empty.
 */
function readBuiltList(
  root: string,
  path: string,
  log: Pick<TreeBuilder, 'problems' | 'files' | 'lists' | 'broken'>,
): { readonly tools: readonly ManifestTool[] } | null {
  log.files.push(join(root, path))
  try {
    const text = readTreeFile(join(root, path))
    if (text === null) return null
    const { tools, problems } = parseManifestText(text, path)
    log.lists.push(path)
    log.problems.push(
      ...problems.map(({ index, message, ...rest }) => ({
        ...rest,
        message: `${path}${index === undefined || rest.name !== undefined ? '' : `, entry ${index}`}: ${message}`,
      })),
    )
    return { tools }
  } catch (thrown) {
    const error = toAppError(thrown)
    const detail = error.code === 'internal' && thrown instanceof Error ? thrown.message : error.detail
    log.broken.push(detail.startsWith(`${path} `) ? detail : `${path}: ${detail}`)
    return { tools: [] }
  }
}

/* An agent as its index.yaml describes it. */

type Index = Omit<AgentDefinition, 'ownTools' | 'sharedTools'>

const maxYamlCharacters = 1_000_000

/**
 * Reads `agents/<name>/index.yaml` below `root`. Never throws: errors become problems, and the other fields are kept.
 */
function readAgentIndex(root: string, name: string): Index {
  const folder = join(root, 'agents', name)
  const problems: ManifestProblem[] = []
  const complain = (message: string, hint?: string) =>
    problems.push({ name, message: `agents/${name}/index.yaml: ${message}`, ...(hint ? { hint } : {}) })
  const yaml = readYaml(join(folder, 'index.yaml'), complain)
  const fields = isObject(yaml) ? yaml : {}
  const text = (key: string) => {
    const value = own(fields, key)
    if (typeof value === 'string' || typeof value === 'number') return String(value)
    if (value !== undefined && value !== null) complain(`"${key}" is not a text.`)
    return undefined
  }
  const list = (key: string): readonly unknown[] => {
    const value = own(fields, key)
    if (Array.isArray(value)) return value
    if (value !== undefined && value !== null) complain(`"${key}" is not a list.`)
    return []
  }
  const texts = (key: string) =>
    list(key).filter(entry => {
      if (typeof entry !== 'string') complain(`an entry of "${key}" is not a text.`)
      return typeof entry === 'string'
    }) as string[]
  const title = text('name')
  const description = text('description')
  const version = text('version')
  return {
    name,
    ...(title === undefined || title === name ? {} : { title }),
    ...withoutUndefined({ description, version }),
    instructions: text('instructions') ?? '',
    ...(own(fields, 'dynamic_instructions') === true ? { dynamicInstructions: true as const } : {}),
    variables: list('variables').flatMap(entry => readVariable(entry, complain)),
    conversationStarters: texts('conversation_starters'),
    documents: texts('documents').map(path => readDocument(folder, path)),
    problems,
  }
}

function readYaml(path: string, complain: (message: string, hint?: string) => void): unknown {
  try {
    const text = readTreeFile(path)
    if (text === null) {
      complain(
        'there is no such file.',
        'An agent is described by its index.yaml; without it only its tools are shown.',
      )
      return {}
    }
    if (text.length > maxYamlCharacters) throw new Error('it is longer than 1,000,000 characters')
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, logLevel: 'silent', prettyErrors: false })
    for (const error of document.errors.slice(0, 5))
      complain(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`)
    // More aliases than this are an attack.
    return document.toJS({ maxAliasCount: 100 })
  } catch (thrown) {
    complain(toErrorMessage(thrown))
    return {}
  }
}

function readVariable(entry: unknown, complain: (message: string, hint?: string) => void): AgentVariable[] {
  const fields = isObject(entry) ? entry : {}
  const name = own(fields, 'name')
  if (typeof name !== 'string' || variableEnvironmentName(name) === null) {
    complain(
      `a variable has ${typeof name === 'string' ? `the name ${JSON.stringify(name.slice(0, 60))}` : 'no name'}.`,
      'A variable’s name holds letters, digits, _ and - only.',
    )
    return []
  }
  if (Object.hasOwn(builtInVariables, name))
    complain(`the variable "${name}" is built in and cannot be declared.`)
  const description = own(fields, 'description')
  const fallback = own(fields, 'default')
  return [
    {
      name,
      ...(typeof description === 'string' ? { description } : {}),
      ...(fallback === undefined || fallback === null || typeof fallback === 'object'
        ? {}
        : { default: String(fallback) }),
    },
  ]
}

/** Checks only whether a document exists, and only in the agent's own folder. */
function readDocument(folder: string, path: string): AgentDocument {
  if (/^https?:\/\//i.test(path)) return { path, kind: 'url' }
  const full = resolve(folder, path)
  try {
    const inside = (path: string, of: string) => path === of || path.startsWith(of + sep)
    if (!inside(full, folder)) return { path, kind: 'outside' }
    const status = fileStatus(full)
    if (status === null) return { path, kind: /[*?{]/.test(path) ? 'pattern' : 'missing' }
    if (!inside(realpathSync(full), realpathSync(folder))) return { path, kind: 'outside' }
    return status.isDirectory() ? { path, kind: 'directory' } : { path, kind: 'file', size: status.size }
  } catch {
    return { path, kind: 'missing' }
  }
}
