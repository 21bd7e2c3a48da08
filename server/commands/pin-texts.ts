/** The texts of `pin`, and of the commands that call a tool which is not as it was approved. */
import type { ReviewItem } from '../../core/api/pins.ts'
import { AppError } from '../../core/errors.ts'
import { describeClasses } from '../../core/pin/pin.ts'
import { plainJson, revealLine } from '../../core/text/plain-text.ts'
import { diffWords, type WordRun } from '../../core/text/word-diff.ts'
import { shorten } from '../../core/text/wording.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { minHashDigits, type Pins } from '../pins/source-pins.ts'
import type { CommandContext } from './command.ts'

/** Characters of unchanged text that are printed around a change. */
const maxSameCharacters = 60
const maxLineCharacters = 4_000
/** Characters of a difference: more fill several screens, of which a person reads the last one. */
const maxItemCharacters = 12_000

/** Returns lines that say what differs, with the words of changed texts. Hostile text is made plain; a long line is cut. */
export function describeDifference(source: string, item: ReviewItem): readonly string[] {
  return listLines(source, item).map(line => shorten(line, maxLineCharacters))
}

/** Throws AppError `not-approved` if a difference is not shown in full: a person accepts only what was shown. */
export function demandReadable(source: string, items: readonly ReviewItem[]): void {
  for (const item of items) {
    const lines = listLines(source, item)
    const length = lines.reduce((sum, line) => sum + line.length, 0)
    if (length > maxItemCharacters || lines.some(line => line.length > maxLineCharacters))
      throw new AppError(
        'not-approved',
        `What changed in ${revealLine(item.name) || source} is too long for a question`,
        {
          hint: `Read it in full: toolscope pin --check --json, or the page. Then name its hash, ${(item.hash ?? '').slice(0, minHashDigits)}.`,
        },
      )
  }
}

function listLines(source: string, item: ReviewItem): readonly string[] {
  const { kind, name, pinnedName, classes, action, hash, refusal, changes } = item
  const label = kind === 'server' ? source : `${source} ${kind} ${revealLine(name)}`
  const renamed = pinnedName === undefined ? '' : `, approved as ${revealLine(pinnedName)}`
  const lines = [`${label}${renamed}: ${classes.join(', ')} (${action})`]
  for (const { message, path, words, before, after } of changes) {
    const location = /^[~/]/.test(path) && !message.endsWith(path.slice(1)) ? ` (${path})` : ''
    lines.push(`  ${revealLine(message + location)}`)
    const runs = words ?? (isCut.test(message) ? diffWords(printValue(before), printValue(after)) : undefined)
    if (runs !== undefined) lines.push(`    ${formatWords(runs)}`)
  }
  // Our diff does not say what is different in a schema that it could not compare part by part.
  const isWhole = classes.includes('undecided') || changes.some(({ rule }) => rule === 'generator-form')
  if (isWhole && action !== 'allow' && item.before !== undefined && item.after !== undefined)
    lines.push(`  ${formatWords(diffWords(printValue(item.before), printValue(item.after)))}`)
  // An item that is new has no differences, so all of it is printed.
  if (item.before === undefined && item.after !== undefined) lines.push(`  ${printValue(item.after)}`)
  if (hash !== undefined) lines.push(`  hash ${hash.slice(0, minHashDigits)}`)
  if (refusal !== undefined) lines.push(`  ${refusal}`)
  return lines
}

/** A change names long values only in part. */
const isCut = /…|and \d+ more/

const printValue = (value: unknown) => (value === undefined ? '' : revealLine(plainJson(value, 0)))

/** `the first [-words-]{+terms+} of a text`. */
function formatWords(words: readonly WordRun[]): string {
  return words
    .map(({ kind, text }) => {
      const line = `${/^\s/.test(text) ? ' ' : ''}${revealLine(text)}${/\S\s+$/.test(text) ? ' ' : ''}`
      if (kind === 'added') return `{+${line}+}`
      if (kind === 'removed') return `[-${line}-]`
      return line.length <= maxSameCharacters
        ? line
        : `${line.slice(0, maxSameCharacters / 2)} … ${line.slice(-maxSameCharacters / 2)}`
    })
    .join('')
}

/**
 * Prints what differs of a tool that would be refused, and asks on a terminal whether to call it this once. Throws
 * AppError `not-approved` if it must not be called.
 */
export async function acceptOnce(pins: Pins, tool: Tool, context: CommandContext): Promise<void> {
  const found = { index: tool.index, manifest: undefined, seen: tool }
  const refused = await pins.admit(tool, { found })
  if (refused === undefined) return
  const refusal = (await pins.refusalsOf(tool.source)).get(tool.ref)
  const { difference } = refusal ?? {}
  if (difference === undefined) throw new AppError('not-approved', refused.message, { hint: refused.hint })
  const { kind, name, classes, action, hash } = difference
  const { reviewPin } = await import('../pins/approve-pin.ts')
  const review = await reviewPin(pins, tool.source)
  const item = review.items.find(each => each.hash === hash && each.kind === kind && each.name === name)
  // A person accepts only what was shown.
  if (item === undefined)
    throw new AppError('not-approved', `${revealLine(tool.ref)} was not called. It changed meanwhile.`, {
      hint: 'Call it again.',
    })
  for (const line of describeDifference(tool.source, item)) context.say(line)
  if (action === 'ask' && context.ask !== undefined) demandReadable(tool.source, [item])
  const detail = `${revealLine(tool.ref)} was not called. ${describeClasses(classes, kind)}`
  if (action === 'block' || hash === undefined)
    throw new AppError('not-approved', detail, {
      hint: 'The policy blocks it: approve it with `toolscope pin`.',
    })
  const answer = await context.ask?.('Call it anyway, this once? [y/N] ')
  if (!/^\s*y(es)?\s*$/i.test(answer ?? ''))
    throw new AppError('not-approved', detail, {
      hint: `To accept exactly this difference in one run: --accept ${hash.slice(0, minHashDigits)}. To approve it: toolscope pin.`,
    })
  pins.accept([hash])
}
