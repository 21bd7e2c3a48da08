import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { wordPattern } from './confirm-pattern.ts'

/** The exit code of grep: 0 found, 1 not found, 2 a pattern that it cannot read. */
const grep = (pattern: string, name: string) =>
  spawnSync('grep', ['-q', '-w', '-E', pattern], {
    input: `${name}\n`,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  }).status

const matches = (pattern: string, name: string) => RE2JS.compile(wordPattern(pattern)).matcher(name).find()

const names = [
  'git_commit',
  'git_commit_all',
  'git-commit',
  'commit',
  'fs_rm',
  'rm',
  'a rm',
  'rm.x',
  'x2',
  'd',
]

test.each([
  'git_commit',
  'git_commit|fs_rm',
  'git',
  'git.*',
  '.*',
  '^git',
  '^git_',
  '^git_.*',
  'rm$',
  '_rm',
  '(^|_)rm$',
  '.*_rm',
  'git_(commit|status)',
  'g[i-t]+_c.*t',
  '[[:alpha:]]+',
  '[^_]+',
  '[\\w]',
  '\\w+',
  '\\<rm\\>',
  '\\brm',
  '\\d',
  'rm\\.x',
  'x{1,2}2?',
  'x|',
  'rm ',
])('wordPattern: %j matches the names in which grep -w finds it', pattern => {
  for (const name of names)
    expect({ pattern, name, found: matches(pattern, name) }).toEqual({
      pattern,
      name,
      found: grep(pattern, name) === 0,
    })
})

test('wordPattern: agrees with grep on any pattern that it can read', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    '_',
    ' ',
    '-',
    '.',
    '*',
    '+',
    '|',
    '(',
    ')',
    '[ab]',
    '[^a]',
    '^',
    '$',
  )
  const pattern = fc.array(piece, { minLength: 1, maxLength: 6 }).map(pieces => pieces.join(''))
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '_', ' ', '-'), minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(pattern, name, (each, text) => {
      let found: boolean
      try {
        found = matches(each, text)
      } catch {
        return
      }
      const status = grep(each, text)
      // POSIX leaves open what a repetition of nothing is, and what a word without a character is.
      const isOpen =
        /(?:^|[(|*+^$])[*+]/.test(each) ||
        spawnSync('grep', ['-q', '-x', '-E', each], { input: '\n' }).status === 0
      if (status !== 2 && !isOpen) expect(found).toBe(status === 0)
    }),
    { numRuns: 100 },
  )
})
