import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { argcDeclarations } from './argc.ts'
import { declaredSchema } from './declaration.ts'
import { javascriptDeclarations } from './javascript.ts'
import { pythonDeclarations } from './python.ts'
import { readType } from './type-words.ts'

/** What all three languages are to say of the same tool. */
const everyType = [
  { name: 'text', type: 'string', required: true, description: 'A text' },
  { name: 'kind', type: 'string', choices: ['foo', 'bar'], required: true, description: 'One of two' },
  { name: 'yes', type: 'boolean', required: true, description: 'Yes or no' },
  { name: 'count', type: 'integer', required: true, description: 'How many' },
  { name: 'share', type: 'number', required: true, description: 'How much' },
  { name: 'list', type: 'string[]', required: true, description: 'Some' },
  { name: 'maybe', type: 'string', required: false, description: 'Or not' },
  { name: 'more', type: 'string[]', required: false, description: 'Others' },
]

describe('JavaScript', () => {
  test('reads every type from JSDoc', () => {
    const source = `#!/usr/bin/env node
/**
 * Show every type.
 * In two lines.
 *
 * @typedef {Object} Args
 * @property {string} text - A text
 * @property {'foo'|'bar'} kind - One of two
 * @property {boolean} yes - Yes or no
 * @property {Integer} count - How many
 * @property {number} share - How much
 * @property {string[]} list - Some
 * @property {string} [maybe] - Or not
 * @property {Array<string>=} more Others
 * @param {Args} args
 */
exports.run = async function (args) { return args }
`
    expect(javascriptDeclarations(source)).toEqual({
      declarations: [{ name: 'run', description: 'Show every type.\nIn two lines.', parameters: everyType }],
      problems: [],
    })
  })

  test.each([
    'DOC exports.run = args => args',
    'DOC module.exports.run = function (args) {}',
    'DOC export function run(args) {}',
    'DOC export async function run(args) {}',
    'DOC export const run = async args => args',
    'DOC function run(args) {} module.exports = { run }',
    'DOC const run = function () {}; export { run }',
    'module.exports = { DOC run(args) {} }',
    'DOC function inner(args) {} exports.run = inner',
    'DOC // eslint-disable-next-line\nexports.run = args => args',
  ])('finds %s', source => {
    const doc = '/** Runs. @property {string} not-here\n * @property {integer} count\n */\n'
    const { declarations } = javascriptDeclarations(source.replace('DOC', doc))
    expect(declarations.map(each => [each.name, each.parameters.map(({ name }) => name)])).toEqual([
      ['run', ['count']],
    ])
  })

  test('takes a typedef from elsewhere, and no comment that belongs to something else', () => {
    const source = `
/** @typedef {Object} City
 * @property {string} name */
/** Weather. @ignored
 * @param {City} city */
exports.weather = city => city
/** Not of the next one. */
const x = 1
exports.silent = () => x
`
    const { declarations } = javascriptDeclarations(source)
    expect(declarations).toEqual([
      expect.objectContaining({
        name: 'weather',
        parameters: [{ name: 'name', type: 'string', required: true }],
      }),
    ])
  })

  test('says what it cannot say', () => {
    const { declarations, problems } = javascriptDeclarations(
      '/** Odd.\n * @property {Map<string, number>} table - T\n * @property {string} [__proto__=x]\n */\nexports.run = () => 1',
    )
    expect(problems).toEqual([
      '"table" of run has the type {Map<string, number>}, which functions.json cannot say.',
    ])
    const [first] = declarations
    if (first === undefined) throw new Error('nothing was declared')
    const schema = declaredSchema(first)
    expect(JSON.stringify(schema)).toBe(
      '{"type":"object","properties":{"table":{"description":"T"},"__proto__":{"type":"string","default":"x"}},"required":["table"]}',
    )
    expect(javascriptDeclarations('export const = 3').problems).toEqual([
      expect.stringMatching(/not JavaScript/),
    ])
    expect(javascriptDeclarations('['.repeat(200_000)).problems).toHaveLength(1)
  })
})

