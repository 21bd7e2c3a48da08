import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import parseArgv from 'string-argv'
import { expect } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { findOnPath, quoteWords, resolveProgram } from './command-line.ts'

/** Makes executable files. */
function addPrograms(folder: string, ...names: string[]): void {
  mkdirSync(folder, { recursive: true })
  for (const name of names) {
    writeFileSync(join(folder, name), '')
    chmodSync(join(folder, name), 0o755)
  }
}

test('findOnPath: on Windows, Path is searched for the endings of PATHEXT, not for the script next to them', ({
  folder,
}) => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  addPrograms(first, 'npx', 'other.cmd')
  addPrograms(second, 'npx', 'npx.CMD', 'npx.ps1')
  const environment = { Path: `${first};${second}`, PathExt: '.COM;.EXE;.CMD' }
  expect(findOnPath('npx', environment, 'win32')).toBe(join(second, 'npx.CMD'))
  expect(findOnPath('npx.CMD', environment, 'win32')).toBe(join(second, 'npx.CMD'))
  expect(findOnPath('missing', environment, 'win32')).toBeNull()
  // Without PATHEXT, the endings that every Windows starts.
  expect(findOnPath('npx', { PATH: second }, 'win32')).toBe(join(second, 'npx.CMD'))
  const posix = { PATH: `${first}:${second}`, Path: second }
  expect(findOnPath('npx', posix, 'linux')).toBe(join(first, 'npx'))
})

test('resolveProgram: on Windows, a script is started by its interpreter, a path without an ending by its file', ({
  folder,
}) => {
  addPrograms(folder, 'server.mjs', 'tool.EXE')
  const resolve = (word: string, platform: NodeJS.Platform) =>
    resolveProgram([word, 'a'], folder, { PATHEXT: '.EXE' }, platform)
  expect(resolve('./server.mjs', 'win32')).toEqual([process.execPath, join(folder, 'server.mjs'), 'a'])
  expect(resolve('./server.mjs', 'linux')).toEqual([join(folder, 'server.mjs'), 'a'])
  expect(resolve('./tool', 'win32')).toEqual([join(folder, 'tool.EXE'), 'a'])
  expect(() => resolve('./tool', 'linux')).toThrow('looked at')
  expect(() => resolve('.\\missing', 'win32')).toThrow('looked at')
})

test('quoteWords: a shell and a reader without escapes get the same words', () => {
  const words = [
    "it's",
    `it's "so"`,
    "'",
    `$HOME's`,
    '--',
    '-v',
    '',
    'a\\b',
    "a\\'b",
    '`x`',
    '#1',
    '~',
    '!1',
    "it's\nso",
  ]
  expect(parseArgv(quoteWords(words))).toEqual(words)
  const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${quoteWords(words)}`], { encoding: 'utf8' })
  expect(printed.split('\0').slice(0, -1)).toEqual(words)
})
