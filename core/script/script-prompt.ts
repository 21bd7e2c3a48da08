/** What a model is told of a catalog that it reaches by scripts: names and one line each; `help` has the rest. */
import type { HelpEntry } from '../help/command-name.ts'
import { oneLine } from '../help/plain-text.ts'

/** Characters of a description that stand in the list. */
const lineLength = 100

/** ScriptedTool's compact prompt: `<set>: run bash scripts that orchestrate registered tool commands. Commands: a (What a does), …`. */
export function scriptPrompt(set: string, entries: readonly HelpEntry[]): string {
  const commands = entries.map(({ command, tool }) => {
    const line = oneLine(tool.description ?? tool.title ?? '')
    const short = line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line
    return short === '' ? command : `${command} (${short})`
  })
  return [
    `${set}: run bash scripts that orchestrate registered tool commands.`,
    `Commands: ${commands.join(', ')}.`,
    'Pass args as --key value or --key=value.',
    "Use 'help <tool>' for its flags, 'help <tool> --json' for its schema, 'discover --search <word>' to find tools, '<tool> --dry-run …' to check an input.",
    'Pipes, loops, variables and jq work; there are no files of the host and no network. Quote with double quotes around variables.',
  ].join(' ')
}
