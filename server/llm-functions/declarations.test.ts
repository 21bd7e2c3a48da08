import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isObject } from '../../core/json/json.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import { argcDeclarations } from './argc.ts'
import { javascriptDeclarations } from './javascript.ts'
import { pythonDeclarations } from './python.ts'

test('pythonDeclarations: agrees with the parser of Python on functions, their order and parameters', () => {
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
    'class C:\n  def silent(self): pass\n',
    'class C:\n  def method(self):\n    "doc"\n',
    'if x:\n  pass\nelse:\n  try: pass\n  except (A, B):\n    def deep(): "doc"\n',
    'async def no():\n  def inner(a): "doc"\n',
  )
  const definition = fc.record({
    name,
    parameters: fc.uniqueArray(fc.tuple(name, hint), { maxLength: 5, selector: ([each]) => each }),
    defaults: fc.array(fallback, { maxLength: 2 }),
    body: fc.constantFrom(
      ' pass',
      '\n  "doc: (x"\n',
      '\n  # note\n  return """\ndef no(b):\n"""\n',
      '\n  # note\n\n  r"doc \\n" """more\ndef no(b):\n"""\n  def inner(c, d=lambda x, y: (x, y)): "doc"\n',
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
    'import ast,json,sys\nprint(json.dumps([[[n.name,[a.arg for a in n.args.args],ast.get_docstring(n).strip()] for n in ast.walk(ast.parse(t)) if isinstance(n, ast.FunctionDef) and ast.get_docstring(n)] for t in json.load(sys.stdin)]))'
  const python = spawnSync('python3', ['-c', program], { input: JSON.stringify(files), encoding: 'utf8' })
  expect(python.stderr).toBe('')
  const expected: unknown[] = JSON.parse(python.stdout)
  expect(expected).toHaveLength(150)
  files.forEach((source, index) => {
    const ours = pythonDeclarations(source, 'agent').declarations.map(
      ({ name, description, inputSchema }) => {
        const properties =
          isObject(inputSchema) && isObject(inputSchema.properties) ? inputSchema.properties : {}
        return [name, Object.keys(properties), description]
      },
    )
    expect({ source, functions: ours }).toEqual({ source, functions: expected[index] })
  })
})

test('javascriptDeclarations: reads a file of thousands of functions within seconds', () => {
  const one = (index: number) => `/**\n * x\n */\nexports.a${index} = function (a) {}\n`
  const started = performance.now()
  const { declarations } = javascriptDeclarations(
    Array.from({ length: 5_000 }, (_, index) => one(index)).join(''),
    'agent',
  )
  expect(declarations).toHaveLength(5_000)
  expect(performance.now() - started).toBeLessThan(limitNow(4_000))
})

test('pythonDeclarations: reports types that nest too deep and hostile types', () => {
  for (const type of [`${'Optional['.repeat(5_000)}int${']'.repeat(5_000)}`, 'constructor', '__proto__']) {
    const { declarations, problems } = pythonDeclarations(`def run(a: ${type}):\n  "A."\n`, 'tool')
    expect(declarations).toMatchObject([{ inputSchema: { properties: { a: { description: '' } } } }])
    expect(problems).toEqual([expect.stringContaining('which it does not know')])
  }
})

test('readers of declarations: neither throw nor hang for any text', () => {
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
          expect(read(text, 'agent').declarations.length).toBeLessThan(60)
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
    'def f(a=lambda ,',
    ', lambda',
    'def f[',
    '# @option --a <>',
    ' <>',
    '\t',
    '\n#',
  ])
    for (const read of [javascriptDeclarations, pythonDeclarations, argcDeclarations]) {
      const started = performance.now()
      read(piece.repeat(Math.floor(300_000 / piece.length)), 'agent')
      expect({ piece, slow: performance.now() - started > limitNow(3_000) }).toEqual({ piece, slow: false })
    }
})
