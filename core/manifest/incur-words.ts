/** Converts an input to incur's command line: positional arguments in their order, options as `--flag=value`. */
import { isLosslessNumber, parse } from 'lossless-json'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import type { IncurCall } from './incur.ts'

/**
 * Returns the words for `inputText`, or why a command line cannot express it. Numbers keep their digits.
 *
 * incur reads its own flags (`--mcp`, `--help`, `--update`) at any position, so a value that starts with a dash must
 * not be a word of its own: an option's value follows `=`, and such a positional argument is refused.
 */
export function incurWords(
  inputText: string,
  call: IncurCall,
): { readonly words: readonly string[] } | { readonly refusal: string } {
  const input: unknown = parse(inputText)
  if (!isObject(input)) return { refusal: 'The input must be an object: each member becomes an argument.' }
  const known = new Set([...call.positionals, ...call.options.map(option => option.property)])
  const unknown = Object.keys(input).find(key => !known.has(key))
  if (unknown !== undefined)
    return { refusal: `"${unknown}" is neither an argument nor an option of this command.` }
  try {
    return { words: [...positionalWords(input, call), ...optionWords(input, call)] }
  } catch (thrown) {
    if (thrown instanceof InexpressibleError) return { refusal: thrown.message }
    throw thrown
  }
}

class InexpressibleError extends Error {}

function positionalWords(input: UnknownObject, { positionals }: IncurCall): string[] {
  const words: string[] = []
  let absent: string | undefined
  for (const name of positionals) {
    const value = own(input, name)
    if (value === undefined) {
      absent ??= name
      continue
    }
    if (absent !== undefined)
      throw new InexpressibleError(
        `"${name}" comes after "${absent}" on the command line, so "${absent}" is needed too.`,
      )
    for (const word of toWords(name, value)) {
      if (word.startsWith('-'))
        throw new InexpressibleError(
          `"${name}" begins with a dash, which the program would read as an option.`,
        )
      words.push(word)
    }
  }
  return words
}

function optionWords(input: UnknownObject, { options }: IncurCall): string[] {
  return options.flatMap(({ property, flag }) => {
    const value = own(input, property)
    return value === undefined ? [] : toWords(property, value).map(word => `${flag}=${word}`)
  })
}

/** A list repeats its flag. A command line cannot express an empty list or null. */
function toWords(name: string, value: unknown): string[] {
  if (!Array.isArray(value)) return [toWord(name, value)]
  if (value.length === 0) throw new InexpressibleError(`"${name}" is an empty list; leave it out instead.`)
  return value.map(item => toWord(name, item))
}

function toWord(name: string, value: unknown): string {
  if (value === null)
    throw new InexpressibleError(`"${name}" is null, which a command line cannot say; leave it out.`)
  if (isLosslessNumber(value)) return value.toString()
  const word = typeof value === 'string' ? value : JSON.stringify(plain(value))
  if (word.includes('\0'))
    throw new InexpressibleError(`"${name}" holds a NUL character, which no argument can.`)
  return word
}

function plain(value: unknown): unknown {
  if (isLosslessNumber(value)) return Number(value.toString())
  if (Array.isArray(value)) return value.map(plain)
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
  return value
}
