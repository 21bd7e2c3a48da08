import { expect, test } from 'vitest'
import { isSkillPath, listSkillPaths, skillFolder, toSkillPath } from './skill.ts'

test('skill addresses: only a SKILL.md in a folder has one', () => {
  expect(skillFolder('skill://acme/forms/SKILL.md')).toBe('skill://acme/forms/')
  for (const uri of ['SKILL.md', 'skill://SKILL.md', 'skill://a/skill.txt', 'skill://a//SKILL.md', ''])
    expect(skillFolder(uri), uri).toBeUndefined()
})

test('skill addresses: a path stays in the folder', () => {
  for (const path of ['a.md', 'a/b.md', 'Q&A.md', 'Q%3FA.md', '%20.md', '100%25.md', '100%.md', '...'])
    expect(isSkillPath(path), path).toBe(true)
  for (const path of [
    '',
    '..',
    '../a',
    'a/../b',
    'a//b',
    '/a',
    '%2e%2e/a',
    'a%2F..%2Fb',
    'a?b',
    'a#b',
    'a\\b',
    '%252e%252e/x',
    '%25252E./x',
    'a%252f%252e%252e',
    '%25%32%65./x',
    '..%5cx',
    '.\t./x',
    '.%09./x',
    'a%00',
    `%${'25'.repeat(20)}2e`,
  ])
    expect(isSkillPath(path), path).toBe(false)
  expect(toSkillPath('skill://a/SKILL.md', 'skill://a/b/c.md')).toBe('b/c.md')
  expect(toSkillPath('skill://a/SKILL.md', 'skill://ab/c.md')).toBeUndefined()
  expect(toSkillPath('skill://evil/SKILL.md', 'skill://evil/%252e%252e/x')).toBeUndefined()
})

test('skill files: SKILL.md is first, also if it is not listed', () => {
  const file = (uri: string) => ({ uri, digest: '', size: 0 })
  expect(listSkillPaths('skill://a/SKILL.md', [file('skill://a/x'), file('skill://b/y')])).toEqual([
    'SKILL.md',
    'x',
  ])
})
