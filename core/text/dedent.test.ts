import { expect, it } from 'vitest'
import { dedent } from './dedent.ts'

it.each([
  ['one line', 'Greet someone.', 'Greet someone.'],
  ['a docstring', '\n    Greet.\n\n    Args:\n        name: who\n    ', 'Greet.\n\nArgs:\n    name: who'],
  ['a first line on its own', 'Greet.\n\n    - a\n      - b', 'Greet.\n\n- a\n  - b'],
  ['an indented first line', '   Greet.\n  Twice.', 'Greet.\nTwice.'],
  ['nothing in common', 'Use:\n  a\nb', 'Use:\n  a\nb'],
  ['Windows line ends and tabs', 'a\r\n\t\tb\r\n\tc\r\n', 'a\n\tb\nc'],
  ['blank lines alone', ' \n \n', ''],
])('dedent: removes the indentation of %s', (_, text, expected) => expect(dedent(text)).toBe(expected))

it('dedent: changes nothing the second time', () => {
  const once = dedent('\n  a\n    b\n\n  c')
  expect(dedent(once)).toBe(once)
})
