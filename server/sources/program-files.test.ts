import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { programFiles } from './program-files.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-files-')))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const files = (...argv: string[]) =>
  programFiles(argv, folder)
    .map(path => relative(folder, path))
    .sort()

test('programFiles: returns a script with all files that it imports, also in circles', () => {
  write(
    'main.mjs',
    "import { a } from './lib/a.mjs'\nimport './side.js'\nconst b = await import( './lazy.mjs' )\nimport 'package'",
  )
  write('lib/a.mjs', "export * from '../main.mjs'\nexport { x } from './b.js'")
  write('lib/b.ts', "import data from './data.json' with { type: 'json' }\nconst c = require('./folder')")
  write('lib/folder/index.js', "import './missing.js'")
  write('lib/data.json', '{}')
  write('side.js', '')
  write('lazy.mjs', '')
  write('unrelated.mjs', '')
  expect(files(process.execPath, '--flag', 'main.mjs', 'nothing')).toEqual([
    'lazy.mjs',
    'lib/a.mjs',
    'lib/b.ts',
    'lib/data.json',
    'lib/folder/index.js',
    'main.mjs',
    'side.js',
  ])
})

test('programFiles: returns the imported Python modules of a program', () => {
  write('tool.py', 'import os, sys\nimport helper\nfrom pack.deep import thing\nfrom . import sibling\n')
  write('helper.py', 'from .near import x')
  write('near.py', '')
  write('pack/deep.py', 'from ..helper import y')
  expect(files('python3', 'tool.py')).toEqual(['helper.py', 'near.py', 'pack/deep.py', 'tool.py'])
})

test('programFiles: returns a link and its target, but no further files of installed packages', () => {
  write('node_modules/acme/bin.mjs', "import './more.mjs'")
  write('node_modules/acme/more.mjs', '')
  symlinkSync(join(folder, 'node_modules/acme/bin.mjs'), join(folder, 'acme'))
  expect(files('acme')).toEqual(['acme', 'node_modules/acme/bin.mjs'])
})

test('programFiles: returns files of any content without an error', () => {
  write('binary', '\u0000\u0001')
  write('huge.mjs', `import './x.mjs'\n${'a'.repeat(600_000)}`)
  write('x.mjs', '')
  expect(files('binary', 'huge.mjs', '\u0000', '')).toEqual(['binary', 'huge.mjs'])
})
