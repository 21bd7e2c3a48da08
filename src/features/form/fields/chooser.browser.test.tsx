import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../../testing/open-form.ts'

const regions = Array.from({ length: 40 }, (_, at) => `region-${at}`)
const strategies = ['rolling', 'recreate', 'blue-green', 'canary']
const region = { enum: regions }
const inputSchema = {
  type: 'object',
  properties: {
    first: region,
    owner: { type: 'string' },
    strategy: { enum: strategies },
    note: { type: 'string' },
    // These two share a line: each has half of it.
    tier: { enum: strategies },
    isDryRun: { type: 'boolean' },
    ...Object.fromEntries(regions.slice(0, 12).map(name => [name, { type: 'string' }])),
    last: region,
  },
  required: ['first', 'owner', 'strategy', 'note', 'tier', 'isDryRun', ...regions.slice(0, 12), 'last'],
}

/** Opens the form in a window of this size. */
async function openFormAt(width: number, height = 700) {
  const { innerWidth, innerHeight } = window
  await page.viewport(width, height)
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  openForm(inputSchema)
}

// A size that changes while sizes are reported is an error event of the window.
const onError = vi.fn()
beforeEach(() => window.addEventListener('error', onError))
afterEach(() => {
  window.removeEventListener('error', onError)
  expect(onError).not.toHaveBeenCalled()
})

const form = () => page.getByTestId('tool-form')
const field = (name: string) => form().getByRole('combobox', { name, exact: true })
const list = () => page.getByRole('listbox', { name: 'Matches' })
const boxOf = (locator: { element(): Element }) => locator.element().getBoundingClientRect()

/** Whether the pointer reaches the element in each of its corners: nothing is before it, nothing cuts it off. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const corners = [left + 3, right - 3].flatMap(x => [top + 3, bottom - 3].map(y => [x, y] as const))
  return corners.every(([x, y]) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && element.contains(hit)
  })
}

test('choice list: opens under its field and is not cut off', async () => {
  await openFormAt(1280)
  await field('first').click()
  await expect.poll(() => isOnTop(list().element())).toBe(true)
  expect(boxOf(list()).top).toBeGreaterThanOrEqual(boxOf(field('first')).bottom)
  expect(boxOf(list()).width).toBeCloseTo(boxOf(field('first')).width, 0)
})

test('choice list: opens over its field where there is no room under it, on a narrow page too', async () => {
  for (const width of [1280, 390]) {
    await openFormAt(width)
    await expect.element(field('last')).toBeInTheDocument()
    field('last').element().scrollIntoView({ block: 'end' })
    await field('last').click()
    await expect.poll(() => isOnTop(list().element())).toBe(true)
    expect(boxOf(list()).bottom).toBeLessThanOrEqual(boxOf(field('last')).top)
    await userEvent.keyboard('{Escape}')
    document.querySelector('#root')?.remove()
  }
})

test('choice list: chooses by keys, keeps the active option visible and the focus in the field', async () => {
  await openFormAt(1280)
  await field('first').click()
  await userEvent.keyboard('{ArrowDown>20/}')
  const active = () =>
    document.getElementById(field('first').element().getAttribute('aria-activedescendant') ?? '')
  await expect.poll(() => active()?.textContent).toBe('region-20')
  await expect.poll(() => active() !== null && isOnTop(active() as Element)).toBe(true)
  await userEvent.keyboard('{Enter}')
  await expect.element(field('first')).toHaveValue('region-20')
  await expect.element(list()).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(list()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(list()).not.toBeInTheDocument()
  await expect.element(field('first')).toHaveFocus()
  await userEvent.fill(field('first'), 'region-3')
  await page.getByRole('option', { name: 'region-39' }).click()
  await expect.element(field('first')).toHaveValue('region-39')
  await expect.element(field('first')).toHaveFocus()
})

test('choice row: shows choices side by side where they fit, and a select where they would wrap', async () => {
  await openFormAt(640)
  const radio = (name: string) => form().getByRole('radio', { name, exact: true })
  await radio('canary').click()
  expect(new Set(strategies.map(name => boxOf(radio(name)).top)).size).toBe(1)
  await expect.element(field('tier')).toBeVisible()
  await expect.element(radio('true')).toBeVisible()

  await page.viewport(320, 700)
  await expect.element(field('strategy')).toHaveDisplayValue('canary')
  await expect.element(field('tier')).toBeVisible()
  await expect.element(field('strategy')).toHaveFocus()
  await expect.element(radio('canary')).not.toBeInTheDocument()
  await expect.element(radio('true')).toBeVisible()
  await userEvent.selectOptions(field('strategy'), 'recreate')

  await page.viewport(640, 700)
  await expect.element(radio('recreate')).toBeChecked()
  await expect.element(radio('recreate')).toHaveFocus()
})

test('choice row: has the same height as a select and with its choices side by side', async () => {
  const heights: number[] = []
  for (const width of [1280, 320]) {
    await openFormAt(width)
    const strategy = () =>
      form().element().querySelector('[data-path="/strategy"] :is(select, [role=radiogroup])')
    await expect.poll(() => strategy()?.tagName).toBe(width === 320 ? 'SELECT' : 'DIV')
    heights.push(strategy()?.getBoundingClientRect().height ?? 0)
    document.querySelector('#root')?.remove()
  }
  expect(heights[0]).toBe(heights[1])
})

test('choice list: takes a whole typed option when the field is left, and says when the text is not an option', async () => {
  await openFormAt(1_000)
  const first = form().getByRole('combobox').first()
  await first.fill('REGION-7')
  await userEvent.keyboard('{Tab}')
  await expect.element(first).toHaveValue('region-7')
  await first.fill('mars')
  await userEvent.keyboard('{Tab}')
  await expect.element(form().getByRole('status')).toHaveTextContent('“mars” is not one of the options')
  await expect.element(first).toHaveValue('region-7')
  await first.fill('region-8')
  await expect.element(form().getByRole('status')).not.toBeInTheDocument()
})
