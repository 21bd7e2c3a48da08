import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rulesTable } from './document.ts'

test('docs/lint.md has every rule as it is', () => {
  const page = readFileSync(new URL('../../docs/lint.md', import.meta.url), 'utf8')
  // The formatter pads the cells.
  const bare = (text: string) => text.replace(/-{3,}/g, '---').replace(/ +/g, ' ')
  expect(bare(page)).toContain(bare(rulesTable()))
})
