import { parseSync, Visitor } from 'rolldown/utils'
import { expect, it } from 'vitest'

/** The features and the shell: the texts that they show are in the `texts.ts` of their folder. */
const sources = import.meta.glob<string>(
  ['./features/**/*.tsx', './shell/**/*.tsx', '!**/*.test.tsx', '!**/*.testkit.tsx'],
  { query: '?raw', import: 'default', eager: true },
)

const readAttributes = new Set(['aria-label', 'title', 'placeholder', 'label', 'note', 'alt'])
/** Names of commands, files and keys are not sentences. */
const codeElements = new Set(['code', 'kbd'])
const holdsWords = (text: string) => /\p{L}/u.test(text.replaceAll(/&\w+;/g, ''))

/** The part of a parsed module that the search needs. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly value?: unknown
  readonly expression?: Node
  readonly consequent?: Node
  readonly alternate?: Node
  readonly right?: Node
  readonly quasis?: readonly { readonly value: { readonly raw: string } }[]
}

/** The texts that a component writes itself: between its tags, or in an attribute that is read. */
function textsIn(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  const found: string[] = []
  const collect = (node: Node | null | undefined): void => {
    if (!node) return
    const { type, value, start, end } = node
    const isText =
      type === 'TemplateLiteral'
        ? node.quasis?.some(quasi => holdsWords(quasi.value.raw))
        : (type === 'JSXText' || type === 'Literal') && typeof value === 'string' && holdsWords(value)
    if (isText) found.push(source.slice(start, end).trim())
    if (type === 'JSXExpressionContainer') collect(node.expression)
    if (type === 'ConditionalExpression') collect(node.consequent)
    if (type === 'ConditionalExpression') collect(node.alternate)
    if (type === 'LogicalExpression') collect(node.right)
  }
  new Visitor({
    JSXElement({ openingElement: { name }, children }) {
      if (name.type !== 'JSXIdentifier' || !codeElements.has(name.name))
        for (const child of children) collect(child)
    },
    JSXFragment({ children }) {
      for (const child of children) collect(child)
    },
    JSXAttribute({ name, value }) {
      if (name.type === 'JSXIdentifier' && readAttributes.has(name.name)) collect(value)
    },
  }).visit(program)
  return found
}

it('finds texts between tags, in attributes, in conditions and in templates', () => {
  const source = `const a = (
    <p title="One" id="two"><code>three</code>Four {five ? 'six' : 7}<i aria-label={\`eight \${9}\`} /></p>
  )`
  expect(textsIn('a.tsx', source).toSorted()).toEqual(['"One"', "'six'", 'Four', `\`eight \${9}\``])
})

it('every text of the features and the shell is in a texts.ts', () => {
  const files = Object.entries(sources)
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(([file, source]) => textsIn(file, source).map(text => `${file}: ${text}`))).toEqual([])
})
