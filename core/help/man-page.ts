/** A tool's man page as data: the terminal (man-text.ts) and the page draw the same. */

import { exitCodes } from '../errors.ts'
import { oneLine, plainLine, plainText } from '../text/plain-text.ts'
import { shellWords } from '../text/shell.ts'
import type { Tool } from '../tool/tool.ts'
import { callWords } from './call-words.ts'
import { tagsOf } from './discover.ts'
import { type ManRows, manRows } from './man-rows.ts'
import { rowFacts } from './row-facts.ts'
import { sampleInput } from './sample-input.ts'
import type { ToolCommand } from './tool-commands.ts'
import { openInput, openSchema } from './tool-fields.ts'
import { type Flag, flagsOfFields, flagsText } from './usage-line.ts'

export interface ManOutput extends ManRows {
  /** Of the whole result: `object`, `array of string`. */
  readonly type: string
  readonly description?: string
}

/** All texts are safe for a terminal. */
export interface ManPage {
  readonly command: string
  readonly name: string
  readonly title?: string
  /** The description's first line; empty where there is none. */
  readonly summary: string
  /** In full, with its own line breaks; empty where it equals the summary. */
  readonly description: string
  readonly flags: readonly Flag[]
  /** With flags in a script (`[ ]` around optional ones), and from the terminal. */
  readonly usage: readonly string[]
  /** The input in the usage, as JSON; generated, not the author's. */
  readonly sample?: string
  readonly input: ManRows
  readonly output?: ManOutput
  readonly exitCodes: typeof callExitCodes
  readonly source: { readonly name: string; readonly ref: string; readonly callable: boolean }
  readonly hints: readonly string[]
  readonly tags: readonly string[]
}

/** Stands for a source that no argument is known for. */
const sourceWord = 'SOURCE'

/** Takes any tool, whatever its schemas are. Never throws. */
export function manPage({ command, tool, argument = sourceWord }: ToolCommand): ManPage {
  const title = plainLine(tool.title ?? tool.annotations?.title ?? '')
  const summary = oneLine(tool.description ?? '')
  const description = plainText(tool.description ?? '').trim()
  const opened = openInput(tool.inputSchema)
  const flags = flagsOfFields(opened)
  const sample = sampleInput(tool.inputSchema)
  const inScript = `${command} ${flagsText(flags, { bracketed: true })}`.trimEnd()
  // Invisible characters cannot be pasted.
  const isTypeable = (text: string) => plainLine(text) === text
  const words = callWords(tool, isTypeable(argument) ? argument : sourceWord)
  const onCommandLine =
    tool.callable && isTypeable(tool.ref)
      ? [shellWords([...words, '--input', plainLine(sample ?? '{…}')])]
      : []
  return {
    command,
    name: plainLine(tool.name),
    ...(title !== '' && { title }),
    summary: summary || title,
    description: description === summary ? '' : description,
    flags,
    usage: [inScript, ...onCommandLine],
    ...(sample !== undefined && { sample }),
    input: manRows(opened),
    ...(tool.outputSchema !== undefined && { output: outputOf(tool.outputSchema) }),
    exitCodes: callExitCodes,
    source: { name: plainLine(tool.source), ref: plainLine(tool.ref), callable: tool.callable },
    hints: hintsOf(tool),
    tags: tagsOf(tool).map(plainLine),
  }
}

function outputOf(schema: NonNullable<ToolCommand['tool']['outputSchema']>): ManOutput {
  const opened = openSchema(schema)
  const { type, description } = rowFacts(opened.planner, opened.root)
  return { ...manRows(opened), type, ...(description !== undefined && { description }) }
}

/** A tool's annotations in words. They are unchecked claims of the source: say so where they are shown. */
function hintsOf({ annotations = {} }: Pick<Tool, 'annotations'>): string[] {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations
  const hints = [
    readOnlyHint === true && 'read-only: it changes nothing',
    readOnlyHint === false && 'not read-only: it may change things',
    destructiveHint === true && 'destructive: what it changes may be lost',
    destructiveHint === false && 'not destructive: it only adds',
    idempotentHint === true && 'idempotent: a second call with the same input changes nothing more',
    idempotentHint === false && 'not idempotent: each call counts',
    openWorldHint === true && 'open world: it reaches beyond its source',
    openWorldHint === false && 'closed world: it stays within its source',
  ]
  return hints.filter(hint => typeof hint === 'string')
}

/** Exit codes of `toolscope call`. */
const callExitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [exitCodes.fine, 'the tool answered, and its output fits the output schema where there is one'],
  [exitCodes.unexpected, 'something unexpected'],
  [exitCodes.usage, 'usage or configuration: no such tool, or the input is not valid JSON'],
  [exitCodes.unreachable, 'the source cannot be reached'],
  [exitCodes.toolFailed, 'the tool failed, or its output breaks its schema'],
]
