import { expect, test } from 'vitest'
import { ruleCatalogue } from '../core/diff/rules/schema-rules.ts'
import {
  findForbiddenFileNames,
  findForbiddenNames,
  findSharedFileNames,
  findSharedTypeNames,
  findTitlesWithoutUnit,
  findUnclearPagesAndTests,
  findUnclearTexts,
} from './plain-english.mjs'

/** How many there may be. Lower a number when there are fewer; never raise one. */
const max = { 'comment without a subject': 0, 'is no X': 0, 'rare word': 1, 'noun with Of': 3 }

test.each(Object.entries(max))('plain English: a new "%s" fails (at most %d)', (kind, count) => {
  const found = findUnclearTexts().filter(each => each.kind === kind)
  const places = found.map(({ file, line, text }) => `${file}:${line}: ${text}`)
  expect(found.length, places.slice(0, 20).join('\n')).toBeLessThanOrEqual(count)
})

test('plain English: the rules of a diff say added, removed and changed', () => {
  const texts = Object.entries(ruleCatalogue).map(([rule, text]) => `${rule}: ${text}`)
  expect(texts.filter(text => /\b(?:came|went|given up|gone|promises)\b/.test(text))).toEqual([])
})

test('plain English: the title of each test begins with its unit', () => {
  expect(findTitlesWithoutUnit().map(({ file, text }) => `${file}: ${text}`)).toEqual([])
})

test('plain English: two types never share a name', () => {
  expect(findSharedTypeNames()).toEqual([])
})

test('plain English: files of the same name hold the same kind of thing', () => {
  expect(findSharedFileNames()).toEqual([])
})

test('plain English: no declared name has a forbidden word', () => {
  expect(findForbiddenNames().map(({ name, file }) => `${file}: ${name}`)).toEqual([])
})

test('plain English: no file name has a forbidden word', () => {
  expect(findForbiddenFileNames()).toEqual([])
})

test('plain English: docs, and comments and titles of tests, have no unclear word', () => {
  const found = findUnclearPagesAndTests()
  expect(found.map(({ file, line, kind, text }) => `${file}:${line}: ${kind}: ${text}`)).toEqual([])
})
