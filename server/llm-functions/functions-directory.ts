/** Source kind: an llm-functions directory, built or not. */

import { readFileSync, realpathSync } from 'node:fs'
import { arch, platform } from 'node:os'
import { basename, extname, join, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import {
  type AgentEnvironment,
  type AgentVariable,
  variableEnvironmentName,
  variableValues,
} from '../../core/tool/agent.ts'
import { isSecretName } from '../../core/tool/is-secret.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { callBridge } from '../mcp-client/call-bridge.ts'
import { fileStatus } from '../process/command-line.ts'
import type { ProgramWire } from '../sources/call-incur.ts'
import { programEnvironment } from '../sources/program-environment.ts'
import { failure } from '../sources/run-failure.ts'
import {
  type CallArguments,
  type CallEvents,
  type CallOptions,
  loneWord,
  type Session,
  type SessionAgents,
  type SourceContext,
  type SourceKind,
  type SourceSettings,
} from '../sources/source.ts'
import { callProgram, type TreeProgramCall } from './call-program.ts'
import type { FunctionsTree } from './read-tree.ts'
import { readSettled } from './settled-tree.ts'
import { languages, namesIn, readHead } from './tree-files.ts'

interface FunctionsConfig {
  /** Path of the directory, relative to the configuration's. */
  readonly functions: string
  /**
   * Directory in which its tools run, relative to the configuration's; by default the one in which the user started
   * Toolscope.
   */
  readonly directory?: string | undefined
}

export const functionsDirectory: SourceKind<FunctionsConfig> = {
  kind: 'functions-directory',

  async detect(words, context) {
    const path = loneWord(words)
    if (path === undefined) return null
    const root = resolve(context.directory, path)
    return fileStatus(root)?.isDirectory() && looksLikeTree(root) ? { functions: path } : null
  },

  async open(config, settings, context) {
    const root = resolve(context.directory, config.functions)
    if (!fileStatus(root)?.isDirectory()) throw new AppError('source-not-found', `${root} is not a directory`)
    return new FunctionsSession(config, realpathSync(root), settings, context)
  },
}

/** A folder with `tools/` is not enough: without a build or an agent, at least one source must look like a tool. */
function looksLikeTree(root: string): boolean {
  if (fileStatus(join(root, 'functions.json'))?.isFile()) return true
  const isAgent = (name: string) => fileStatus(join(root, 'agents', name, 'index.yaml')) !== null
  if (namesIn(join(root, 'agents')).some(isAgent)) return true
  const tools = namesIn(join(root, 'tools')).slice(0, 100)
  return tools.some(name => looksLikeTool(join(root, 'tools', name)))
}

function looksLikeTool(path: string): boolean {
  const language = languages[extname(path)]
  if (language === undefined) return false
  try {
    return marks[language].test(readHead(path, 16_384))
  } catch {
    return false
  }
}

const marks = {
  bash: /^\s*#\s*@describe\s/m,
  javascript: /\bexports\.run\b|\bexport\s+(?:async\s+)?function\s+run\b/,
  python: /^(?:async\s+)?def\s+run\s*\(/m,
} as const

class FunctionsSession implements Session {
  readonly label: string
  readonly manifestPath: string
  private readonly root: string
  private readonly ownEnvironment: NodeJS.ProcessEnv
  private readonly rulesOfUser: NodeJS.ProcessEnv
  private readonly workingDirectory: () => string
  private readonly wire: ProgramWire | undefined
  private tree: FunctionsTree | undefined

  constructor(config: FunctionsConfig, root: string, settings: SourceSettings, context: SourceContext) {
    const { directory, callerDirectory = directory, chosenDirectory } = context
    const usual =
      config.directory === undefined ? resolve(callerDirectory) : resolve(directory, config.directory)
    this.label = config.functions
    this.workingDirectory = () => chosenDirectory?.() ?? usual
    this.root = root
    this.manifestPath = join(root, 'functions.json')
    this.ownEnvironment = programEnvironment(context.environment, settings, 'everything')
    this.wire = context.wire && { sink: context.wire, environment: settings.environment }
    this.rulesOfUser = { ...context.environment, ...settings.environment }
  }

  get directory(): string {
    return this.workingDirectory()
  }

  get watch(): readonly string[] {
    return [...(this.tree?.files ?? [join(this.root, 'functions.json')]), join(this.root, '.env')]
  }

  async manifest(signal: AbortSignal): Promise<Manifest> {
    // Imported late, because its parsers take long to load.
    const { readTree } = await import('./read-tree.ts')
    const { tree, missing } = await readSettled(
      this.root,
      () => readTree(this.root, this.environment()),
      this.tree,
      signal,
    )
    const gone = missing.map(path => `${path} is gone`)
    const incomplete = [tree.manifest.incomplete, ...gone].filter(text => text !== undefined).join('; ')
    if (incomplete === '') this.tree = tree
    // Tools of the last complete tree can still be called.
    else if (this.tree?.manifest.incomplete !== undefined) this.tree = tree
    else this.tree ??= tree
    return { ...tree.manifest, ...(incomplete === '' ? {} : { incomplete }) }
  }

  readonly agents: SessionAgents = {
    list: () => {
      const environment = this.environment()
      return (this.tree?.agents ?? []).map(agent => ({
        ...agent,
        variables: withEnvironmentValues(agent.variables, environment),
      }))
    },
    environment: () => agentEnvironment(this.environment(), this.directory),
    instructions: (agent, options) => {
      const name = '_instructions'
      const target = { kind: 'program', program: agent, words: [name], agent } as const
      const tool = { name, inputSchema: { type: 'object', properties: {} } }
      return callProgram(
        { ...this.callFor(agent, options), target },
        tool,
        { text: '{}', value: {} },
        options,
      )
    },
  }

  call(...parts: CallArguments): CallEvents {
    const [tool, , options] = parts
    const target = this.tree?.targets.get(tool.name)
    if (target === undefined) return notInTree(tool.name)
    if (target.kind === 'bridge')
      return callThroughBridge(
        { base: bridgeAddress(this.environment()), server: target.server, wire: this.wire?.sink },
        parts,
      )
    return callProgram({ ...this.callFor(target.agent, options), target }, ...parts)
  }

  /** A shared tool has no variables of its own; an agent that calls it passes its own. */
  private callFor(name: string | undefined, options: CallOptions): Omit<TreeProgramCall, 'target'> {
    const { root, directory } = this
    const agent = this.agents.list().find(each => each.name === name)
    const given = options.variables ?? {}
    const values = agent === undefined ? given : variableValues(agent.variables, given)
    const variables = Object.fromEntries(
      Object.entries(values).flatMap(([each, value]) => {
        const variable = variableEnvironmentName(each)
        // An environment variable cannot contain NUL; the system would refuse the whole call.
        return variable === null ? [] : [[variable, value.replaceAll('\0', '')]]
      }),
    )
    return { root, directory, environment: this.environment(), variables, wire: this.wire }
  }

  async close(): Promise<void> {
    // The source has no open connection between calls.
  }

  /** A variable that its programs do not inherit is a rule of the user all the same. */
  confirmVariables(): NodeJS.ProcessEnv {
    return withDotenv(this.root, this.rulesOfUser)
  }

  /** Reads `.env` at each use, so that a fix takes effect immediately. */
  private environment(): NodeJS.ProcessEnv {
    return withDotenv(this.root, this.ownEnvironment)
  }
}

async function* notInTree(name: string): CallEvents {
  yield failure('not-found', `The tree no longer has "${name}".`, 'Refresh the source.')
}

/** Returns the address of the local bridge: `MCP_BRIDGE_PORT` of the environment or of `.env`, else port 8808. */
function bridgeAddress(environment: NodeJS.ProcessEnv): string {
  const port = environment.MCP_BRIDGE_PORT ?? ''
  return `http://127.0.0.1:${/^\d{1,5}$/.test(port) ? port : '8808'}`
}

/** @param through `server` is the MCP server that the entry names */
async function* callThroughBridge(
  { base, server, wire }: { base: string; server: string; wire: WireSink | undefined },
  call: CallArguments,
): CallEvents {
  for await (const event of callBridge(base, call, { wire })) {
    if (event.type !== 'failure' || event.reason !== 'network' || event.meta?.status !== undefined)
      yield event
    else
      yield {
        ...event,
        message: `Not callable: the tool lives on the MCP server "${server}", and no bridge answers at ${base}.`,
        hint: 'Start the bridge: `toolscope bridge mcp.json`, or `argc mcp start` in the tree. MCP_BRIDGE_PORT names another port.',
      }
  }
}

/**
 * `#` begins a comment line; `export ` before a name and one pair of quotes around a value are removed. Lines that are
 * not an assignment, and names that a variable cannot have, are skipped.
 */
export function parseDotenv(text: string): Record<string, string> {
  const entries = text.split(/\r?\n/).flatMap((line): [string, string][] => {
    const match = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line)
    if (match === null) return []
    const [, name = '', rest = ''] = match
    const value = rest.trim()
    return [[name, /^(["'])(.*)\1$/.exec(value)?.[2] ?? value]]
  })
  return Object.fromEntries(entries)
}

/** Returns the environment of the tree's programs: existing variables take precedence over `.env`. */
export function withDotenv(root: string, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  let text: string
  try {
    text = readFileSync(join(root, '.env'), 'utf8')
  } catch {
    return environment
  }
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined))
  return { ...parseDotenv(text), ...set }
}

/**
 * Returns the variables with values of the environment as their defaults. Values of secrets are left out; programs
 * inherit them.
 */
function withEnvironmentValues(
  variables: readonly AgentVariable[],
  environment: NodeJS.ProcessEnv,
): readonly AgentVariable[] {
  return variables.map(variable => {
    const value = environment[variableEnvironmentName(variable.name) ?? '']
    if (value === undefined) return variable
    const { default: _replaced, ...rest } = variable
    return { ...rest, inEnvironment: true, ...(isSecretName(variable.name) ? {} : { default: value }) }
  })
}

const systems: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' }
const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64', ia32: 'x86' }

/**
 * Returns all built-in variables except `__tools__`, which depends on the agent.
 *
 * @param directory in which the agent's tools run
 */
function agentEnvironment(environment: NodeJS.ProcessEnv, directory: string): AgentEnvironment {
  const system = platform()
  return {
    __os__: systems[system] ?? system,
    __os_family__: system === 'win32' ? 'windows' : 'unix',
    __arch__: architectures[arch()] ?? arch(),
    __shell__: basename(environment.SHELL ?? (system === 'win32' ? 'powershell' : 'sh')),
    __locale__: locale(environment),
    __now__: new Date().toISOString(),
    __cwd__: directory,
  }
}

function locale(environment: NodeJS.ProcessEnv): string {
  const set = environment.LC_ALL || environment.LC_MESSAGES || environment.LANG || ''
  const plain = set.split('.')[0]?.replace('_', '-') ?? ''
  return /^[A-Za-z]{2,3}(-\w+)*$/.test(plain) ? plain : Intl.DateTimeFormat().resolvedOptions().locale
}
