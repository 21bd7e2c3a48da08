/** What each tool of a catalog is called where names are commands: in scripts, in help, in a prompt. */
import type { Tool } from '../tool/tool.ts'
import { reservedCommands } from './reserved-commands.ts'

/** MCP's own limit for tool names. */
const longestName = 128

/** A tool under its command name. */
export interface HelpEntry {
  /** ASCII letters, digits, `_` and `-`; unique in its catalog. */
  readonly command: string
  readonly tool: Tool
}

/** The commands of a catalog, both ways. */
export interface CommandNames {
  /** In the order of the catalog. */
  readonly entries: readonly HelpEntry[]
  /** The tool behind a command. */
  toolOf(command: string): Tool | undefined
  /** The command of the tool with this reference. */
  commandOf(ref: string): string | undefined
}

/** `api greet` → `api_greet`: whatever is no ASCII letter, digit, `_` or `-` becomes one `_`. Never empty, at most 128 long. */
export function commandNameOf(name: string): string {
  const plain = name
    .slice(0, 4 * longestName)
    .trim()
    .replace(/[^a-zA-Z0-9_-]+/g, '_')
    .slice(0, longestName)
  if (plain === '') return 'tool'
  // A leading dash would be read as an option.
  return plain.startsWith('-') ? `_${plain.slice(1)}` : plain
}

/**
 * Names every tool. A name that only one tool wants, and that the shell does not need, is that tool's own; else the
 * source goes before it (`acme_greet`), and what is still the same is numbered in the order of the catalog
 * (`greet`, `greet_2`). No tool gets the name of another silently. Linear in the number of tools.
 */
export function commandNames(tools: readonly Tool[]): CommandNames {
  const plain = tools.map(tool => commandNameOf(tool.name))
  const sources = new Map<string, Set<string>>()
  const wanted = new Map<string, number>()
  for (const [index, tool] of tools.entries()) {
    const name = plain[index] ?? ''
    wanted.set(name, (wanted.get(name) ?? 0) + 1)
    const known = sources.get(name)
    if (known) known.add(tool.source)
    else sources.set(name, new Set([tool.source]))
  }
  const isOwn = (name: string) => wanted.get(name) === 1 && !reservedCommands.has(name)
  const taken = new Set(plain.filter(isOwn))
  const counts = new Map<string, number>()
  const free = (name: string) => {
    if (!taken.has(name) && !reservedCommands.has(name)) return name
    for (let count = counts.get(name) ?? 2; ; count++) {
      counts.set(name, count + 1)
      const numbered = `${name}_${count}`
      if (!taken.has(numbered) && !reservedCommands.has(numbered)) return numbered
    }
  }
  const entries = tools.map((tool, index): HelpEntry => {
    const name = plain[index] ?? ''
    if (isOwn(name)) return { command: name, tool }
    const needsSource = (sources.get(name)?.size ?? 0) > 1 || reservedCommands.has(name)
    const command = free(needsSource ? commandNameOf(`${tool.source}_${name}`) : name)
    taken.add(command)
    return { command, tool }
  })
  const byCommand = new Map(entries.map(({ command, tool }) => [command, tool]))
  const byRef = new Map(entries.map(({ command, tool }) => [tool.ref, command]))
  return {
    entries,
    toolOf: command => byCommand.get(command),
    commandOf: ref => byRef.get(ref),
  }
}
