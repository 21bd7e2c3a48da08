/** A docstring: its description, and what its `Args:` section says of each parameter. */
import { lineEnd, quoteAt, stringEnd } from './python-text.ts'

export interface DocumentedParameter {
  /** `name (str, optional): text` → `str?`; empty where no type is given. */
  readonly type: string
  readonly description: string
}

/** The docstring that begins a body at `at`, unescaped and without its common indentation; '' where there is none. */
export function docstringAt(source: string, at: number): string {
  let text = ''
  let from = skipSpace(source, at)
  for (;;) {
    const [, prefix = ''] = /^([rRuU]?)(?=['"])/.exec(source.slice(from, from + 2)) ?? []
    const start = from + prefix.length
    if (source[start] !== '"' && source[start] !== "'") break
    const quote = quoteAt(source, start)
    const end = stringEnd(source, start)
    const inner = source.slice(start + quote.length, end - quote.length)
    text += /[rR]/.test(prefix) ? inner : readEscapes(inner)
    // Strings that stand side by side are one.
    from = end + (/^[ \t]*/.exec(source.slice(end, end + 1_000))?.[0].length ?? 0)
  }
  // What goes on as an expression documents nothing.
  return /[\n#;]/.test(source[from] ?? '\n') ? withoutIndentation(text) : ''
}

function skipSpace(source: string, at: number): number {
  let from = at
  for (;;) {
    while (/\s/.test(source[from] ?? '')) from++
    if (source[from] !== '#') return from
    from = lineEnd(source, from)
  }
}

const escapes: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

const readEscapes = (text: string) =>
  text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|([\s\S]))/gi,
    (whole, x?: string, u?: string, long?: string, octal?: string, character?: string) => {
      if (character !== undefined)
        return Object.hasOwn(escapes, character) ? (escapes[character] ?? whole) : whole
      const code = octal === undefined ? Number.parseInt(x ?? u ?? long ?? '', 16) : Number.parseInt(octal, 8)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )

/** As Python's inspect.cleandoc: the first line is apart, the others lose what they have in common. */
function withoutIndentation(text: string): string {
  const [first = '', ...rest] = text.split('\n').map(expandTabs)
  const margins = rest.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const margin = margins.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const lines = [first.trimStart(), ...rest.map(line => line.slice(Number.isFinite(margin) ? margin : 0))]
  return lines.join('\n').replace(/^\n+|\n+$/g, '')
}

/** Tabs go to the next column that is a multiple of eight. */
function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t')
  return rest.reduce((text, part) => text + ' '.repeat(8 - (text.length % 8)) + part, first)
}

/** The lines that Python's str.splitlines() sees. */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** The text before `Args:`, and the indented lines right below it: one parameter each, an empty line ends them. */
export function readDocstring(docstring: string): {
  readonly description: string
  readonly documented: ReadonlyMap<string, DocumentedParameter>
} {
  const lines = docstring.split(lineEnds)
  const start = lines.findIndex(line => line.startsWith('Args:'))
  const documented = new Map<string, DocumentedParameter>()
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    if (!/^\s/.test(line)) break
    const { name, ...rest } = readParameter(line.trim())
    documented.set(name, rest)
  }
  return { description: (start < 0 ? lines : lines.slice(0, start)).join('\n').trim(), documented }
}

/** `name: text`, `name (type, optional): text`, `name type: text`, `name`. */
function readParameter(line: string): DocumentedParameter & { readonly name: string } {
  const colon = line.indexOf(':')
  const head = (colon < 0 ? line : line.slice(0, colon)).trim()
  const description = colon < 0 ? '' : line.slice(colon + 1).trim()
  const space = head.indexOf(' ')
  if (space < 0) return { name: head, type: '', description }
  const words = head
    .slice(space + 1)
    .trim()
    .replace(/^\((.*)\)$/, '$1')
    .split(',')
  const [type = '', ...marks] = words.map(word => word.trim())
  return { name: head.slice(0, space), type: marks.includes('optional') ? `${type}?` : type, description }
}
