/** What is wrong with a command line, in the words that were typed. */
import type { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { shellWords } from '../../core/text/shell.ts'
import { listWords, nearest } from '../../core/text/wording.ts'
import type { Command } from './command.ts'
import { optionName } from './flags.ts'

/**
 * An error for an input that breaks the schema of its command.
 *
 * @param isTyped false where the input was given as JSON: its own keys say what is meant
 */
export function inputError(command: Command, error: z.ZodError, isTyped: boolean): AppError {
  const { name } = command
  const described = error.issues.map(issue => {
    const key = issue.path.join('.') || 'the input'
    return isTyped ? describeTyped(command, issue) : `${key}: ${issue.message}`
  })
  return new AppError('usage', `${name}: ${described.join('; ')}`, {
    hint: `Run \`toolscope ${name} --help\` for its arguments and options.`,
  })
}

function describeTyped(command: Command, issue: z.core.$ZodIssue): string {
  const [key = ''] = issue.path.map(String)
  const typed = command.positionals.includes(key) ? `<${key}>` : optionName(command, key)
  const { input } = issue
  if (issue.code === 'invalid_type' && input === undefined) {
    const about = command.input.shape[key]?.description
    return `${typed} is missing${about === undefined ? '' : `: ${about}`}`
  }
  const must = (words: string) => `${typed} is ${JSON.stringify(input)}, and must be ${words}`
  if (issue.code === 'invalid_value') return must(listWords(issue.values.map(String)))
  if (typeof input === 'number' && issue.code === 'too_small') return must(`at least ${issue.minimum}`)
  if (typeof input === 'number' && issue.code === 'too_big') return must(`at most ${issue.maximum}`)
  return `${typed}: ${issue.message}`
}

/**
 * What to do about an option that the command does not have, where it can be one of the program named before it; undefined
 * otherwise.
 *
 * @param own the words before `--`
 */
export function programOptionHint(
  option: string,
  own: readonly string[],
  command: Command,
): string | undefined {
  const at = own.indexOf(option)
  const before = own.slice(own[0] === command.name ? 1 : 0, Math.max(0, at))
  const program = before.at(-1) ?? '-'
  const sources = command.positionals.indexOf('sources')
  if (
    sources < 0 ||
    program.startsWith('-') ||
    before.filter(word => !word.startsWith('-')).length <= sources
  )
    return undefined
  const start = shellWords(['toolscope', ...own.slice(0, at - 1)])
  return `What belongs to ${program} goes with it in quotes, or behind --: ${start} "${program} ${option} …", ${start} ${program} -- ${option} …`
}

/** The same error, with the command that a mistyped first word may mean: such a word was looked for as a source. */
export function commandHint(error: AppError, own: readonly string[], names: readonly string[]): AppError {
  const [first = '', ...others] = own
  const isAlone = others.every(word => word.startsWith('-')) && error.detail.startsWith(`${first} `)
  const meant = nearest(first, names)
  if (error.code !== 'source-not-found' || !isAlone || meant === null) return error
  return new AppError(error.code, error.detail, { hint: `Did you mean \`toolscope ${meant}\`?` })
}

/** A call of the command with one source: `toolscope call <tool> <program or manifest.json>`. */
export function usageWithSource({ name, positionals }: Command): string {
  const words = positionals.map(key => (key === 'sources' ? '<program or manifest.json>' : `<${key}>`))
  return ['toolscope', name, ...words].join(' ')
}
