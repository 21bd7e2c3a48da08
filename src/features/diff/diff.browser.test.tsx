import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DiffSide } from '../../../core/diff/change.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const side = (maximum: number, description: string): DiffSide => ({
  tools: [
    {
      name: 'deploy',
      description,
      inputSchema: { type: 'object', properties: { batch: { type: 'integer', maximum } } },
    },
  ],
})
const manifests = { before: side(100, 'Deploys.'), after: side(50, 'Deploys a build.') }
const changes = () => page.getByTestId('change')
const openDiff = (search: string) => openPage(memoryBackend({ manifests }), `/diff?${search}`)

test('filters are in the address and come back from it', async () => {
  const address = openDiff('a=before&b=after')
  await expect.poll(() => changes().elements().length).toBe(2)
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await expect.poll(address).toContain('direction=text')
  await expect.poll(() => changes().elements().length).toBe(1)
  await expect.element(changes()).toHaveTextContent('description')
})

test('the address names the filter, and a filter without a match has a way out', async () => {
  const address = openDiff('a=before&b=after&direction=text')
  await expect.poll(() => changes().elements().length).toBe(1)
  await page.getByRole('searchbox', { name: 'Filter changes' }).fill('nothing like it')
  await expect.element(page.getByText('No change matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByTestId('diff-count-breaking').click()
  await expect.poll(address).toContain('show=breaking')
  await expect.element(changes().first()).toHaveTextContent('breaking')
})

test('the keys go from change to change and show the breaking ones only', async () => {
  const address = openDiff('a=before&b=after')
  await expect.element(changes().first()).toBeVisible()
  await page.getByRole('heading', { level: 2 }).first().click()
  await userEvent.keyboard('j')
  await expect.element(changes().first()).toHaveFocus()
  await userEvent.keyboard('j')
  await expect.element(changes().nth(1)).toHaveFocus()
  await userEvent.keyboard('k')
  await expect.element(changes().first()).toHaveFocus()
  await userEvent.keyboard('b')
  await expect.poll(address).toContain('show=breaking')
})

test('swapping compares the other way round', async () => {
  openDiff('a=before&b=after')
  await expect.element(page.getByText('A call that worked before and fails now').first()).toBeVisible()
  await page.getByRole('button', { name: 'Swap the two sides' }).click()
  await expect.element(page.getByLabelText('Before')).toHaveValue('after')
  await expect.poll(() => changes().elements().length).toBe(2)
  await expect.element(page.getByText('A call that worked before and fails now')).not.toBeInTheDocument()
})
