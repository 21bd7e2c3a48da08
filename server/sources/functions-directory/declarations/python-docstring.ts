/** A docstring: its description, and what its `Args:` section says of each parameter (Google's style). */
import { lineEnd, quoteAt, stringEnd } from './python-text.ts'

export interface DocumentedParameter {
  /** `name (str, optional): text` → `str`; empty where no type is given. */
  readonly type: string
  readonly optional: boolean
  readonly description: string
}

/** The docstring that begins a body at `at`, unescaped and without its common indentation; '' where there is none. */
export function docstringAt(source: string, at: number): string {
  let from = at
  for (;;) {
    while (/\s/.test(source[from] ?? '')) from++
    if (source[from] !== '#') break
    from = lineEnd(source, from)
  }
  const [, prefix = ''] = /^([rRuU]?)(?=['"])/.exec(source.slice(from, from + 2)) ?? []
  const start = from + prefix.length
  if (source[start] !== '"' && source[start] !== "'") return ''
  const quote = quoteAt(source, start)
  const inner = source.slice(start + quote.length, stringEnd(source, start) - quote.length)
  return withoutIndentation(/[rR]/.test(prefix) ? inner : readEscapes(inner))
}

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
}

const readEscapes = (text: string) =>
  text.replace(/\\([\s\S])/g, (whole, character: string) =>
    Object.hasOwn(escapes, character) ? (escapes[character] ?? whole) : whole,
  )

/** As Python's inspect.cleandoc: the first line is apart, the others lose what they have in common. */
function withoutIndentation(text: string): string {
  const [first = '', ...rest] = text.replaceAll('\t', '        ').split('\n')
  const margin = rest
    .filter(line => line.trim() !== '')
    .reduce((least, line) => Math.min(least, line.length - line.trimStart().length), Number.POSITIVE_INFINITY)
  return [first.trim(), ...rest.map(line => line.slice(Number.isFinite(margin) ? margin : 0).trimEnd())]
    .join('\n')
    .trim()
}

export function readDocstring(docstring: string): {
  readonly description: string
  readonly parameters: ReadonlyMap<string, DocumentedParameter>
} {
  const lines = docstring.split('\n')
  const start = lines.findIndex(line => /^(?:Args|Arguments|Parameters):\s*$/.test(line))
  if (start < 0) return { description: docstring, parameters: new Map() }
  const parameters = new Map<string, DocumentedParameter>()
  let indentation = -1
  let last: string | undefined
  for (const line of lines.slice(start + 1)) {
    if (line.trim() === '') continue
    const depth = line.length - line.trimStart().length
    if (depth === 0) break
    if (indentation < 0) indentation = depth
    const known = last === undefined ? undefined : parameters.get(last)
    if (depth > indentation && last !== undefined && known !== undefined) {
      parameters.set(last, { ...known, description: `${known.description}\n${line.trim()}`.trim() })
      continue
    }
    const { name, ...rest } = readParameter(line.trim())
    parameters.set(name, rest)
    last = name
  }
  return { description: lines.slice(0, start).join('\n').trim(), parameters }
}

/** `name: text`, `name (type, optional): text`, `name type: text`, `name`. */
function readParameter(line: string): DocumentedParameter & { readonly name: string } {
  const colon = line.indexOf(':')
  const head = colon < 0 ? line : line.slice(0, colon)
  const description = colon < 0 ? '' : line.slice(colon + 1).trim()
  const space = head.trim().search(/[\s(]/)
  const name = space < 0 ? head.trim() : head.trim().slice(0, space)
  const words = (space < 0 ? '' : head.trim().slice(space).trim()).replace(/^\((.*)\)$/, '$1').split(',')
  return {
    name,
    type: words[0]?.trim() ?? '',
    optional: words.slice(1).some(word => word.trim() === 'optional'),
    description,
  }
}
