import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const form = page.getByTestId('tool-form')

/** Opens the form of a tool with one field. Returns the inputs of its calls, as they come. */
function openForm(name: string, field: Record<string, unknown>) {
  const inputs: unknown[] = []
  const answer = (input: unknown) => {
    inputs.push(input)
    return { structuredContent: input }
  }
  const inputSchema = { type: 'object', properties: { it: field }, required: ['it'] }
  openPage(memoryBackend({ tools: [{ name, inputSchema }], answer }), `/?tool=desk/${name}`)
  return inputs
}

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
])('the default of %s is read in its row, once, and is not sent', async (what, schema, words) => {
  const inputs = openForm(`row ${what}`, { description: 'It.', ...schema })
  await expect.element(form.getByText(words, { exact: true })).toBeVisible()
  expect(document.querySelectorAll('form [placeholder^="default"]')).toHaveLength(0)
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{}])
})

test.each<[string, Record<string, unknown>, string]>([
  ['text', { type: 'string', default: 'main' }, 'default: main'],
  ['a number', { type: 'integer', default: 3 }, 'default: 3'],
  ['nullable text', { type: ['string', 'null'], default: null }, 'default: null'],
])('the default of %s is read in its empty control', async (what, schema, words) => {
  openForm(`control ${what}`, schema)
  await expect.element(form.getByPlaceholder(words, { exact: true })).toBeVisible()
})

test('the default of a longer choice is read in its entry for no choice', async () => {
  openForm('select', { enum: regions, default: 'eu-central-1' })
  await expect.element(form.getByRole('combobox', { name: 'it' })).toHaveDisplayValue('default: eu-central-1')
})

test('the default of a field that is not drawn is read in the list of optional fields', async () => {
  openForm('object', { type: 'object', properties: { a: {} }, default: { a: 1 } })
  await form.getByRole('button', { name: '1 more optional field' }).click()
  await expect.element(form.getByRole('option', { name: 'it' })).toHaveTextContent('default: {"a":1}')
})

test('what is set takes the place of the default', async () => {
  openForm('set', { type: 'boolean', default: false })
  await form.getByRole('radio', { name: 'true' }).click()
  await expect.element(form.getByText('default: false')).not.toBeInTheDocument()
})
