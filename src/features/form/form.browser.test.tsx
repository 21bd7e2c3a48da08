import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const inputSchema = {
  type: 'object',
  properties: {
    build: { type: 'string', pattern: '^b-[0-9]+$' },
    environment: { enum: ['dev', 'staging', 'prod'] },
    replicas: { type: 'integer', minimum: 1, maximum: 50 },
    isDryRun: { type: 'boolean' },
  },
  required: ['build'],
}

const field = (name: string) => page.getByTestId('tool-form').getByRole('textbox', { name, exact: true })

test('a choice and a switch give their own values', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('b-1')
  await page.getByTestId('tool-form').getByRole('radio', { name: 'staging', exact: true }).click()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ build: 'b-1', environment: 'staging' }])
})

test('what is filled in is what is sent, each value by its type, and nothing else', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('b-1842')
  await field('replicas').fill('3')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('b-1842')
  expect(inputs).toEqual([{ build: 'b-1842', replicas: 3 }])
})

test('an invalid input is explained at the field, and can be sent on purpose', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('1842')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('tool-form')).toHaveTextContent('Must look like b-')
  expect(inputs).toEqual([])
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.element(page.getByTestId('result-view')).toBeVisible()
  expect(inputs).toEqual([{ build: '1842' }])
})
