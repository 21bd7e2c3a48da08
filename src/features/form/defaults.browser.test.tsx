import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const form = page.getByTestId('tool-form')

const openField = (field: object) => openForm({ type: 'object', properties: { it: field }, required: ['it'] })

const rolling = { title: 'Rolling', type: 'object', properties: { type: { const: 'rolling' } } }
const blue = { title: 'Blue green', type: 'object', properties: { type: { const: 'blue' } } }
const regions = [
  'eu-west-1',
  'eu-central-1',
  'us-east-1',
  'us-west-2',
  'ap-south-1',
  'sa-east-1',
  'af-south-1',
]

test.each<[string, Record<string, unknown>, string]>([
  ['a choice', { enum: ['low', 'high'], default: 'high' }, 'default: high'],
  [
    'a choice with titles',
    {
      oneOf: [
        { const: 1, title: 'One' },
        { const: 2, title: 'Two' },
      ],
      default: 2,
    },
    'default: Two',
  ],
  ['a switch', { type: 'boolean', default: false }, 'default: false'],
  ['a union of kinds', { type: ['string', 'integer'], default: 5 }, 'default: 5'],
  ['a union of objects', { oneOf: [rolling, blue], default: { type: 'blue' } }, 'default: Blue green'],
  ['a list', { type: 'array', items: { type: 'string' }, default: ['a'] }, 'default: ["a"]'],
  ['a list of ticks', { type: 'array', items: { enum: ['a', 'b'] }, default: ['b'] }, 'default: ["b"]'],
  ['anything', { default: null }, 'default: null'],
])('field default: appears once in the row of %s, and is not sent', async (_what, schema, words) => {
  const inputs = openField({ description: 'It.', ...schema })
  await expect.element(form.getByText(words, { exact: true })).toBeVisible()
  expect(document.querySelectorAll('form [placeholder^="default"]')).toHaveLength(0)
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{}])
})

test.each<[string, Record<string, unknown>, string]>([
  ['text', { type: 'string', default: 'main' }, 'default: main'],
  ['a number', { type: 'integer', default: 3 }, 'default: 3'],
  ['nullable text', { type: ['string', 'null'], default: null }, 'default: null'],
])('field default: appears in the empty control of %s', async (_what, schema, words) => {
  openField(schema)
  await expect.element(form.getByPlaceholder(words, { exact: true })).toBeVisible()
})

test('field default: appears in the entry for no choice of a longer choice', async () => {
  openField({ enum: regions, default: 'eu-central-1' })
  await expect.element(form.getByRole('combobox', { name: 'it' })).toHaveDisplayValue('default: eu-central-1')
})

test('field default: appears in the list of optional fields when the field is not drawn', async () => {
  openField({ type: 'object', properties: { a: {} }, default: { a: 1 } })
  await form.getByRole('button', { name: '1 more optional field' }).click()
  await expect.element(form.getByRole('option', { name: 'it' })).toHaveTextContent('default: {"a":1}')
})

test('field default: disappears when a value is set', async () => {
  openField({ type: 'boolean', default: false })
  await form.getByRole('radio', { name: 'true' }).click()
  await expect.element(form.getByText('default: false')).not.toBeInTheDocument()
})