describe('Python', () => {
  test('reads every type from hints and docstring', () => {
    const source = `import os
from typing import List, Literal, Optional

def _hidden(a: int): pass

def run(
    text: str,
    kind: Literal["foo", "bar"],  # a comment, with (brackets
    yes: bool,
    count: int,
    share: float,
    list: List[str],
    maybe: Optional[str] = None,
    more: "list[str] | None" = None,
) -> dict[str, str]:
    """Show every type.
    In two lines.

    Args:
        text: A text
        kind: One of two
        yes: Yes or no
        count (int): How many
        share (float, optional): How much
        list: Some
        maybe: Or not
        more: Others

    Returns:
        nothing: at all
    """
    def inner(x): ...
    return """
def fake(y: int): pass
"""
`
    const { declarations, problems } = pythonDeclarations(source.replace('(float, optional)', '(float)'))
    const marked = new Set(['maybe', 'more'])
    const parameters = everyType.map(each => (marked.has(each.name) ? { ...each, hasDefault: true } : each))
    expect({ declarations, problems }).toEqual({
      declarations: [{ name: 'run', description: 'Show every type.\nIn two lines.', parameters }],
      problems: [],
    })
  })

  test('takes types and what is optional from the docstring where there are no hints', () => {
    const source = `async def add(a, b, c="x, (y", d=3, e=True):
  'Adds.\\n\\nArgs:\\n  a (int): one\\n    and more\\n  b (str, optional): two'
class A:
  def method(self): ...
def other(*args, key: bytes, **more): ...
`
    expect(pythonDeclarations(source)).toEqual({
      declarations: [
        {
          name: 'add',
          description: 'Adds.',
          parameters: [
            { name: 'a', type: 'integer', required: true, description: 'one\nand more' },
            { name: 'b', type: 'string', required: false, description: 'two' },
            { name: 'c', type: 'string', required: false, default: 'x, (y', hasDefault: true },
            { name: 'd', type: 'string', required: false, default: 3, hasDefault: true },
            { name: 'e', type: 'string', required: false, default: true, hasDefault: true },
          ],
        },
        { name: 'other', description: '', parameters: [{ name: 'key', required: true }] },
      ],
      problems: [
        'other takes *args, which functions.json cannot say.',
        '"key" of other has the type bytes, which functions.json cannot say.',
        'other takes **more, which functions.json cannot say.',
      ],
    })
  })

  test("agrees with Python's own parser on names and parameters", () => {
    const name = fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/).map(text => `n_${text}`)
    const hint = fc.constantFrom(
      '',
      ': int',
      ': List[str]',
      ': Literal["a)", \'b,\']',
      ': Optional[str]',
      ': "x"',
    )
    const fallback = fc.constantFrom('=1', ' = "a, b)"', "='#'", '=(1, [2])', '={"k": "v"}')
    const noise = fc.constantFrom(
      '',
      '# def no(a):\n',
      'x = """\ndef no(a):\n"""\n',
      "y = 'def no(' \\\n  ')'\n",
      'z = [\n1,\ndef_\n]\n',
      'class C:\n  def no(self): pass\n',
    )
    const definition = fc.record({
      name,
      parameters: fc.uniqueArray(fc.tuple(name, hint), { maxLength: 5, selector: ([each]) => each }),
      defaults: fc.array(fallback, { maxLength: 2 }),
      body: fc.constantFrom(
        ' pass',
        '\n  "doc: (x"\n',
        '\n  # note\n  return """\ndef no(b):\n"""\n',
        ' return {1: 2}',
      ),
      gap: fc.constantFrom(', ', ',\n   ', ' , # a (comment\n  '),
      noise,
    })
    const file = fc.array(definition, { minLength: 1, maxLength: 4 }).map(definitions =>
      definitions
        .map(({ name: label, parameters, defaults, body, gap, noise: before }) => {
          const list = parameters.map(([each, type], index) => {
            const fromEnd = parameters.length - index
            return each + type + (fromEnd <= defaults.length ? defaults[fromEnd - 1] : '')
          })
          return `${before}def ${label}(${list.join(gap)}):${body}\n`
        })
        .join(''),
    )
    const files = fc.sample(file, { numRuns: 150, seed: 7 })
    const program =
      'import ast,json,sys\nprint(json.dumps([[[n.name,[a.arg for a in n.args.args]] for n in ast.parse(t).body if isinstance(n, ast.FunctionDef)] for t in json.load(sys.stdin)]))'
    const python = spawnSync('python3', ['-c', program], { input: JSON.stringify(files), encoding: 'utf8' })
    expect(python.stderr).toBe('')
    const expected: unknown[] = JSON.parse(python.stdout)
    expect(expected).toHaveLength(150)
    files.forEach((source, index) => {
      const ours = pythonDeclarations(source).declarations.map(each => [
        each.name,
        each.parameters.map(parameter => parameter.name),
      ])
      expect({ source, functions: ours }).toEqual({ source, functions: expected[index] })
    })
  })
})

