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

test('form: sends the value of a chosen option', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('b-1')
  await page.getByTestId('tool-form').getByRole('radio', { name: 'staging', exact: true }).click()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ build: 'b-1', environment: 'staging' }])
})

test('form: sends exactly what is filled in, each value by its type', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('b-1842')
  await field('replicas').fill('3')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('b-1842')
  expect(inputs).toEqual([{ build: 'b-1842', replicas: 3 }])
})

test('form: explains an invalid input at the field, and sends it only by “Send anyway”', async () => {
  const inputs = openForm(inputSchema)
  await field('build').fill('1842')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('tool-form')).toHaveTextContent('Must look like b-')
  expect(inputs).toEqual([])
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.element(page.getByTestId('result-view')).toBeVisible()
  expect(inputs).toEqual([{ build: '1842' }])
})
