/**
 * Counts what hides the meaning of a text from its reader: comments without a subject, "is no X" for "is not a X", rare
 * words, functions named by a noun, names with two meanings. `node scripts/plain-english.mjs [folder …]` lists them;
 * scripts/plain-english.test.ts keeps their numbers from growing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { argv } from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { project } from './project.mjs'

const folders = ['core', 'server', 'src', 'bench', 'scripts']

const patterns = {
  'comment without a subject': /^(?:Whoever|Who|What|Of|Told|Nobody)\b/,
  'is no X': /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b|more\b)/gi,
  'rare word': /\b(?:stands|beside|told|whom|thereof|heed|anew)\b/gi,
  'noun with Of': /\b(?:function|const) \w+Of\b/g,
}

/** @returns {{ kind: string, file: string, line: number, text: string }[]} */
export function findUnclearTexts(within = folders) {
  const files = listFiles(within).filter(
    file => /\.(?:tsx?|mjs)$/.test(file) && !isTest(file) && !/plain-english/.test(file),
  )
  return files.flatMap(file => {
    const lines = readFileSync(project(file), 'utf8').split('\n')
    return lines.flatMap((text, index) => {
      const comment = commentIn(text)
      const isFirst =
        comment !== undefined && (/^\s*\/\*/.test(text) || commentIn(lines[index - 1] ?? '') === undefined)
      // The first line of a block comment may hold nothing but its mark.
      const begin = comment === '' ? (commentIn(lines[index + 1] ?? '') ?? '') : (comment ?? '')
      const kinds = [
        ...(isFirst && patterns['comment without a subject'].test(begin)
          ? ['comment without a subject']
          : []),
        ...(comment?.match(patterns['is no X']) ?? []).map(() => 'is no X'),
        ...(text.match(patterns['rare word']) ?? []).map(() => 'rare word'),
        ...(text.match(patterns['noun with Of']) ?? []).map(() => 'noun with Of'),
      ]
      return kinds.map(kind => ({ kind, file, line: index + 1, text: text.trim() }))
    })
  })
}

/**
 * Lists rare words and "is no X" in the pages of the docs, and in the comments and titles of tests.
 *
 * @returns {{ kind: string, file: string, line: number, text: string }[]}
 */
export function findUnclearPagesAndTests() {
  return listFiles([])
    .filter(file => isPage(file) || (isTest(file) && /\.(?:tsx?|mjs)$/.test(file)))
    .flatMap(file =>
      readFileSync(project(file), 'utf8')
        .split('\n')
        .flatMap((text, index, lines) => {
          const words = isPage(file) ? text : (commentIn(text) ?? titleIn(text, lines[index - 1]) ?? '')
          return ['is no X', 'rare word'].flatMap(kind =>
            (words.match(patterns[kind]) ?? []).map(() => ({
              kind,
              file,
              line: index + 1,
              text: text.trim(),
            })),
          )
        }),
    )
}

