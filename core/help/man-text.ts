/** A man page for the terminal. */

import { plainLine } from '../text/plain-text.ts'
import { wrap } from '../text/wrap.ts'
import { type ManPage, manPage } from './man-page.ts'
import type { ManRow } from './row-facts.ts'
import type { ToolCommand } from './tool-commands.ts'
import { flagsText } from './usage-line.ts'

const defaultWidth = 80
const indent = 4
/** Fixed values that are listed in the terminal. */
const maxChoices = 100

/** The page as text, ends with a line break. `width` is in columns. Never throws. */
export function manText(entry: ToolCommand, width = defaultWidth): string {
  const page = manPage(entry)
  const exitCodes = page.exitCodes.flatMap(([code, text]) => hanging(`${code}  `, text, width))
  const sections: (readonly [title: string, lines: readonly string[]])[] = [
    ['NAME', nameLines(page, width)],
    ['USAGE', usageLines(page, width)],
    ['DESCRIPTION', page.description === '' ? [] : wrap(page.description, width, indent)],
    ['PARAMETERS', parameterLines(page, width)],
    ['OUTPUT', outputLines(page, width)],
    ['EXIT CODES', exitCodes],
    ['SOURCE', sourceLines(page, width)],
    ['HINTS', hintLines(page, width)],
    ['TAGS', page.tags.length === 0 ? [] : wrap(page.tags.join(', '), width, indent)],
  ]
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => `${[title, ...lines].join('\n')}\n`)
    .join('\n')
}

function nameLines({ command, summary, title }: ManPage, width: number): string[] {
  const head = summary === '' ? command : `${command} - ${summary}`
  return [
    ...wrap(head, width, indent),
    ...(title !== undefined && title !== summary ? wrap(title, width, indent) : []),
  ]
}

/** A flag stays on one line with its value. The command for the terminal is one line, so that it can be copied. */
function usageLines({ usage, command, flags }: ManPage, width: number): string[] {
  const [, ...others] = usage
  const words = flags.map(flag => flagsText([flag], { bracketed: true }).replaceAll(' ', '\u00a0'))
  const inScript = hanging(`${command} `, words.join(' '), width, 2 * indent)
  return [
    ...inScript.map(line => line.replaceAll('\u00a0', ' ').trimEnd()),
    ...others.map(line => `    ${line}`),
  ]
}

/** `0  the tool answered …`: further lines are indented to the text, or by `under` columns. */
function hanging(head: string, text: string, width: number, under = indent + head.length): string[] {
  const [first = '', ...others] = wrap(`${head.replaceAll(' ', '\u00a0')}${text}`, width, indent)
  const rest = others.length === 0 ? [] : wrap(others.map(line => line.trim()).join(' '), width, under)
  return [first.replaceAll('\u00a0', ' '), ...rest]
}

function parameterLines({ input, flags }: ManPage, width: number): string[] {
  if (input.rows.length === 0) return wrap('None that the input schema names.', width, indent)
  const hints = new Map(flags.map(flag => [flag.name, flag.hint]))
  const lines = input.rows.flatMap((row, index) => {
    const hint = row.name === undefined ? undefined : hints.get(row.name)
    const head = hint === undefined ? headOf(row) : `--${row.path} <${hint}>`
    return [...(index > 0 && row.depth === 0 ? [''] : []), ...rowLines(row, head, width)]
  })
  return input.more ? [...lines, ...moreLines(width)] : lines
}

function outputLines({ output }: ManPage, width: number): string[] {
  if (output === undefined) return wrap('No output schema: anything may come back.', width, indent)
  const whole = [output.type, output.description].filter(Boolean).join('\n')
  return [
    ...wrap(whole, width, indent),
    ...output.rows.flatMap(row => rowLines(row, headOf(row), width)),
    ...(output.more ? moreLines(width) : []),
  ]
}

function moreLines(width: number): string[] {
  return ['', ...wrap('There is more inside than is shown here: --json has all of it.', width, indent)]
}

function headOf({ role, path, label }: ManRow): string {
  return role === 'variant' ? `either: ${label ?? ''}` : path
}

function rowLines(row: ManRow, head: string, width: number): string[] {
  const at = indent * (Math.min(row.depth, 10) + 1)
  const detail = (text: string) => wrap(text, width, at + indent)
  const facts = [row.type, ...row.constraints, ...(row.required ? ['required'] : [])].join(' · ')
  return [
    ...wrap(head, width, at),
    ...detail(facts),
    ...(row.description === undefined ? [] : detail(row.description)),
    ...(row.choices.length === 0 ? [] : detail(choiceText(row))),
    ...(row.preset === undefined ? [] : detail(`Default: ${row.preset}`)),
    ...(row.examples.length === 0 ? [] : detail(`Example: ${row.examples.join(', ')}`)),
    ...row.notices.flatMap(detail),
  ]
}

function choiceText({ choices, type }: ManRow): string {
  const word = type.startsWith('enum') ? 'One of' : 'Suggested'
  const shown = choices.slice(0, maxChoices).map(({ text, label, description }) => {
    const note = [label, description === 'suggested' ? undefined : description].filter(Boolean).join(': ')
    return note === '' ? text : `${text} (${note})`
  })
  const hidden = choices.length - shown.length
  return `${word}: ${shown.join(', ')}${hidden > 0 ? ` … and ${hidden} more: --json has them` : ''}`
}

function sourceLines({ source, name, command }: ManPage, width: number): string[] {
  return [
    ...wrap(source.callable ? source.name : `${source.name} · view only`, width, indent),
    ...(name === command ? [] : wrap(`Its name there: ${plainLine(name)}`, width, indent)),
    ...wrap(`Reference: ${source.ref}`, width, indent),
  ]
}

function hintLines({ hints }: ManPage, width: number): string[] {
  if (hints.length === 0) return []
  return [
    ...wrap('Declared by the source (unverified):', width, indent),
    ...hints.flatMap(hint => wrap(hint, width, 2 * indent)),
  ]
}
