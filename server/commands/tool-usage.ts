/** How a tool is typed with `toolscope call`. */
import { sampleValue } from '../../core/form/sample.ts'
import { isObject, type Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import type { ToolCommand } from '../../core/prompt/tool-commands.ts'
import { describeFlags, usageFlags } from '../../core/prompt/usage-line.ts'
import { toFlags } from '../../core/script/to-flags.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import type { Command } from './command.ts'
import { separateFlags } from './split-words.ts'

/**
 * Returns the words after the tool and its source that give this input: flags of the tool, or `--input` with JSON if flags
 * cannot express it.
 *
 * @param command the command `call`
 */
export function inputWords({ tool }: ToolCommand, input: Json, command: Command): readonly string[] {
  const flags = isObject(input) ? toFlags(tool.inputSchema, input, { strict: { otherFlags: [] } }) : null
  return flags === null ? ['--input', writeJson(input, 0)] : separateFlags(flags, command)
}

/** Characters to which the names of flags are filled up. */
const maxFlagWidth = 30

/**
 * Returns the lines of `toolscope help` for a tool: its flags, optional ones in `[ ]`, an example that runs, and what each
 * flag means. A tool that cannot be called has no example.
 *
 * @param argument names the source of the tool on a command line; undefined if toolscope.json names it
 * @param command the command `call`
 */
export function toolUsage(entry: ToolCommand, argument: string | undefined, command: Command): string[] {
  const { command: name, tool } = entry
  const { flags } = usageFlags(tool.inputSchema)
  const described = describeFlags(tool.inputSchema)
  const width = Math.max(...described.map(({ flag }) => flag.length))
  const meanings = described.map(
    ({ flag, about }) => `  ${flag.padEnd(Math.min(width, maxFlagWidth))}  ${about}`,
  )
  if (!tool.callable) return flags.length === 0 ? [] : [['Usage:', name, ...flags].join(' '), ...meanings]
  const words = ['toolscope', 'call', name, ...(argument === undefined ? [] : [argument])]
  const usage = `Usage: ${[formatShellCommand(words), ...separateFlags(flags, command)].join(' ')}`
  const sample = sampleValue(tool.inputSchema, { optional: 'none' })
  const example = formatShellCommand([...words, ...inputWords(entry, sample, command)])
  // A name with signs that a terminal must not get cannot be typed.
  return flags.length === 0 || plainLine(example) !== example
    ? [usage, ...meanings]
    : [usage, `Example: ${example}`, ...meanings]
}
