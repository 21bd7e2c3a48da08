import { expect, test } from 'vitest'
import { splitFrontmatter } from './frontmatter.ts'

test('frontmatter: is split from the text after it', () => {
  expect(splitFrontmatter('---\nname: a\n---\n# A\n')).toEqual({ frontmatter: 'name: a', body: '# A\n' })
  expect(splitFrontmatter('\uFEFF---\r\nname: a\r\nb:\r\n  - c\r\n---\r\n# A')).toEqual({
    frontmatter: 'name: a\r\nb:\r\n  - c',
    body: '# A',
  })
  expect(splitFrontmatter('---\n# a comment\nname: a\n---').body).toBe('')
})

test('frontmatter: a text without it stays whole', () => {
  for (const text of ['# A', '---\nname: a', '---\n---\n', '---\n\nText: a\n\n---\n', ''])
    expect(splitFrontmatter(text)).toEqual({ body: text })
})
