/** The texts of `pin`, and of the commands that call a tool which is not as it was approved. */
import type { ReviewItem } from '../../core/api/pins.ts'
import { AppError } from '../../core/errors.ts'
import { describeClasses } from '../../core/pin/pin.ts'
import { plainJson, plainLine } from '../../core/text/plain-text.ts'
import type { WordRun } from '../../core/text/word-diff.ts'
import { shorten } from '../../core/text/wording.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { minHashDigits, type Pins } from '../pins/source-pins.ts'
import type { CommandContext } from './command.ts'

/** Characters of unchanged text that are printed around a change. */
const maxSameCharacters = 60
const maxLineCharacters = 4_000

/** Returns lines that say what differs, with the words of changed texts. Hostile text is made plain. */
export function describeDifference(source: string, item: ReviewItem): readonly string[] {
  const { kind, name, pinnedName, classes, action, hash, refusal, changes } = item
  const label = kind === 'server' ? source : `${source} ${kind} ${plainLine(name)}`
  const renamed = pinnedName === undefined ? '' : `, approved as ${plainLine(pinnedName)}`
  const lines = [`${label}${renamed}: ${classes.join(', ')} (${action})`]
  for (const { message, words } of changes) {
    lines.push(`  ${plainLine(message)}`)
    if (words !== undefined) lines.push(`    ${formatWords(words)}`)
  }
  // An item that is new has no differences, so all of it is printed.
  if (item.before === undefined && item.after !== undefined)
    lines.push(`  ${plainLine(plainJson(item.after, 0))}`)
  if (hash !== undefined) lines.push(`  hash ${hash.slice(0, minHashDigits)}`)
  if (refusal !== undefined) lines.push(`  ${refusal}`)
  return lines.map(line => shorten(line, maxLineCharacters))
}

/** `the first [-words-]{+terms+} of a text`. */
function formatWords(words: readonly WordRun[]): string {
  return words
    .map(({ kind, text }) => {
      const line = `${/^\s/.test(text) ? ' ' : ''}${plainLine(text)}${/\S\s+$/.test(text) ? ' ' : ''}`
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
  const refused = await pins.admit(tool)
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
    throw new AppError('not-approved', `${plainLine(tool.ref)} was not called. It changed meanwhile.`, {
      hint: 'Call it again.',
    })
  for (const line of describeDifference(tool.source, item)) context.say(line)
  const detail = `${plainLine(tool.ref)} was not called. ${describeClasses(classes, kind)}`
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
