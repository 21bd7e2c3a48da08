/** A tool's man page as data: the terminal (man-text.ts) and the page draw the same. */
import type { HelpEntry } from './command-name.ts'
import { callExitCodes } from './exit-codes.ts'
import { hintsOf } from './hints.ts'
import { rowFacts } from './man-row.ts'
import { type ManRows, manRows } from './man-rows.ts'
import { oneLine, plainLine, plainText } from './plain-text.ts'
import { sampleInput } from './sample-input.ts'
import { shellWord } from './shell-word.ts'
import { tagsOf } from './tags.ts'
import { openInput, openSchema } from './tool-fields.ts'
import { type Flag, flagsOfOpen, flagsText } from './usage-line.ts'

export interface ManOutput extends ManRows {
  /** What comes back as a whole: `object`, `array of string`. */
  readonly type: string
  readonly description?: string
}

/** All texts are fit for a terminal. */
export interface ManPage {
  readonly command: string
  readonly name: string
  readonly title?: string
  /** The description's first line; empty where there is none. */
  readonly summary: string
  /** In full, with its own line breaks; empty where the summary says all of it. */
  readonly description: string
  readonly flags: readonly Flag[]
  /** Ways to call it: with flags in a script (`[ ]` around what may be left out), and from the terminal. */
  readonly usage: readonly string[]
  /** The input in the usage, as JSON; made to fit, not the author's. */
  readonly sample?: string
  readonly input: ManRows
  readonly output?: ManOutput
  readonly exitCodes: typeof callExitCodes
  readonly source: { readonly name: string; readonly ref: string; readonly callable: boolean }
  readonly hints: readonly string[]
  readonly tags: readonly string[]
}

/** Makes the page of any tool, whatever its schemas are. Never throws. */
export function manPage({ command, tool }: HelpEntry): ManPage {
  const title = plainLine(tool.title ?? tool.annotations?.title ?? '')
  const summary = oneLine(tool.description ?? '')
  const description = plainText(tool.description ?? '').trim()
  const open = openInput(tool.inputSchema)
  const flags = flagsOfOpen(open)
  const sample = sampleInput(tool.inputSchema)
  const inScript = `${command} ${flagsText(flags, { bracketed: true })}`.trimEnd()
  // A reference that cannot be typed is not offered for pasting.
  const isTypeable = plainLine(tool.ref) === tool.ref
  const onCommandLine =
    tool.callable && isTypeable
      ? [`toolscope call ${shellWord(tool.ref)} --input ${shellWord(plainLine(sample ?? '{…}'))}`]
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
    input: manRows(open),
    ...(tool.outputSchema !== undefined && { output: outputOf(tool.outputSchema) }),
    exitCodes: callExitCodes,
    source: { name: plainLine(tool.source), ref: plainLine(tool.ref), callable: tool.callable },
    hints: hintsOf(tool),
    tags: tagsOf(tool).map(plainLine),
  }
}

function outputOf(schema: NonNullable<HelpEntry['tool']['outputSchema']>): ManOutput {
  const open = openSchema(schema)
  const { type, description } = rowFacts(open.planner, open.root)
  return { ...manRows(open), type, ...(description !== undefined && { description }) }
}
