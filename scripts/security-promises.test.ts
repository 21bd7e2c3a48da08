/** docs/security.md names a test for each promise; each of those tests exists. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { project } from './project.mjs'

const [promises = '', secrets = ''] = readFileSync(project('docs/security.md'), 'utf8').split('## Secrets')
const testsIn = (text: string) =>
  [...text.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)`/g)].map(([, path = '']) => path)
const items = promises.split(/^- /m).slice(1)

test.each(items.map(item => [/^\*\*(.*?)\*\*/s.exec(item)?.[1], item]))(
  'docs/security.md: names a test for “%s”',
  (_, item) => {
    expect(testsIn(item)).not.toEqual([])
  },
)

test('docs/security.md: names only tests that exist', () => {
  const named = testsIn(promises + secrets)
  expect(named.length).toBeGreaterThan(items.length)
  expect(named.filter(path => !existsSync(project(path)))).toEqual([])
})
