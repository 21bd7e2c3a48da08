/** Reads declarations in Python as llm-functions' build does: names, annotations and the docstring's `Args:`. */
import {
  type Declaration,
  type DeclaredParameter,
  type DeclaredSource,
  parametersSchema,
  type SourceRole,
  stringList,
  typeOrChoices,
} from './declaration.ts'

const types = {
  bool: { type: 'boolean' },
  str: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  'list[str]': stringList,
  '': { type: 'string' },
}

/**
 * Returns each `def` with a docstring, outer ones before nested ones: for a tool those named `run`, for an agent those
 * whose name does not begin with `_`. `async def` is ignored. Never throws; time is linear in the source.
 */
export function pythonDeclarations(source: string, role: SourceRole): DeclaredSource {
  const problems: string[] = []
  const declarations = definitionsIn(source).flatMap(({ name, parameters, docstring }): Declaration[] => {
    if (role === 'tool' ? name !== 'run' : name.startsWith('_')) return []
    const { description, documented } = readDocstring(docstring)
    if (description === '') return []
    const declared = toParameters(name, parameters, documented, problems)
    return [{ name, description, inputSchema: parametersSchema(declared) }]
  })
  return { declarations, problems }
}

interface Definition {
  readonly name: string
  /** The text between the parentheses. */
  readonly parameters: string
  readonly docstring: string
  readonly depth: number
}