describe('Bash', () => {
  test('reads every type from the comments of argc', () => {
    const source = `#!/usr/bin/env bash
# @describe Show every type.
# In two lines.

# @option --text!              A text
# @option --kind![foo|bar]     One of two
# @flag --yes                  Yes or no
# @option -c --count! <INT>    How many
# @option --share! <NUM>       How much
# @option --list+ <VALUE>      Some
# @option --maybe              Or not
# @option --more*,             Others
# @env KEY! The key
# @env LLM_OUTPUT=/dev/stdout The output
main() { :; }
eval "$(argc --argc-eval "$0" "$@")"
`
    const [root] = argcDeclarations(source).declarations
    expect(root).toEqual({
      name: 'main',
      description: 'Show every type.\nIn two lines.',
      parameters: everyType.map(each => (each.name === 'yes' ? { ...each, required: false } : each)),
      environment: [
        { name: 'KEY', required: true, description: 'The key' },
        { name: 'LLM_OUTPUT', required: false, description: 'The output' },
      ],
    })
  })

  test('reads an agent’s commands by their functions, without the private ones', () => {
    const source = `
# @cmd Add a task
# @option --due-date[=today|tomorrow] When
# @option --who="Ada Lovelace" <NAME> For whom
# @option --from[\`_people\`]
# @arg rest*
add-task() { :; }

# @cmd Hidden
_hide() { :; }

# @cmd List them
function list_tasks { :; }
# @describe of the script
`
    const { declarations, problems } = argcDeclarations(source)
    expect(declarations).toEqual([
      { name: 'main', description: 'of the script', parameters: [] },
      {
        name: 'add_task',
        description: 'Add a task',
        parameters: [
          {
            name: 'due_date',
            type: 'string',
            choices: ['today', 'tomorrow'],
            required: false,
            description: 'When',
            default: 'today',
          },
          { name: 'who', type: 'string', required: false, description: 'For whom', default: 'Ada Lovelace' },
          { name: 'from', type: 'string', required: false },
        ],
      },
      { name: 'list_tasks', description: 'List them', parameters: [] },
    ])
    expect(problems).toEqual(['"@arg rest*": a JSON input cannot fill a positional argument.'])
  })
})

test('a file of thousands of functions is read in a moment', () => {
  const one = (index: number) => `/** x\n * @param {T${index}} a */\nexports.a${index} = a => a\n`
  const started = performance.now()
  const { declarations } = javascriptDeclarations(
    Array.from({ length: 5_000 }, (_, index) => one(index)).join(''),
  )
  expect(declarations).toHaveLength(5_000)
  expect(performance.now() - started).toBeLessThan(4_000)
})

test('types nest only so deep, and hostile ones end', () => {
  expect(readType(`${'Optional['.repeat(5_000)}int${']'.repeat(5_000)}`)).toMatchObject({ unknown: true })
  expect(readType('constructor')).toMatchObject({ unknown: true })
})

test('no text makes a parser throw or wait', () => {
  const pieces = fc.constantFrom(
    'def ',
    'f(',
    ')',
    '"""',
    "'",
    '#',
    ':',
    '\n',
    '\\',
    '[',
    '/**',
    '*/',
    '@property {',
    '}',
    '# @option --',
    '# @cmd ',
    '() {',
    'exports.run = ',
    '=>',
    'a',
    ' ',
    ',',
    '=',
    '!',
    '[a|b]',
    '<',
    '>',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces, { maxLength: 60 }).map(list => list.join('')),
      ),
      text => {
        for (const read of [javascriptDeclarations, pythonDeclarations, argcDeclarations])
          for (const declaration of read(text).declarations) declaredSchema(declaration)
      },
    ),
    { numRuns: 500 },
  )
  for (const piece of [
    'def f(',
    '"""',
    "'\\",
    '([{',
    '/**',
    '* @property {',
    '# @option --a[',
    '<',
    ' ',
    ',',
    'def f(a=',
    'def f(a:',
  ])
    for (const read of [javascriptDeclarations, pythonDeclarations, argcDeclarations]) {
      const started = performance.now()
      read(piece.repeat(Math.floor(300_000 / piece.length)))
      expect({ piece, slow: performance.now() - started > 3_000 }).toEqual({ piece, slow: false })
    }
})
