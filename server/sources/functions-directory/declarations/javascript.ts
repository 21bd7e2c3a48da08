/** Declarations in JavaScript: an exported function with a JSDoc block above it. */

import { type Comment, type Expression, type Program, parse, type Statement } from 'acorn'
import { type Block, parse as parseComments } from 'comment-parser'
import { messageOf } from '../../../../core/errors.ts'
import { firstIndex } from '../../../../core/first-index.ts'
import {
  type Declaration,
  type DeclaredParameter,
  type DeclaredSource,
  MAX_SOURCE_LENGTH,
} from './declaration.ts'
import { readType } from './type-words.ts'

type TopLevel = Program['body'][number]

/**
 * Every exported function with a JSDoc block (`exports.run = …`, `module.exports = {…}`, `export function …`).
 * Its `@property` tags, or those of the `@typedef` that its `@param` names, are the parameters. Never throws.
 */
export function javascriptDeclarations(source: string): DeclaredSource {
  if (source.length > MAX_SOURCE_LENGTH)
    return { declarations: [], problems: ['The source is too long to be read.'] }
  const comments: Comment[] = []
  let program: Program
  try {
    program = parseEither(source, comments)
  } catch (thrown) {
    const detail = messageOf(thrown)
    return { declarations: [], problems: [`The source is not JavaScript that can be read: ${detail}.`] }
  }
  const docs = comments.filter(comment => comment.type === 'Block' && comment.value.startsWith('*'))
  const problems: string[] = []
  const typedefs = readTypedefs(docs)
  const declarations = exportsOf(program.body).flatMap(({ name, places }) => {
    const doc = places.map(place => docBefore(source, docs, place)).find(found => found !== null)
    return doc ? [toDeclaration(name, blockOf(doc), typedefs, problems)] : []
  })
  return { declarations, problems }
}

function parseEither(source: string, comments: Comment[]): Program {
  const common = { ecmaVersion: 'latest', allowHashBang: true, onComment: comments } as const
  try {
    return parse(source, { ...common, sourceType: 'module' })
  } catch (thrown) {
    // `await` as a name, `with`, octal numbers: only a script may hold them.
    comments.length = 0
    try {
      return parse(source, { ...common, sourceType: 'script', allowReturnOutsideFunction: true })
    } catch {
      throw thrown
    }
  }
}

interface Exported {
  readonly name: string
  /** Where its comment may end: before the export, and before the function that it names. */
  readonly places: readonly number[]
}

function exportsOf(body: readonly TopLevel[]): Exported[] {
  const functions = new Map<string, number>()
  for (const node of body) for (const [name, place] of namedFunctions(node)) functions.set(name, place)
  const found: Exported[] = []
  const add = (name: string, place: number, local = name) => {
    const at = functions.get(local)
    found.push({ name, places: at === undefined ? [place] : [place, at] })
  }
  for (const node of body) {
    if (node.type === 'ExportNamedDeclaration') {
      if (node.declaration) for (const [name] of namedFunctions(node.declaration)) add(name, node.start)
      for (const { exported, local } of node.specifiers)
        if (exported.type === 'Identifier' && local.type === 'Identifier')
          add(exported.name, node.start, local.name)
    } else if (node.type === 'ExpressionStatement') addAssignment(node.expression, node.start, add)
  }
  return found
}

function addAssignment(
  expression: Expression,
  place: number,
  add: (name: string, place: number, local?: string) => void,
): void {
  if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') return
  const { left, right } = expression
  const name = memberName(left)
  if (name === null) return
  if (isFunction(right) || right.type === 'Identifier') {
    if (name !== '') add(name, place, right.type === 'Identifier' ? right.name : name)
    return
  }
  if (name !== '' || right.type !== 'ObjectExpression') return
  for (const property of right.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier') continue
    const { value } = property
    if (isFunction(value)) add(property.key.name, property.start)
    else if (value.type === 'Identifier') add(property.key.name, property.start, value.name)
  }
}

