/** Names each tool for contexts in which names are commands: scripts, help, prompts. */
import { finish, type Slices } from '../slices.ts'
import { freeName } from '../text/free-name.ts'
import type { Tool } from '../tool/tool.ts'
import { type KnownName, SourceNames } from './legal-names.ts'

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
 * Gives every tool a unique command. A tool keeps its name if it is unique, could be no name of another source
 * (`SourceNames`) and is not reserved; else the source is the prefix (`acme_greet`), and names that are still equal are
 * numbered in the order of the catalog (`greet`, `greet_2`). Linear in the number of tools.
 *
 * @param known see `SourceNames`
 */
export function nameToolCommands(tools: readonly Tool[], known: readonly KnownName[] = []): ToolCommands {
  return finish(nameToolCommandsInSteps(tools, known))
}

/** Does the same as `nameToolCommands`, in steps. */
export function* nameToolCommandsInSteps(
  tools: readonly Tool[],
  known: readonly KnownName[] = [],
): Slices<ToolCommands> {
  const plain: string[] = []
  const names = new SourceNames(toToolCommand, [...known, ...tools.map(({ source }) => source)])
  for (const tool of tools) {
    const name = toToolCommand(tool.name)
    plain.push(name)
    names.add(name, tool.source)
    yield
  }
  const toKey = ({ source }: Tool, name: string) => `${source}/${name}`
  /** How many tools of a source have a name. */
  const counts = new Map<string, number>()
  for (const [index, tool] of tools.entries()) {
    const key = toKey(tool, plain[index] ?? '')
    counts.set(key, (counts.get(key) ?? 0) + 1)
    yield
  }
  const needsSource = (tool: Tool, name: string) =>
    reservedCommands.has(name) || names.needsSource(name, tool.source)
  const isOwn = (tool: Tool, name: string) => counts.get(toKey(tool, name)) === 1 && !needsSource(tool, name)
  const taken = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    const name = plain[index] ?? ''
    if (isOwn(tool, name)) taken.add(name)
    yield
  }
  const nextNumbers = new Map<string, number>()
  const has = (name: string) => taken.has(name) || reservedCommands.has(name)
  const nameTool = (tool: Tool, name: string) => {
    if (isOwn(tool, name)) return name
    const isMade = needsSource(tool, name)
    // A name with the source is not the own name of another tool of it: one that is added must not get the calls of that.
    const hasOrOwns = (other: string) => has(other) || (isMade && counts.has(toKey(tool, other)))
    const wanted = isMade ? toToolCommand(`${tool.source}_${name}`) : name
    const command = freeName(wanted, { has: hasOrOwns }, number => `${wanted}_${number}`, nextNumbers)
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

/** Returns the commands of some of the tools, each as it is among all of them. */
export function selectCommands(commands: ToolCommands, isSelected: (tool: Tool) => boolean): ToolCommands {
  return {
    entries: commands.entries.filter(({ tool }) => isSelected(tool)),
    toolOf(command) {
      const tool = commands.toolOf(command)
      return tool !== undefined && isSelected(tool) ? tool : undefined
    },
    commandOf: ref => commands.commandOf(ref),
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

/** The other programs of the scripts' engine. A tool may have such a name, and is then called in place of the program. */
const replaceableWords = `
  assert bunzip2 bzcat bzip2 caller chown column comm csv df dotenv envsubst expand glob http iconv join json
  log mkfifo numfmt parallel patch readlink realpath retry semver shuf template tomlq truncate unexpand unzip
  verify watch zip
`

export const replaceableCommands: ReadonlySet<string> = new Set(replaceableWords.trim().split(/\s+/))
