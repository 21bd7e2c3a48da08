import { expect, test } from 'vitest'
import { sameServerPairs } from './version-choices.ts'

const source = (name: string, server?: string, version = '1.0.0') =>
  server === undefined ? { name } : { name, serverInfo: { name: server, version } }

test('sameServerPairs: compares open sources of the same server, the older version first', () => {
  const sources = [
    source('git', 'git-mcp', '2.15.3'),
    source('git-2', 'git-mcp', '2.3.2'),
    source('calc', 'calc-mcp'),
    source('acme'),
    source('git-3', 'git-mcp', '2.6.5'),
  ]
  expect(sameServerPairs(sources)).toEqual([
    { a: 'git-2', b: 'git-3', source: 'git-2 → git-3', name: '2.3.2 → 2.6.5' },
    { a: 'git-3', b: 'git', source: 'git-3 → git', name: '2.6.5 → 2.15.3' },
  ])
})

test('sameServerPairs: leaves out sources of the same version and servers without a name', () => {
  expect(sameServerPairs([source('one', 'calc-mcp'), source('two', 'calc-mcp')])).toEqual([])
  expect(sameServerPairs([source('a'), source('b')])).toEqual([])
})
