/** What the docs and the README name exists: files of the project, commands with their options, and endpoints. Comments, too. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { contract } from '../core/api/contract.ts'
import { optionName } from '../server/commands/command-flags.ts'
import { loadCommands } from '../server/commands/index.ts'
import { project } from './project.mjs'

const files = execFileSync('git', ['ls-files', '-z'], { cwd: project(), encoding: 'utf8' })
  .split('\0')
  .filter(file => file !== '')
const pages = files.filter(file => /^(?:docs\/.*|\w+)\.md$/.test(file))
const read = (file: string) => readFileSync(project(file), 'utf8')
const known = new Set(files.flatMap(file => file.split('/').map((_, at, steps) => steps.slice(at).join('/'))))
/** Names of folders; a path that begins with another name is an example of a user's file. */
const folders = new Set(
  files.flatMap(file => file.split('/').slice(0, -1).slice(0, 2)).filter(name => name !== 'tools'),
)

/** Returns `page: name` for each name in the pages that `find` finds and `exists` does not know. */
function listMissing(find: RegExp, exists: (name: string, page: string) => boolean): string[] {
  return pages.flatMap(page =>
    [...read(page).matchAll(find)].flatMap(([, name = '']) =>
      exists(name, page) ? [] : [`${page}: ${name}`],
    ),
  )
}

test('docs: each file of the project that is named exists', () => {
  const path = /(?<![\w./@:-])((?:[\w@-]+\/)+[\w.-]+\.(?:tsx?|mjs|css))(?![\w/])/g
  const isForeign = (name: string) => !folders.has(name.split('/')[0] ?? '')
  expect(listMissing(path, name => known.has(name) || isForeign(name))).toEqual([])
})

test('comments: each file of the project that is named exists', () => {
  const path =
    /(?<![\w./@:-])((?:core|server|src|e2e|scripts|bench|docs|public)\/[\w./-]*\.(?:tsx?|mjs|css|json|md))/g
  const sources = files.filter(file => /\.(?:tsx?|mjs)$/.test(file) && !/\.test\.|fixture/.test(file))
  const comments = (text: string) => text.match(/^\s*(?:\/?\*|\/\/).*$/gm) ?? []
  const missing = sources.flatMap(file =>
    comments(read(file)).flatMap(line =>
      [...line.matchAll(path)].flatMap(([, name = '']) => (known.has(name) ? [] : [`${file}: ${name}`])),
    ),
  )
  expect(missing).toEqual([])
})

test('docs: each link to a file leads to one', () => {
  const link = /\]\((?!https?:|mailto:|#)([^)#\s]+)/g
  expect(listMissing(link, (name, page) => existsSync(project(join(dirname(page), name))))).toEqual([])
})

test('docs: each endpoint that is named is in the contract', () => {
  const endpoints = Object.keys(contract).map(key => key.replace(/\{\w+\}/g, '{}'))
  const shape = (name: string) => name.replace(/\?.*$/, '').replace(/\{\w+\}|<\w+>|:\w+/g, '{}')
  const named = /`((?:GET|POST|PUT|DELETE|PATCH) \/api\/[^`\s]+)/g
  expect(listMissing(named, name => endpoints.includes(shape(name)))).toEqual([])
})

test('docs: each option in a toolscope command line exists', async () => {
  const general = ['--help', '--json', '--llms', '--version']
  // Fields of the tools that examples of `toolscope call` name.
  const toolFlags = ['--id', '--name', '--topic']
  const options = new Map(
    (await loadCommands()).map(command => [
      command.name,
      Object.keys(command.input.shape).flatMap(key => {
        const name = optionName(command, key).replace(/^-\w, /, '')
        return [name, name.replace('--', '--no-')]
      }),
    ]),
  )
  const missing = listMissing(/toolscope ([a-z]+ [^`\n]*)/g, line => {
    const [name = '', ...words] = line
      .replace(/(["'])(?:(?!\1).)*\1/g, '')
      .replace(/ (?:--|[|#>&;]) .*$/, '')
      .split(/[\s[\]|=]+/)
    const taken = options.get(name)
    const given = words.filter(word => /^--[a-z]/.test(word)).map(word => word.replace(/[^\w-].*$/, ''))
    const others = name === 'call' ? [...general, ...toolFlags] : general
    return taken === undefined || given.every(word => taken.includes(word) || others.includes(word))
  })
  expect(missing).toEqual([])
})
