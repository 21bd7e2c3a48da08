import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rulesTable } from './document.ts'

test('docs/lint.md has every rule as it is', () => {
  const page = readFileSync(new URL('../../docs/lint.md', import.meta.url), 'utf8')
  expect(page).toContain(rulesTable())
})