function definitionsIn(source: string): Definition[] {
  const found: Definition[] = []
  const blocks: number[] = []
  const head = /([ \t\f]*)(?:def[ \t]+([\p{ID_Start}_]\p{ID_Continue}*)[ \t]*(?=[[(])|(?:except|case)\b)?/uy
  for (let index = 0; index < source.length; ) {
    head.lastIndex = index
    const [whole = '', margin = '', name] = head.exec(source) ?? []
    const at = index + whole.length
    // Empty lines and comments do not change the block.
    if (name === undefined && /[\n#]/.test(source[at] ?? '\n')) {
      index = logicalLineEnd(source, at)
      continue
    }
    while ((blocks.at(-1) ?? -1) >= margin.length) blocks.pop()
    const depth = blocks.length
    blocks.push(margin.length)
    // An `except` or `case` is a part of its statement and contains a block of its own.
    if (name === undefined && whole !== margin) blocks.push(margin.length)
    if (name === undefined) {
      index = logicalLineEnd(source, at)
      continue
    }
    // Type parameters come before the parentheses.
    const open = source[at] === '[' ? source.indexOf('(', skipBalanced(source, at)) : at
    const close = open < 0 ? at : skipBalanced(source, open)
    const body = bodyStart(source, close)
    found.push({
      name,
      parameters: source.slice(open + 1, close - 1),
      docstring: docstringAt(source, body),
      depth,
    })
    index = logicalLineEnd(source, body)
  }
  return found.sort((one, other) => one.depth - other.depth)
}

/** Returns the index after the `:` that ends the head of a definition. */
function bodyStart(source: string, afterParameters: number): number {
  let at = afterParameters
  while (at < source.length && source[at] !== ':' && source[at] !== '\n') {
    const character = source[at]
    if (character === '\\') at += 2
    else at = character === '[' || character === '(' ? skipBalanced(source, at) : skipToken(source, at)
  }
  return source[at] === ':' ? at + 1 : at
}

function toParameters(
  owner: string,
  text: string,
  documented: ReadonlyMap<string, DocumentedParameter>,
  problems: string[],
): DeclaredParameter[] {
  let found: DeclaredParameter[] = []
  const words = splitTop(withoutComments(text), ',').reduce<string[]>((all, part) => {
    // The commas of `lambda x, y: …` do not separate parameters.
    const last = all.at(-1) ?? ''
    if (last.length < maxLambda && /\blambda\b[^:]*$/.test(last)) all.splice(-1, 1, `${last},${part}`)
    else all.push(part.trim())
    return all
  }, [])
  for (const [index, word] of words.entries()) {
    // Parameters before `/` are positional-only, those after `*` keyword-only.
    if (word === '/') {
      problems.push(`The build leaves out the parameters before the / of ${owner}.`)
      found = []
      continue
    }
    if (word.startsWith('*')) {
      problems.push(`The build leaves out ${words.slice(index).join(', ')} of ${owner}.`)
      break
    }
    const parts = /^([\p{ID_Start}_]\p{ID_Continue}*)\s*(?::(.*))?$/su.exec(
      splitTop(word, '=')[0]?.trim() ?? '',
    )
    const [, name, hint = ''] = parts ?? []
    if (name === undefined) continue
    const { type: documentedType = '', description = '' } = documented.get(name) ?? {}
    const type = hint.trim() === '' ? documentedType : annotationType(hint.trim())
    const isOptional = type.endsWith('?')
    const { shape, isKnown } = typeOrChoices(isOptional ? type.slice(0, -1) : type, types)
    if (!isKnown) {
      const written = hint.trim() || documentedType
      problems.push(
        `The build refuses it: "${name}" of ${owner} has the type ${written}, which it does not know.`,
      )
    }
    found.push({ name, property: { ...shape, description }, required: !isOptional })
  }
  return found
}

/** Characters of a lambda's parameters: longer ones are hostile. */
const maxLambda = 10_000
/** The nesting of wrappers: deeper annotations are hostile. */
const maxDepth = 20

/** Returns an annotation in the build's notation: `int`, `list[str]`, `'a'|'b'`, with `?` after an optional type. */
function annotationType(text: string, depth = 0): string {
  if (/^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(text)) return text
  const [, wrapper, inner = ''] = /^(\w+)\s*\[(.*)\]$/s.exec(text) ?? []
  if (wrapper === undefined || depth > maxDepth) return 'any'
  if (wrapper === 'List') return `list[${annotationType(inner.trim(), depth + 1)}]`
  if (wrapper === 'Optional') return `${annotationType(inner.trim(), depth + 1)}?`
  if (wrapper !== 'Literal') return 'any'
  const choices = splitTop(inner, ',')
  // The build fails on a single choice.
  return choices.length < 2 && !inner.trimEnd().endsWith(',') ? 'any' : choices.map(toLiteral).join('|')
}

/** Returns a literal as Python prints it: in single quotes, unless it contains one. */
function toLiteral(text: string): string {
  const quoted = /^(['"])(.*)\1$/s.exec(text.trim())?.[2]
  if (quoted === undefined) return text.trim()
  return quoted.includes("'") && !quoted.includes('"') ? `"${quoted}"` : `'${quoted}'`
}

function withoutComments(text: string): string {
  let result = ''
  for (let at = 0; at < text.length; ) {
    const next = text[at] === '#' ? lineEnd(text, at) : skipToken(text, at)
    if (text[at] !== '#') result += text.slice(at, next)
    at = next
  }
  return result
}

/* A parameter in the `Args:` section of a docstring. */

interface DocumentedParameter {
  /** `name (str, optional): text` → `str?`; empty if no type is given. */
  readonly type: string
  readonly description: string
}

/**
 * Returns the docstring of the body that begins at `at`, unescaped and without its common indentation; '' if the body
 * has no docstring.
 */
function docstringAt(source: string, at: number): string {
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
    // Adjacent strings are one string.
    from = end + (/^[ \t]*/.exec(source.slice(end, end + 1_000))?.[0].length ?? 0)
  }
  // A string that is part of a larger expression is not a docstring.
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

/** Works as Python's inspect.cleandoc: removes the common indentation of all lines except the first. */
function withoutIndentation(text: string): string {
  const [first = '', ...rest] = text.split('\n').map(expandTabs)
  const margins = rest.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const margin = margins.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
  const lines = [first.trimStart(), ...rest.map(line => line.slice(Number.isFinite(margin) ? margin : 0))]
  return lines.join('\n').replace(/^\n+|\n+$/g, '')
}

/** A tab extends to the next column that is a multiple of eight. */
function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t')
  return rest.reduce((text, part) => text + ' '.repeat(8 - (text.length % 8)) + part, first)
}

/** The line ends of Python's str.splitlines(). */
const lineEnds = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/**
 * Returns the text before `Args:` and the parameters in the indented lines directly below it; an empty line ends them.
 */
function readDocstring(docstring: string): {
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

/** Navigates Python text: strings, comments and brackets. All functions take linear time. */

/** Returns the index after the string, comment or character at `at`; always greater than `at`. */
function skipToken(text: string, at: number): number {
  const character = text[at]
  if (character === '#') return lineEnd(text, at)
  if (character === '"' || character === "'") return stringEnd(text, at)
  return at + 1
}

/** Returns the index after the bracket that closes the one at `at`, or the text's end if it is not closed. */
function skipBalanced(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; ) {
    const character = text[index] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth === 0) return index + 1
    index = skipToken(text, index)
  }
  return text.length
}

/** Returns the index of the next line feed, or the text's end. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Returns the index after the string literal that begins at `at`. An unclosed short string ends with its line. */
function stringEnd(text: string, at: number): number {
  const quote = quoteAt(text, at)
  for (let index = at + quote.length; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text.startsWith(quote, index)) return index + quote.length
    else if (quote.length === 1 && text[index] === '\n') return index
  }
  return text.length
}

/** Returns the opening quote at `at`: one character, or three. */
function quoteAt(text: string, at: number): string {
  const one = text.slice(at, at + 1)
  return text.startsWith(one.repeat(3), at) ? one.repeat(3) : one
}

/**
 * Returns the index after the logical line at `index`, which brackets, strings and backslashes continue over line ends.
 */
function logicalLineEnd(text: string, index: number): number {
  let at = index
  while (at < text.length) {
    const character = text[at]
    if (character === '\n') return at + 1
    if (character === '\\') at += 2
    else if (character === '(' || character === '[' || character === '{') at = skipBalanced(text, at)
    else at = skipToken(text, at)
  }
  return at
}

/** Splits at a separator outside brackets and strings; an empty last part is dropped. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    if (character === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
    at = '([{'.includes(character) ? skipBalanced(text, at) : skipToken(text, at)
  }
  const last = text.slice(from)
  return last.trim() === '' ? parts : [...parts, last]
}
