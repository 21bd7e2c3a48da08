import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { dedent, joinWrapped } from './join-wrapped.ts'

describe('joinWrapped', () => {
  test('joins the lines of a wrapped paragraph, and keeps paragraphs apart', () => {
    const text = [
      'Search the index for documents that match the query. The query is',
      'split into words, and every word must be found in the title or in',
      'the body of a document.',
      '',
      'Use this when the user asks a question about the handbook; for the',
      'people there is another tool.',
    ].join('\n')
    expect(joinWrapped(text)).toBe(
      'Search the index for documents that match the query. The query is split into words, and every word must be ' +
        'found in the title or in the body of a document.\n\nUse this when the user asks a question about the ' +
        'handbook; for the people there is another tool.',
    )
  })

  test('joins the lines of one list item, and keeps items apart', () => {
    const text = [
      '- an item that is long enough to be wrapped by its author at so',
      '  many columns',
      '- the second item, which is as long as the one before it and no',
      '- the third',
      '1. one that is counted, and wrapped at the same width as others',
      '   in this list',
    ].join('\n')
    expect(joinWrapped(text).split('\n')).toEqual([
      '- an item that is long enough to be wrapped by its author at so many columns',
      '- the second item, which is as long as the one before it and no',
      '- the third',
      '1. one that is counted, and wrapped at the same width as others in this list',
    ])
  })

  test.each([
    [
      'sections of a docstring',
      'Finds documents in the index, by the words of their titles.\nArgs:\n    query: What to look for, in the words of the user who asks it\n    limit (int, optional): How many documents at most are given\nReturns: a list of documents',
    ],
    [
      'fields at the margin',
      'query: What to look for, in the words of the user who asks it\nlimit: How many documents are given at most, a whole number\n`sort` - by what the documents are sorted, a name of a field',
    ],
    [
      'code between fences',
      '```\nconst longEnough = "a line of code that is as long as a paragraph"\nrun(longEnough)\n```',
    ],
    [
      'indented code',
      'Run it:\n\n    toolscope call "api greet" examples/acme/acme.mjs --input now\n    toolscope history --tool "api greet" --outcome failed --json',
    ],
    [
      'a table',
      '| column | what stands in the column, in a few words |\n| ------ | ------------------------------------------ |\n| a      | the first one                              |',
    ],
    [
      'data',
      '{"name": "a long name that fills the line to its very end",\n"other": "a long name that fills the line to its very en"}',
    ],
    [
      'a heading and a quotation',
      '# A heading that is as long as the lines of the text below it\nand a line\n> a quotation that is as long as the other lines are, or not\n> and its second line',
    ],
    ['short lines', 'Greets a person.\nUse it with care.\nIt is polite.'],
    [
      'breaks of Markdown',
      'A line that ends with two spaces, which are a break on purpose  \nand another one\\\nand the last line of the text, with as many characters as that',
    ],
    [
      'a first line that says what follows',
      'Supported are these formats, and for each of them one kind of file:\njson and yaml',
    ],
  ])('does not change %s', (_, text) => expect(joinWrapped(text)).toBe(text))

  test('changes only line breaks and the space after them', () => {
    const line = fc.stringMatching(/^ {0,5}[-*`|>#:a-z(. ]{0,70}$/)
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), lines => {
        const text = lines.join('\n')
        const words = (all: string) => all.replaceAll(/\s+/g, ' ')
        expect(words(joinWrapped(text))).toBe(words(text))
      }),
    )
  })

  test('joins a hostile text of megabytes in less than 3 seconds of processor time', () => {
    const start = process.cpuUsage()
    for (const part of [
      '`*'.repeat(30),
      'a'.repeat(60),
      `${'a('.repeat(20)}\n`,
      '-'.repeat(60),
      ' '.repeat(60),
    ])
      joinWrapped(`${part}\n`.repeat(30_000))
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(3000)
  })
})

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
