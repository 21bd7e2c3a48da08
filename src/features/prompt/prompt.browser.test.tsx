import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import type { PromptAnswer } from '../../../core/api/prompt.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const name = 'a_name_that_goes_on_and_on'.repeat(8)
const answer: PromptAnswer = {
  format: 'mcp',
  compact: false,
  encoding: 'o200k_base',
  preview: '{\n  "tools": [\n',
  cut: true,
  characters: 189_039,
  matched: [{ ref: `desk/${name}`, source: 'desk', name }],
  matchedCount: 1,
  measure: {
    total: 20,
    full: 20,
    compact: 10,
    saved: 0.5,
    frame: 2,
    sources: [],
    tools: [{ ref: `desk/${name}`, source: 'desk', name, tokens: 18 }],
    fields: [
      { ref: `desk/${name}`, name, path: `/inputSchema/properties/${name}`, tokens: 9, tools: 1, share: 0.5 },
    ],
  },
  toolCount: 1,
}

function openPrompt(given: Partial<PromptAnswer> = {}) {
  const handlers = { 'POST /api/prompt': async () => ({ ...answer, ...given }) }
  openPage(memoryBackend({ tools: [name], handlers }), '/prompt')
}

test.each([1440, 1024, 390])(
  'prompt page: keeps lists with long names within the page at %i pixels',
  async width => {
    await page.viewport(width, 900)
    onTestFinished(() => page.viewport(innerWidth, innerHeight))
    openPrompt()
    for (const title of ['Heaviest tools', 'Heaviest fields']) {
      const list = page.getByRole('region', { name: title })
      await expect.element(list).toBeInTheDocument()
      const { right } = list.element().getBoundingClientRect()
      expect(right).toBeLessThanOrEqual(width)
      for (const part of list.element().querySelectorAll('li, li *'))
        expect(part.getBoundingClientRect().right).toBeLessThanOrEqual(right + 1)
    }
  },
)

test('prompt page: says that a text is cut, and names no length that contradicts the full one', async () => {
  openPrompt()
  await expect.element(page.getByText('189,039 characters as sent')).toBeVisible()
  await expect.element(page.getByText('Preview, shortened.')).toBeVisible()
  await expect.element(page.getByText(/200,000/)).not.toBeInTheDocument()
})

test('prompt page: does not say of a whole text that it is shortened', async () => {
  openPrompt({ cut: false })
  await expect.element(page.getByText('189,039 characters as sent')).toBeVisible()
  await expect.element(page.getByText(/Preview, shortened/)).not.toBeInTheDocument()
})
