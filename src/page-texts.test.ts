import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import { expect, it } from 'vitest'

/** The features and the shell: the texts that they show are in the `texts.ts` of their folder. */
const sources = import.meta.glob<string>(
  [
    './features/**/*.{ts,tsx}',
    './shell/**/*.{ts,tsx}',
    '!**/*.test.{ts,tsx}',
    '!**/*.testkit.tsx',
    '!**/texts.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

const readAttributes = new Set(['aria-label', 'title', 'placeholder', 'label', 'note', 'alt'])
/** Functions whose arguments are read. */
const messageFunctions = new Set(['show', 'showNotice', 'showDone'])
/** Names of commands, files and keys are not sentences. */
const codeElements = new Set(['code', 'kbd'])
const holdsWords = (text: string) => /\p{L}/u.test(text.replaceAll(/&\w+;/g, ''))

/** The texts that a component writes itself: between its tags, in an attribute or in a message. */
function textsIn(file: string, source: string): readonly string[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file} could not be parsed`)
  const found: string[] = []
  const add = (text: string, { start, end }: ESTree.Span) => {
    if (holdsWords(text)) found.push(source.slice(start, end).trim())
  }
  const collect = (node: ESTree.JSXChild | ESTree.JSXAttributeValue | ESTree.JSXExpression | null): void => {
    if (node?.type === 'JSXText') add(node.value, node)
    else if (node?.type === 'Literal' && typeof node.value === 'string') add(node.value, node)
    else if (node?.type === 'TemplateLiteral') add(node.quasis.map(({ value }) => value.raw).join(), node)
    else if (node?.type === 'JSXExpressionContainer') collect(node.expression)
    else if (node?.type === 'LogicalExpression') collect(node.right)
    else if (node?.type === 'ConditionalExpression') {
      collect(node.consequent)
      collect(node.alternate)
    }
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
    CallExpression({ callee, arguments: given }) {
      const called = callee.type === 'MemberExpression' ? callee.property : callee
      if (called.type === 'Identifier' && messageFunctions.has(called.name))
        for (const each of given) if (each.type !== 'SpreadElement') collect(each)
    },
  }).visit(program)
  return found
}

it('finds texts between tags, in attributes, in conditions, in templates and in messages', () => {
  const source = `brief.show('Ten', eleven, { twelve: 'x' }); const a = (
    <p title="One" id="two"><code>three</code>Four {five ? 'six' : 7}<i aria-label={\`eight \${9}\`} /></p>
  )`
  expect(textsIn('a.tsx', source).toSorted()).toEqual(['"One"', "'Ten'", "'six'", 'Four', `\`eight \${9}\``])
})

it('every text of the features and the shell is in a texts.ts', () => {
  const files = Object.entries(sources)
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(([file, source]) => textsIn(file, source).map(text => `${file}: ${text}`))).toEqual([])
})
