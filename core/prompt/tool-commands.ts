/** Names each tool for contexts in which names are commands: scripts, help, prompts. */
import { finish, type Slices } from '../slices.ts'
import { freeName } from '../text/free-name.ts'
import type { Tool } from '../tool/tool.ts'

/** MCP's own limit for tool names. */
const maxNameCharacters = 128

export interface ToolCommand {
  /** ASCII letters, digits, `_` and `-`; unique in its catalog. */
  readonly command: string
  readonly tool: Tool
}

/** The commands of a catalog, in both directions. */
export interface ToolCommands {
  /** In the order of the catalog. */
  readonly entries: readonly ToolCommand[]
  toolOf(command: string): Tool | undefined
  /** Returns the command of the tool with this reference. */
  commandOf(ref: string): string | undefined
}

/**
 * Converts `api greet` to `api_greet`: characters other than ASCII letters, digits, `_` and `-` become one `_`. The
 * result is never empty and has at most 128 characters.
 */
export function toToolCommand(name: string): string {
  const plain = name
    .slice(0, 4 * maxNameCharacters)
    .trim()
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, maxNameCharacters)
  if (plain === '') return 'tool'
  // A leading dash would be read as an option.
  return plain.startsWith('-') ? `_${plain.slice(1)}` : plain
}

/**
 * Gives every tool a unique command. A tool keeps its name if it is unique and not reserved; else the source is the
 * prefix (`acme_greet`), and names that are still equal are numbered in the order of the catalog (`greet`, `greet_2`).
 * Linear in the number of tools.
 */
export function nameToolCommands(tools: readonly Tool[]): ToolCommands {
  return finish(nameToolCommandsInSteps(tools))
}

/** Does the same as `nameToolCommands`, in steps. */
export function* nameToolCommandsInSteps(tools: readonly Tool[]): Slices<ToolCommands> {
  const plain: string[] = []
  for (const tool of tools) {
    plain.push(toToolCommand(tool.name))
    yield
  }
  /** The source of each name; undefined if several sources have it. */
  const sources = new Map<string, string | undefined>()
  const wanted = new Map<string, number>()
  for (const [index, tool] of tools.entries()) {
    const name = plain[index] ?? ''
    wanted.set(name, (wanted.get(name) ?? 0) + 1)
    const isShared = sources.has(name) && sources.get(name) !== tool.source
    sources.set(name, isShared ? undefined : tool.source)
    yield
  }
  const isOwn = (name: string) => wanted.get(name) === 1 && !reservedCommands.has(name)
  const taken = new Set<string>()
  for (const name of plain) {
    if (isOwn(name)) taken.add(name)
    yield
  }
  const nextNumbers = new Map<string, number>()
  const has = (name: string) => taken.has(name) || reservedCommands.has(name)
  // A name with a source is not the own name of another tool: a source that adds one must not get the calls of that.
  const hasOrOwns = (name: string) => has(name) || sources.has(name)
  const free = (name: string, isMade: boolean) =>
    freeName(name, { has: isMade ? hasOrOwns : has }, number => `${name}_${number}`, nextNumbers)
  const nameTool = (tool: Tool, name: string) => {
    if (isOwn(name)) return name
    const needsSource = sources.get(name) === undefined || reservedCommands.has(name)
    const command = free(needsSource ? toToolCommand(`${tool.source}_${name}`) : name, needsSource)
    taken.add(command)
    return command
  }
  const entries: ToolCommand[] = []
  const byCommand = new Map<string, Tool>()
  const byRef = new Map<string, string>()
  for (const [index, tool] of tools.entries()) {
    const command = nameTool(tool, plain[index] ?? '')
    entries.push({ command, tool })
    byCommand.set(command, tool)
    byRef.set(tool.ref, command)
    yield
  }
  return {
    entries,
    toolOf: command => byCommand.get(command),
    commandOf: ref => byRef.get(ref),
  }
}

/**
 * Words that are not allowed as command names: a tool named `echo` would break every script that prints something.
 * Includes `help` and `discover`, the shell's grammar and builtins, and programs that scripts need.
 */
const reservedWords = `
  help discover
  if then elif else fi for while until do done case esac in function select time coproc
  alias bg break builtin cd command compgen complete continue declare dirs disown echo enable eval exec exit export
  false fc fg getopts hash history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly
  return set shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
  awk base64 basename bash bc cat chmod clear cp curl cut date diff dirname du egrep env expr fgrep file find fold grep
  gunzip gzip head hexdump hostname id jq less ln ls md5sum mkdir mktemp mv nl od paste printenv rev rg rm rmdir
  sed seq sh sha1sum sha256sum sleep sort split stat strings tac tail tar tee timeout touch tr tree uname uniq
  wc wget which whoami xargs xxd yes yq
`

export const reservedCommands: ReadonlySet<string> = new Set(reservedWords.trim().split(/\s+/))
