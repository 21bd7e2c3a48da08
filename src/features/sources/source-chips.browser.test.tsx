import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { SourceState } from '../../../core/api/sources.ts'
import type { Handlers } from '../../api/local-backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const source = (name: string): SourceState => ({
  name,
  kind: 'mcp-server',
  label: name,
  status: 'ready',
  toolCount: 13,
  callable: true,
  problems: [],
})

test('source chips: count what the tree counts, and say what it is', async () => {
  const surface = { prompts: 4, resources: 7, templates: 2 }
  const sources = [{ ...source('everything'), toolCount: 15, surface }]
  openPage(
    memoryBackend({ handlers: { 'GET /api/sources': async () => ({ sources, removed: [], examples: [] }) } }),
    '/',
  )
  const chip = page.getByRole('button', { name: 'everything is ready, 15 tools, 4 prompts, 9 resources' })
  await expect.element(chip).toHaveTextContent('everything28')
})

const more = /^\d+ (?:more|sources?)$/

test.each([1500, 1480, 1460, 1440, 1420, 1400, 1360, 1280, 1200, 1100, 1024, 900, 600, 390])(
  'source chips: show all at %i pixels when they fit, or a button for the others after the last one',
  async width => {
    await page.viewport(width, 600)
    onTestFinished(() => page.viewport(innerWidth, innerHeight))
    const names = ['server-everything', 'server-filesystem', 'server-memory']
    const sources = names.map(source)
    const handlers: Handlers = { 'GET /api/sources': async () => ({ sources, removed: [], examples: [] }) }
    openPage(memoryBackend({ handlers }), '/')
    const bar = page.getByRole('navigation', { name: 'Sources', exact: true })
    await expect.element(bar).toBeInTheDocument()
    await vi.waitFor(() => {
      const list = bar.element().firstElementChild as HTMLElement
      const chips = [...list.querySelectorAll<HTMLElement>('[data-source]')]
      const shown = chips.filter(chip => getComputedStyle(chip).visibility === 'visible')
      const button = [...list.querySelectorAll('button')].find(each => more.test(each.textContent ?? ''))
      const end = list.getBoundingClientRect().right
      const needed = chips.reduce((sum, chip) => sum + chip.getBoundingClientRect().width + 8, 0)
      expect(shown.length === chips.length).toBe(needed <= list.getBoundingClientRect().width + 0.5)
      expect(button === undefined).toBe(shown.length === chips.length)
      if (button === undefined) return
      const { left, right } = button.getBoundingClientRect()
      const last = shown.at(-1)?.getBoundingClientRect().right ?? list.getBoundingClientRect().left
      expect(left - last).toBeGreaterThanOrEqual(0)
      expect(left - last).toBeLessThan(12)
      expect(right).toBeLessThanOrEqual(end)
    })
  },
)

test('source chips: show the open source even if the others leave no room for it', async () => {
  await page.viewport(1100, 600)
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  const names = Array.from({ length: 30 }, (_, at) => `catalog-number-${at + 1}`)
  const failed: SourceState = { ...source('broken'), status: 'failed' }
  const sources = [...names.map(source), failed]
  const handlers: Handlers = { 'GET /api/sources': async () => ({ sources, removed: [], examples: [] }) }
  openPage(memoryBackend({ handlers }), '/')
  const bar = page.getByRole('navigation', { name: 'Sources', exact: true })
  const shown = () =>
    [...bar.element().querySelectorAll<HTMLElement>('[data-source]')]
      .filter(chip => getComputedStyle(chip).visibility === 'visible')
      .map(chip => chip.dataset.source)
  await expect.poll(() => shown().slice(0, 2)).toEqual(['broken', 'catalog-number-1'])
  await bar.getByRole('button', { name: /^\d+ more$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^catalog-number-29 is ready/ })
    .click()
  await expect.poll(() => shown().slice(0, 3)).toEqual(['catalog-number-29', 'broken', 'catalog-number-1'])
})