/** `exports.run` and `module.exports.run` → `run`; `module.exports` → ''; else null. */
function memberName(node: Expression): string | null {
  if (node.type !== 'MemberExpression' || node.computed || node.property.type !== 'Identifier') return null
  const { object, property } = node
  if (object.type === 'Identifier') {
    if (object.name === 'exports') return property.name
    return object.name === 'module' && property.name === 'exports' ? '' : null
  }
  if (object.type === 'Super') return null
  return memberName(object) === '' ? property.name : null
}

const isFunction = (node: Expression) =>
  node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

function namedFunctions(node: TopLevel | Statement): [string, number][] {
  if (node.type === 'FunctionDeclaration') return node.id ? [[node.id.name, node.start]] : []
  if (node.type !== 'VariableDeclaration') return []
  return node.declarations.flatMap(({ id, init }): [string, number][] =>
    id.type === 'Identifier' && init && isFunction(init) ? [[id.name, node.start]] : [],
  )
}

/** More than this between a comment and a function, and the comment is not the function's. */
const maxGap = 10_000

/** The JSDoc block that ends right before `place`: only white space and line comments may stand between. */
function docBefore(source: string, docs: readonly Comment[], place: number): Comment | null {
  // They stand in order: the last that ends before the place.
  const doc = docs[firstIndex(docs.length, at => (docs[at]?.end ?? 0) > place) - 1]
  if (doc === undefined || place - doc.end > maxGap) return null
  const between = source.slice(doc.end, place).replace(/\/\/.*/g, '')
  return between.trim() === '' ? doc : null
}

const blockOf = (doc: Comment): Block | undefined =>
  parseComments(`/*${doc.value}*/`, { spacing: 'preserve' })[0]

function toDeclaration(
  name: string,
  block: Block | undefined,
  typedefs: () => Typedefs,
  problems: string[],
): Declaration {
  const tags = propertiesOf(block, typedefs)
  const parameters = tags.map((tag): DeclaredParameter => {
    const { shape, optional, unknown } = readType(tag.type)
    if (unknown && tag.type !== '')
      problems.push(`"${tag.name}" of ${name} has the type {${tag.type}}, which functions.json cannot say.`)
    const description = plainText(tag.description.replace(/^\s*-\s+/, ''))
    return {
      name: tag.name,
      ...(tag.type === '' ? { type: 'string' } : shape),
      required: !optional && !tag.optional,
      ...(description === '' ? {} : { description }),
      ...(tag.default === undefined ? {} : { default: tag.default }),
    }
  })
  return { name, description: plainText(block?.description ?? ''), parameters }
}

/** The block's own properties, else those of the typedef that its `@param {Name}` means. */
function propertiesOf(block: Block | undefined, typedefs: () => Typedefs): Block['tags'] {
  const own = block?.tags.filter(isProperty) ?? []
  if (own.length > 0) return own
  const meant = block?.tags.find(tag => tag.tag === 'param')?.type
  return (meant && typedefs().get(meant)?.tags.filter(isProperty)) || []
}

type Typedefs = ReadonlyMap<string, Block>

/** Every `@typedef` by its name; read once, and only where a function needs one. */
function readTypedefs(docs: readonly Comment[]): () => Typedefs {
  let found: Typedefs | undefined
  return () => {
    found ??= new Map(
      docs
        .filter(doc => doc.value.includes('@typedef'))
        .flatMap(doc => {
          const block = blockOf(doc)
          const name = block?.tags.find(tag => tag.tag === 'typedef')?.name
          return block && name ? [[name, block] as const] : []
        }),
    )
    return found
  }
}

const isProperty = (tag: Block['tags'][number]) =>
  (tag.tag === 'property' || tag.tag === 'prop') && tag.name !== ''

const plainText = (text: string) => text.replace(/[ \t]+$/gm, '').trim()
