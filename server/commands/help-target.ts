/** Determines the subject of `toolscope help`: a tool and sources, or only sources. */

import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { findTools, unknownTool } from '../../core/prompt/discover.ts'
import { type ToolCommand, toToolCommand } from '../../core/prompt/tool-commands.ts'
import { fileStatus, interpreterName } from '../process/command-line.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import type { CommandContext } from './command.ts'
import { printError } from './command.ts'
import {
  type CatalogInput,
  nothingNamed,
  openFailures,
  type Prepared,
  prepareCatalog,
} from './open-catalog.ts'

export interface HelpInput {
  readonly tool?: string | undefined
  readonly sources: readonly SourceArgument[]
  readonly list: boolean
  readonly config?: string | undefined
}

/**
 * The prefix that run.ts adds to words after `--`, here for `toolscope help node -- acme.mjs`, because it treats them
 * as an MCP server.
 */
const ofDashes = 'mcp:'

/**
 * Returns the first word if it can name a tool, and the sources. With `--list` every word is a source; a path or an
 * interpreter right before `--` is the program that the following words belong to.
 */
export function wordAndSources({ tool, sources, list }: HelpInput): {
  readonly word?: string
  readonly sources: readonly SourceArgument[]
} {
  const [only, ...others] = sources
  if (tool === undefined) return { sources }
  const program = typeof only === 'object' && others.length === 0 ? only[0] : undefined
  if (program?.startsWith(ofDashes) && (list || interpreterName.test(tool) || tool.includes('/')))
    return { sources: [[tool, program.slice(ofDashes.length), ...(only?.slice(1) ?? [])]] }
  return list ? { sources: [tool, ...sources] } : { word: tool, sources }
}

const nameSource = 'No source was named: toolscope help TOOL SOURCE, or toolscope help for our own commands.'

export interface Opened {
  readonly entries: readonly ToolCommand[]
  /** The requested tool; absent if the answer is the list. */
  readonly entry?: ToolCommand
  /** The argument that names the tool's source; absent if the command line names none. */
  readonly argument?: string
  /** True if a source has no list. */
  readonly incomplete: boolean
}

/**
 * Opens the sources (without arguments those of the configuration) and finds the tool. A word that names no tool but a
 * source means the list of that source. Throws AppError `unknown-tool`, `tool-ambiguous`, or the reason why no source
 * has a list.
 *
 * @param ownCommands candidates for a mistyped word if there is no source to search
 */
export async function openForHelp(
  word: string | undefined,
  input: CatalogInput,
  context: CommandContext,
  ownCommands: readonly string[] = [],
): Promise<Opened> {
  const { prepared, entries, failures } = await listed(input, context)
  const hasNothing = prepared.specs.length + prepared.failures.length === 0
  if (word === undefined && hasNothing) throw nothingNamed(context)
  if (word === undefined) return { entries, incomplete: reportFailures(failures, context) }
  const found = findTools(entries, word)
  const [entry, other] = found
  if (entry !== undefined && other === undefined) {
    const { source } = entry.tool
    const spec = prepared.specs.find(({ settings }) => settings.name === source) ?? prepared.specs[0]
    const argument = input.sources.length === 0 ? undefined : (spec?.argument ?? 'SOURCE')
    return { entries, entry, incomplete: false, ...withoutUndefined({ argument }) }
  }
  if (other !== undefined)
    throw new AppError(
      'tool-ambiguous',
      `"${word}" is ${found.map(({ command }) => command).join(' and ')}`,
      {
        hint: 'Name it by one of these.',
      },
    )
  const ownEntries = entries.filter(({ tool }) => tool.source === word)
  if (ownEntries.length > 0) return { entries: ownEntries, incomplete: false }
  if (isConfigured(prepared, word) || isFileOrAddress(word, context.directory) || hasNothing) {
    const asSource = await listed({ ...input, sources: [word, ...input.sources] }, context)
    if (asSource.prepared.failures.length === 0 || isFileOrAddress(word, context.directory))
      return { entries: asSource.entries, incomplete: reportFailures(asSource.failures, context) }
  }
  if (reportFailures(failures, context) && entries.length === 0)
    throw new AppError(failures[0]?.code ?? 'internal', 'no source lists a tool')
  const commands = nameAsCalled(entries, entries).map(({ command }) => command)
  const listHint = input.sources.length > 0 ? 'toolscope help --list SOURCE names the tools.' : undefined
  throw unknownTool(word, hasNothing ? ownCommands : commands, hasNothing ? nameSource : listHint)
}

/**
 * Returns the entries under the names that `toolscope call` takes: a tool's own name if it is one word that no other tool
 * has, although a script needs another command for it (bash has a `hash` of its own); else the command.
 */
export function nameAsCalled(entries: readonly ToolCommand[], all: readonly ToolCommand[]): ToolCommand[] {
  const uses = new Map<string, number>()
  for (const { tool } of all) uses.set(tool.name, (uses.get(tool.name) ?? 0) + 1)
  return entries.map(entry => {
    const { name } = entry.tool
    return uses.get(name) === 1 && toToolCommand(name) === name ? { ...entry, command: name } : entry
  })
}

/** Opens the sources, reads their lists and closes them: help needs only the lists. */
async function listed(input: CatalogInput, context: CommandContext) {
  const prepared = await prepareCatalog(input, context)
  try {
    await Promise.all(prepared.specs.map(spec => prepared.catalog.sources.add(spec)))
    const { entries } = prepared.catalog.tools.commands()
    return { prepared, entries, failures: openFailures(prepared) }
  } finally {
    await prepared.catalog.close()
  }
}

function reportFailures(failures: readonly AppError[], context: CommandContext): boolean {
  for (const error of failures) printError(error, context)
  return failures.length > 0
}

function isConfigured({ config }: Prepared, word: string): boolean {
  return config.specs.some(({ settings }) => settings.name === word)
}

/** Returns whether a word is a file, a URL or a path; a bare word on PATH is more likely a mistyped tool. */
function isFileOrAddress(word: string, directory: string): boolean {
  return /^[a-z]+:\/\/|^(?:mcp|bridge):|^\.{0,2}\/|\.json$/i.test(word) || existsAt(word, directory)
}

function existsAt(word: string, directory: string): boolean {
  try {
    return fileStatus(`${directory}/${word}`) !== null
  } catch {
    return false
  }
}
