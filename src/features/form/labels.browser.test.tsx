import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const snake = 'include_documents_without_any_owner_or_group_of_the_whole_organization_since_the_last_release'
const camel = 'maximumNumberOfHTTPDocumentsPerIndexShardOfTheWholeOrganizationSinceTheLastRelease'
const whole = 'x'.repeat(120)

test.each([1440, 390])(
  'field label: breaks only between words, and never leaves its column, at %i px',
  async width => {
    await page.viewport(width, 900)
    const properties = Object.fromEntries([snake, camel, whole].map(name => [name, { type: 'string' }]))
    openForm({ type: 'object', properties })
    for (const name of [snake, camel, whole])
      await expect.element(page.getByRole('textbox', { name, exact: true })).toBeInTheDocument()
    const labels = [...document.querySelectorAll<HTMLElement>('form label')]
    expect(labels.map(label => label.textContent)).toEqual([snake, camel, whole])
    expect(labels.map(label => label.title)).toEqual([snake, camel, whole])
    for (const label of labels) {
      const row = label.parentElement?.getBoundingClientRect()
      expect(label.getBoundingClientRect().right).toBeLessThanOrEqual(row?.right ?? 0)
    }
    const snakeLines = lines(labels[0] as HTMLElement)
    expect(snakeLines.slice(0, -1).filter(line => !line.endsWith('_'))).toEqual([])
    const camelLines = lines(labels[1] as HTMLElement)
    expect(camelLines.slice(1).filter(line => !/^[A-Z]/.test(line))).toEqual([])
    if (width === 390) expect(Math.min(snakeLines.length, camelLines.length)).toBeGreaterThan(1)
    expect(lines(labels[2] as HTMLElement)).toEqual([whole])
  },
)

/** The text of each line, as it is drawn. */
function lines(element: HTMLElement): string[] {
  const found = new Map<number, string>()
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (const [index, character] of [...(node.textContent ?? '')].entries()) {
      range.setStart(node, index)
      range.setEnd(node, index + 1)
      const top = Math.round(range.getBoundingClientRect().top)
      found.set(top, (found.get(top) ?? '') + character)
    }
  return [...found.values()]
}
