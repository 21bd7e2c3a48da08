/**
 * The system prompt of a scripted tool: one tool that runs bash, with each tool of the catalog as a command. The
 * sentences come from the engine that runs Toolscope's scripts.
 */
import { summarizeFirstLine } from '../catalog/rows.ts'
import { finish, type Slices } from '../slices.ts'
import type { Tool } from '../tool/tool.ts'
import type { PromptPart, PromptParts } from './prompt-formats.ts'
import { nameToolCommandsInSteps } from './tool-commands.ts'
import { flagsText, listFlags } from './usage-line.ts'

interface ScriptedOptions {
  readonly compact: boolean
  readonly set: string
  /** Whether scripts may use their own files. */
  readonly files: boolean
}

const shell = {
  files: 'Shell logic, stdin pipelines and files that last as long as the script are available.',
  noFiles: 'Shell logic and stdin pipelines are available; filesystem primitives are unavailable.',
}

/** Full: each command with its flags. Compact: each command with the first line of its description. */
export function scriptedParts(tools: readonly Tool[], options: ScriptedOptions): PromptParts {
  return finish(scriptedPartsInSteps(tools, options))
}

/** Does the same as `scriptedParts`, in steps. */
export function* scriptedPartsInSteps(
  tools: readonly Tool[],
  { compact, set, files }: ScriptedOptions,
): Slices<PromptParts> {
  const { entries } = yield* nameToolCommandsInSteps(tools)
  const parts: PromptPart[] = []
  for (const { command, tool } of entries) {
    parts.push({
      tool,
      name: command,
      text: compact ? withSummary(command, tool) : withFlags(command, tool),
    })
    yield
  }
  return {
    format: 'text',
    head: `${set}: run bash scripts that orchestrate registered tool commands. Commands: `,
    parts,
    separator: ', ',
    tail: `. Pass args as --key value or --key=value. ${shell[files ? 'files' : 'noFiles']} Use help/discover builtins for runtime details.`,
  }
}

function withSummary(command: string, tool: Tool): string {
  const summary = summarizeFirstLine(tool.description ?? '')
  return summary === '' ? command : `${command} (${summary})`
}

function withFlags(command: string, tool: Tool): string {
  const flags = flagsText(listFlags(tool.inputSchema))
  return flags === '' ? command : `${command} [${flags}]`
}
