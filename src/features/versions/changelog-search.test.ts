import { expect, test } from 'vitest'
import { parseChangelogSearch } from './changelog-search.ts'

test.each([
  [
    { source: 'acme', kind: 'git' },
    { source: 'acme', kind: 'git' },
  ],
  [{ source: 'acme', kind: 'other', more: '1' }, { source: 'acme' }],
  [{ source: '' }, {}],
])('changelog search: reads %o as %o', (search, expected) => {
  expect(parseChangelogSearch(search)).toEqual(expected)
})
