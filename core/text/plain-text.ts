/**
 * Text of a source made safe for a terminal. Characters that control a terminal (escape sequences, control characters) or
 * deceive a reader (direction marks, invisible characters) become U+FFFD.
 */

import { shorten } from './wording.ts'

const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu

/** Most texts: nothing to replace. */
const isPrintable = /^[ -~]*$/

const maxLineCharacters = 1000

/** Any text as one line: line breaks and tabs are spaces. */
export function plainLine(text: string): string {
  if (isPrintable.test(text)) return text.trim()
  return text
    .replace(/[\t\n\r\u2028\u2029]+/gu, ' ')
    .replace(unsafe, '\uFFFD')
    .trim()
}

/** A name with what cannot be seen in it as escapes: `line\nbreak`, `\u202e`. */
export function visibleName(name: string): string {
  return isPrintable.test(name)
    ? name
    : name.replace(/[\u2028\u2029]/g, escapeCharacters).replace(unsafe, escapeRun)
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeRun = (run: string) =>
  run
    .split('')
    .map(unit => shortEscapes[unit] ?? escapeCharacters(unit))
    .join('')

/** Any text with its own line breaks; tabs are spaces, empty lines around it go, no line ends with spaces. */
export function plainText(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u)
  return lines
    .map(line => line.replaceAll('\t', '    ').replace(unsafe, '\uFFFD').trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/gu, '')
}

/** As `unsafe`, but for line breaks and tabs. */
const unsafeInLines =
  /(?:(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}])+/gu

/** Any text with all its spaces and line breaks. */
export function wholeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafeInLines, '\uFFFD')
}

/** The first line that is not blank, at most 1,000 characters. */
export function oneLine(text: string): string {
  const start = text.trimStart().slice(0, 4 * maxLineCharacters)
  const [first = ''] = start.split(/[\n\r\u2028\u2029]/u, 1)
  return shorten(plainLine(first), maxLineCharacters)
}

/**
 * JSON with every unsafe character written as `\uXXXX`, and the `##` of commands to CI systems; it parses to the same
 * value.
 */
export function plainJson(value: unknown, space = 2): string {
  return plainJsonText(JSON.stringify(value, null, space) ?? 'null')
}

/** As `plainJson`, for what is JSON already. */
export function plainJsonText(json: string): string {
  // Outside of strings JSON contains none of these.
  return json.replace(unsafeInJson, escapeCharacters)
}

const unsafeInJson =
  /##(?=\w*\[)|[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g

function escapeCharacters(characters: string): string {
  return characters
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