/** Returns the line if it contains the title of a test, which may follow the opening parenthesis of the line before. */
function titleIn(line, before = '') {
  const begins = /^\s*(?:test|it|describe)\b/
  const isTitle =
    begins.test(line) || (/^\s*['"`]/.test(line) && /^\s*(?:(?:test|it|describe)\b.*|\]\))\($/.test(before))
  return isTitle ? line : undefined
}

/**
 * Lists the types of the program that share a name: two meanings of one word. Types of tests and fixtures do not count.
 *
 * @returns {{ name: string, files: string[] }[]}
 */
export function findSharedTypeNames() {
  const files = listFiles(['core', 'server', 'src']).filter(file => /\.tsx?$/.test(file) && !isTest(file))
  const found = files.flatMap(file =>
    matchNames(file, /^(?:export )?(?:abstract )?(?:type|interface|class|enum) (\w+)/gm).map(name => [
      name,
      file,
    ]),
  )
  return groupByName(found)
}

/** Names that several folders use for their own part: entry points, texts and tools of tests. */
const commonNames = /^(?:index|main|run|server|texts|testkit)\.|^tsconfig\.json$/

/** Folders whose files are named after an endpoint or a command: `history.ts` is the same subject in each of them. */
const bySubject = /^(?:core\/api|src\/api|server\/http\/routes|server\/commands)\//

/**
 * Lists the names that files of different folders share.
 *
 * @returns {{ name: string, files: string[] }[]}
 */
export function findSharedFileNames() {
  const files = listFiles(folders).filter(
    file => !/fixture/.test(file) && !bySubject.test(file) && !commonNames.test(basename(file)),
  )
  return groupByName(files.map(file => [basename(file), file]))
}

/** Words of STYLE's "not" column, as the first or a later word of a name. */
const forbiddenWords =
  /^(?:kept|shown|asked|told|say|judge|beside|young|old|places?)(?![a-z])|(?:Kept|Shown|Asked|Told|Judge|Beside|Places?)(?![a-z])/

/**
 * Lists the declared functions, values and types whose name has a forbidden word.
 *
 * @returns {{ name: string, file: string }[]}
 */
export function findForbiddenNames() {
  return listFiles(['core', 'server', 'src'])
    .filter(file => /\.tsx?$/.test(file) && !isTest(file))
    .flatMap(file =>
      matchNames(file, /\b(?:function\*?|const|let|class|interface|type) (\w+)/g)
        .filter(name => forbiddenWords.test(name))
        .map(name => ({ name, file })),
    )
}

/**
 * Lists the files of the program whose name has a forbidden word.
 *
 * @returns {string[]}
 */
export function findForbiddenFileNames() {
  const toCamelCase = name => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return listFiles(folders).filter(file => forbiddenWords.test(toCamelCase(basename(file))))
}

/** Groups pairs of a name and a file; keeps the names of several files. */
function groupByName(pairs) {
  const byName = new Map()
  for (const [name, file] of pairs) byName.set(name, [...(byName.get(name) ?? []), file])
  return [...byName].filter(([, files]) => files.length > 1).map(([name, files]) => ({ name, files }))
}

/** Returns the first group of each match. */
function matchNames(file, pattern) {
  return [...readFileSync(project(file), 'utf8').matchAll(pattern)].map(([, name]) => name)
}

const isTest = file => /\.(?:test|spec)\.|testkit|fixture/.test(file)

const isPage = file => /^(?:docs\/.*|\w+)\.md$/.test(file)

function listFiles(within) {
  return execFileSync('git', ['ls-files', '-z', '--', ...within], { cwd: project(), encoding: 'utf8' })
    .split('\0')
    .filter(file => file !== '')
}

/**
 * Lists the titles of tests that cannot be understood alone: outside of a `describe`, a title begins with its unit and a
 * colon.
 */
export function findTitlesWithoutUnit() {
  return listFiles([])
    .filter(file => /\.(?:test|spec)\.tsx?$/.test(file))
    .flatMap(file =>
      parseSync(file, readFileSync(project(file), 'utf8')).program.body.flatMap(statement => {
        const title = readTitle(statement.expression)
        return title === undefined || title.includes(': ') ? [] : [{ file, text: title }]
      }),
    )
}

/** The title of a call of `test`, `it`, or one of their forms (`test.each(rows)`); undefined for other expressions. */
function readTitle(expression) {
  if (expression?.type !== 'CallExpression') return undefined
  let callee = expression.callee
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') {
    if (callee.property?.name === 'describe') return undefined
    callee = callee.callee ?? callee.object
  }
  if (callee.name !== 'test' && callee.name !== 'it') return undefined
  const [title] = expression.arguments
  if (title?.type === 'Literal') return String(title.value)
  return title?.type === 'TemplateLiteral'
    ? title.quasis.map(({ value }) => value.cooked).join('…')
    : undefined
}

/** The text of a comment in a line; undefined in a line of code alone. */
function commentIn(line) {
  return /^\s*(?:\/\*\*?|\*(?!\/)|\/\/)\s?(.*?)(?:\*\/)?$/.exec(line)?.[1]?.trim()
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const found = findUnclearTexts(argv.length > 2 ? argv.slice(2) : folders)
  for (const { kind, file, line, text } of found) console.log(`${file}:${line}: ${kind}: ${text}`)
  for (const kind of Object.keys(patterns))
    console.log(`${kind}: ${found.filter(each => each.kind === kind).length}`)
}
