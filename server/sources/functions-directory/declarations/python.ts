/** Declarations in Python: `def name(…)` at the top of the file, its type hints and its docstring's `Args:`. */
import {
  type Declaration,
  type DeclaredParameter,
  type DeclaredSource,
  MAX_SOURCE_LENGTH,
} from './declaration.ts'
import { docstringAt, readDocstring } from './python-docstring.ts'
import { lineEnd, skipBalanced, skipToken } from './python-text.ts'
import { readType, splitTop } from './type-words.ts'

/** Every function at the top level whose name does not begin with `_`. Never throws; time is linear in the source. */
export function pythonDeclarations(source: string): DeclaredSource {
  if (source.length > MAX_SOURCE_LENGTH)
    return { declarations: [], problems: ['The source is too long to be read.'] }
  const declarations: Declaration[] = []
  const problems: string[] = []
  const definition = /(?:async[ \t]+)?def[ \t]+([\p{ID_Start}_]\p{ID_Continue}*)[ \t]*\(/uy
  for (let index = 0; index < source.length; ) {
    definition.lastIndex = index
    const match = definition.exec(source)
    if (match === null) {
      index = logicalLineEnd(source, index)
      continue
    }
    const [head, name = ''] = match
    const open = index + head.length - 1
    const close = skipBalanced(source, open)
    const body = bodyStart(source, close)
    if (!name.startsWith('_'))
      declarations.push(
        toDeclaration(name, source.slice(open + 1, close - 1), docstringAt(source, body), problems),
      )
    index = logicalLineEnd(source, body)
  }
  return { declarations, problems }
}

/** After the end of the logical line at `index`: brackets, strings and backslashes carry it over line ends. */
function logicalLineEnd(source: string, index: number): number {
  let at = index
  while (at < source.length) {
    const character = source[at]
    if (character === '\n') return at + 1
    if (character === '\\') at += 2
    else if (character === '(' || character === '[' || character === '{') at = skipBalanced(source, at)
    else at = skipToken(source, at)
  }
  return at
}

/** After the `:` that ends the head of a definition. */
function bodyStart(source: string, afterParameters: number): number {
  let at = afterParameters
  while (at < source.length && source[at] !== ':' && source[at] !== '\n') {
    const character = source[at]
    if (character === '\\') at += 2
    else at = character === '[' || character === '(' ? skipBalanced(source, at) : skipToken(source, at)
  }
  return source[at] === ':' ? at + 1 : at
}

function toDeclaration(
  name: string,
  parameterText: string,
  docstring: string,
  problems: string[],
): Declaration {
  const { description, parameters: documented } = readDocstring(docstring)
  const parameters = splitTop(withoutComments(parameterText), ',').flatMap((text): DeclaredParameter[] => {
    const parts = /^\s*(\*{0,2})([\p{ID_Start}_]\p{ID_Continue}*)\s*(?::(.*))?$/su.exec(
      beforeDefault(text).head,
    )
    const [, stars, parameter = '', hint = ''] = parts ?? []
    if (parameter === '') return []
    if (stars !== '') {
      problems.push(`${name} takes ${stars}${parameter}, which functions.json cannot say.`)
      return []
    }
    const words = documented.get(parameter)
    const type = unquoted(hint.trim()) || words?.type || 'str'
    const { shape, optional, unknown } = readType(type)
    if (unknown)
      problems.push(`"${parameter}" of ${name} has the type ${type}, which functions.json cannot say.`)
    const fallback = beforeDefault(text).value
    const value = fallback === undefined ? undefined : literal(fallback)
    return [
      {
        name: parameter,
        ...shape,
        required: !optional && fallback === undefined && (hint.trim() !== '' || words?.optional !== true),
        ...(words?.description ? { description: words.description } : {}),
        ...(value === undefined ? {} : { default: value }),
        ...(fallback === undefined ? {} : { hasDefault: true }),
      },
    ]
  })
  return { name, description, parameters }
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

/** `b: int = 3` → head `b: int`, value `3`. */
function beforeDefault(text: string): { head: string; value?: string } {
  const parts = splitTop(text, '=')
  const [head = ''] = parts
  return parts.length === 1
    ? { head: head.trim() }
    : { head: head.trim(), value: text.slice(head.length + 1).trim() }
}

/** A hint may be written as a string: `"Optional[int]"`. */
function unquoted(hint: string): string {
  return /^(['"])([^'"]*)\1$/.exec(hint)?.[2] ?? hint
}

function literal(text: string): string | number | boolean | undefined {
  if (text === 'True' || text === 'False') return text === 'True'
  if (/^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  return /^(['"])([^'"\\]*)\1$/.exec(text)?.[2]
}
