/** Explains to the user why a text is not JSON. */
import { visit } from 'jsonc-parser'

/**
 * Returns `tools.json is empty`, `Not JSON: starts with "hello"`, `The JSON breaks off at line 2, column 1 (character
 * 22). …`. One sentence has no full stop.
 *
 * @param text that JSON.parse refuses
 * @param name of the text: its file name
 */
export function describeJsonMistake(text: string, name: string): string {
  const start = text.search(/\S/)
  if (start < 0) return `${name} is empty`
  if (isWebPage(text)) {
    const [, title] = /<title[^<>]*>([^<>]+)</i.exec(text.slice(0, 4_000)) ?? []
    return `${name} is a web page${title === undefined ? '' : ` ("${beginning(title)}")`}, not JSON`
  }
  const head = beginning(text)
  const mistake = locateMistake(text)
  if (mistake === undefined) return `Invalid JSON. It starts with ${head}`
  const { offset, line, column } = mistake
  if (offset <= start) return `Not JSON: starts with "${head}"`
  const what = offset >= text.trimEnd().length ? 'The JSON breaks off' : 'Invalid JSON'
  return `${what} at line ${line}, column ${column} (character ${offset}). It starts with ${head}`
}

/**
 * Returns the first member that an object of a JSON text has twice, with its offset: each reader takes another one of the two.
 * Comments may be in the text.
 */
export function findRepeatedMember(
  text: string,
): { readonly name: string; readonly offset: number } | undefined {
  const open: Set<string>[] = []
  let found: { name: string; offset: number } | undefined
  visit(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty(name, offset) {
      const names = open.at(-1)
      if (names?.has(name)) found ??= { name, offset }
      names?.add(name)
    },
  })
  return found
}

/** Returns whether a text is HTML, such as the error page of a web server. */
export function isWebPage(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|head|body|title|h1|pre|center)\b/i.test(text)
}

/** Returns the first 200 characters on one line, without control characters. */
function beginning(text: string): string {
  return text
    .trimStart()
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trimEnd()
}

/** Line and column count from 1. */
interface Mistake {
  readonly offset: number
  readonly line: number
  readonly column: number
}

class Found extends Error {
  readonly mistake: Mistake

  constructor(mistake: Mistake) {
    super()
    this.mistake = mistake
  }
}

/** Parses the text again, because JSON.parse does not always report the position. */
function locateMistake(text: string): Mistake | undefined {
  try {
    visit(
      text,
      {
        onError: (_code, offset, _length, line, column) => {
          throw new Found({ offset, line: line + 1, column: column + 1 })
        },
      },
      { disallowComments: true },
    )
  } catch (thrown) {
    if (thrown instanceof Found) return thrown.mistake
    // A RangeError means that the text is nested too deeply for the parser. The message then has no position.
    if (!(thrown instanceof RangeError)) throw thrown
  }
  return undefined
}
