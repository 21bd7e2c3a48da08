/** Makes the command line that calls the tool's own program. */

import { readIncurCall } from '../manifest/incur.ts'
import { incurWords } from '../manifest/incur-words.ts'
import { formatShellCommand } from '../text/shell.ts'
import { variableEnvironmentName } from '../tool/agent.ts'
import { nameSegments } from '../tool/tool.ts'
import type { CopyContext, Recipe } from './copy-input.ts'

/** Only for programs and functions directories: other sources cannot be called with a command. */
export const shellCommand: Recipe = context => {
  if (context.source.kind === 'functions-directory') return functionCommand(context)
  if (context.source.kind !== 'llms-program') return undefined
  return context.source.format === 'incur' ? incurCommand(context) : llmsCommand(context)
}

function llmsCommand({ tool, source, input }: CopyContext): string {
  const segments = nameSegments(tool.name)
  const program = source.label.split(' ').at(-1)?.split('/').at(-1) ?? ''
  const isProgram =
    source.toolCount === 1 &&
    segments.length === 1 &&
    (program === tool.name || program.startsWith(`${tool.name}.`))
  const words = [...(isProgram ? [] : segments), source.inputFlag ?? '--json', input]
  return `${source.label} ${formatShellCommand(words)}`
}

/** incur's names are absolute, even in a sub-program, so words that the label already has are omitted. */
function incurCommand({ tool, source, input }: CopyContext): string | undefined {
  const said = incurWords(input, readIncurCall(tool))
  if ('refusal' in said) return undefined
  const segments = nameSegments(tool.name)
  const labelWords = source.label.split(' ')
  const known = segments
    .map((_, index) => index + 1)
    .filter(count => labelWords.slice(-count).join(' ') === segments.slice(0, count).join(' '))
  const rest = segments.slice(Math.max(0, ...known))
  return `${source.label} ${formatShellCommand([...rest, ...said.words, '--format', 'json'])}`
}

function functionCommand({ tool, source, input, variables }: CopyContext): string | undefined {
  const { extra = {} } = tool
  // A tool that is called through the bridge or is not built has no program.
  if (extra.throughBridge === true || extra.unbuilt === true) return undefined
  const isAgents =
    extra.agent === true && typeof extra.agentName === 'string' && typeof extra.functionName === 'string'
  const words = isAgents ? [String(extra.agentName), String(extra.functionName)] : [tool.name]
  const [program = '', ...rest] = words
  const environment = Object.entries(variables).flatMap(([name, value]) => {
    const variable = variableEnvironmentName(name)
    return variable === null ? [] : [`${variable}=${formatShellCommand([value])}`]
  })
  const folder = source.label.replace(/(?<=.)\/+$/, '')
  return [
    ...environment,
    formatShellCommand([`${folder.includes('/') ? folder : `./${folder}`}/bin/${program}`, ...rest, input]),
  ].join(' ')
}
