/** Finds declarations in JavaScript as llm-functions' build does: line by line, without a grammar. */
import {
  type Declaration,
  type DeclaredParameter,
  type DeclaredSource,
  parametersSchema,
  type SourceRole,
  stringList,
  typeOrChoices,
} from './declaration.ts'

/** The dot of `exports.run` matches any character, and `run` may be a prefix: these are the build's own patterns. */
const runLine = /^export (?:async )?function run|^exports.run/
const functionLine =
  /^export (?:async )?function ([A-Za-z0-9_]+)|^exports\.([A-Za-z0-9_]+) = (?:async )?function /

const types = {
  boolean: { type: 'boolean' },
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  'string[]': stringList,
}

/**
 * Returns the exported functions with a comment directly above them; its text is the description, and its `@property`
 * tags are the parameters. Functions without a description are helpers. Never throws.
 */
export function javascriptDeclarations(source: string, role: SourceRole): DeclaredSource {
  const problems: string[] = []
  const declarations: Declaration[] = []
  for (const { line, comment } of linesBelowComments(source)) {
    const name = role === 'tool' ? (runLine.test(line) ? 'run' : '') : findFunctionName(line)
    if (name === '' || name.startsWith('_')) continue
    const { description, properties } = readComment(comment)
    const parameters = properties.flatMap(property => readProperty(property, name, problems))
    if (description !== '')
      declarations.push({ name, description, inputSchema: parametersSchema(parameters) })
  }
  return { declarations, problems }
}

const findFunctionName = (line: string) => functionLine.exec(line)?.slice(1).find(Boolean) ?? ''

/**
 * Yields each line of code that comes first below a comment, ignoring empty lines. A comment ends on a line that begins
 * with its end mark.
 */
function* linesBelowComments(source: string): Generator<{ line: string; comment: readonly string[] }> {
  let open: string[] = []
  let isOpen = false
  let closed: string[] | undefined
  for (const line of source.split('\n')) {
    const starts = /^\s*\/\*/.test(line)
    const ends = !starts && /^\s*\*\//.test(line)
    if (starts || ends || isOpen) {
      open.push(line)
      isOpen = !ends
      if (ends) {
        closed = open
        open = []
      }
    } else if (closed !== undefined && line.trim() !== '') {
      yield { line, comment: closed }
      closed = undefined
    }
  }
}

/** Returns the text before the first tag, and each `@property` with its continuation lines. */
function readComment(comment: readonly string[]): {
  readonly description: string
  readonly properties: readonly string[]
} {
  const description: string[] = []
  const properties: string[][] = []
  let tag = ''
  for (const line of comment) {
    const text = line.replace(/^\s*(?:\/\*\*|\*\/|\*)/, '').trim()
    const found = /^@(\w+)/.exec(text)?.[1]
    tag = found ?? tag
    if (tag === '') description.push(text)
    else if (tag !== 'property') continue
    else if (found === undefined) properties.at(-1)?.push(text)
    else properties.push([text.slice('@property'.length).trim()])
  }
  return { description: description.join('\n').trim(), properties: properties.map(lines => lines.join('\n')) }
}

/** Reads `{type} name - text`; an optional name is in brackets. */
function readProperty(text: string, owner: string, problems: string[]): DeclaredParameter[] {
  const head = /^\{([^}]+)\} +(\S+)(?: *- +| +)?/.exec(text)
  if (head === null) {
    problems.push(
      `The build refuses it: "@property ${text.slice(0, 80)}" of ${owner} is not {type} name - text.`,
    )
    return []
  }
  const [whole, type = '', word = ''] = head
  const { shape, isKnown } = typeOrChoices(type.toLowerCase(), types)
  const optional = /^\[(.*)\]$/.exec(word)?.[1]
  const name = optional ?? word
  if (!isKnown)
    problems.push(
      `The build refuses it: "${name}" of ${owner} has the type {${type}}, which it does not know.`,
    )
  return [
    { name, property: { ...shape, description: text.slice(whole.length) }, required: optional === undefined },
  ]
}
