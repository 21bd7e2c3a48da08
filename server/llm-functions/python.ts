/** Declarations in Python, read as llm-functions' build reads them: names, annotations and the docstring's `Args:`. */
import {
  type Declaration,
  type DeclaredParameter,
  type DeclaredSource,
  parametersSchema,
  type SourceRole,
  stringList,
  typeOrChoices,
} from './declaration.ts'
import { type DocumentedParameter, docstringAt, readDocstring } from './python-docstring.ts'
import { lineEnd, logicalLineEnd, skipBalanced, skipToken, splitTop } from './python-text.ts'

const types = {
  bool: { type: 'boolean' },
  str: { type: 'string' },
  int: { type: 'integer' },
  float: { type: 'number' },
  'list[str]': stringList,
  '': { type: 'string' },
}

/**
 * Each `def` with a docstring, outer ones before those inside of them: for a tool those called `run`, for an agent those
 * whose name does not begin with `_`. `async def` is none. Never throws; time is linear in the source.
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
  /** What stands between the parentheses. */
  readonly parameters: string
  readonly docstring: string
  /** How many blocks lie around it. */
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
    // Empty lines and comments belong to no block.
    if (name === undefined && /[\n#]/.test(source[at] ?? '\n')) {
      index = logicalLineEnd(source, at)
      continue
    }
    while ((blocks.at(-1) ?? -1) >= margin.length) blocks.pop()
    const depth = blocks.length
    blocks.push(margin.length)
    // A handler or a case is a part of its statement, and has a block of its own inside of it.
    if (name === undefined && whole !== margin) blocks.push(margin.length)
    if (name === undefined) {
      index = logicalLineEnd(source, at)
      continue
    }
    // Type parameters stand before the parentheses.
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

function toParameters(
  owner: string,
  text: string,
  documented: ReadonlyMap<string, DocumentedParameter>,
  problems: string[],
): DeclaredParameter[] {
  let found: DeclaredParameter[] = []
  const words = splitTop(withoutComments(text), ',').reduce<string[]>((all, part) => {
    // The commas of `lambda x, y: …` part nothing.
    const last = all.at(-1) ?? ''
    if (last.length < maxLambda && /\blambda\b[^:]*$/.test(last)) all.splice(-1, 1, `${last},${part}`)
    else all.push(part.trim())
    return all
  }, [])
  for (const [index, word] of words.entries()) {
    // Before a slash stand parameters without a name, below a star those that are given by name only.
    if (word === '/') {
      problems.push(`The build leaves out what stands before the / of ${owner}.`)
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

/** Parameters of a lambda, in characters: longer ones are hostile. */
const maxLambda = 10_000
/** Wrappers in one another beyond this are hostile, not types. */
const maxDepth = 20

/** An annotation in the build's words: `int`, `list[str]`, `'a'|'b'`, with `?` behind what may be absent. */
function annotationType(text: string, depth = 0): string {
  if (/^[\p{ID_Start}_]\p{ID_Continue}*$/u.test(text)) return text
  const [, wrapper, inner = ''] = /^(\w+)\s*\[(.*)\]$/s.exec(text) ?? []
  if (wrapper === undefined || depth > maxDepth) return 'any'
  if (wrapper === 'List') return `list[${annotationType(inner.trim(), depth + 1)}]`
  if (wrapper === 'Optional') return `${annotationType(inner.trim(), depth + 1)}?`
  if (wrapper !== 'Literal') return 'any'
  const choices = splitTop(inner, ',')
  // The build breaks on a single choice.
  return choices.length < 2 && !inner.trimEnd().endsWith(',') ? 'any' : choices.map(toLiteral).join('|')
}

/** A literal as Python prints it again: in single quotes, unless it holds one. */
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
