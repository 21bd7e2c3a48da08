import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

function openReference(tool: Partial<ManifestTool>, tab = 'reference') {
  return openPage(memoryBackend({ tools: [{ name: 'find', ...tool }] }), `/?tool=desk/find&tab=${tab}`)
}

const reference = page.getByTestId('reference')
const section = (name: string) => reference.getByRole('region', { name })
const input = page.getByRole('table', { name: 'Input fields' })
const row = (name: string) => input.getByRole('row', { name: new RegExp(`^(?:\\w+ )*${name}\\b`) })

test('reference tab: shows the usage line, the fields of input and output, and the raw schemas', async () => {
  openReference({
    inputSchema: {
      properties: {
        id: { type: 'integer', minimum: 1, description: 'Which one <b>it</b> is' },
        format: { type: 'string', enum: ['json', 'text'], default: 'json', examples: ['text'] },
      },
      required: ['id', 'format'],
    },
    outputSchema: { type: 'array', items: { properties: { title: { type: 'string' } } } },
  })
  await expect.element(section('Usage')).toHaveTextContent('find [--format json|text] --id <integer>')
  await expect.element(row('id')).toHaveTextContent('id requiredintegerWhich one <b>it</b> is≥ 1')
  await expect
    .element(row('format'))
    .toHaveTextContent('format stringOne of "json" "text" Default "json"Example "text"')
  await expect.element(section('Output')).toHaveTextContent('array of object')
  await expect.element(section('Output')).toHaveTextContent('title string')
  await page.getByText('Input schema as JSON').click()
  await expect.element(section('Raw schemas')).toHaveTextContent('"minimum"')
})

test('reference tab: shows a schema as its manifest has it, if it was converted', async () => {
  const written = { type: 'OBJECT', properties: { id: { type: 'INTEGER' } } }
  const inputSchema = { type: 'object', properties: { id: { type: 'integer' } } }
  openReference({ inputSchema, writtenSchemas: { inputSchema: written } })
  await expect.element(row('id')).toHaveTextContent('id integer')
  await page.getByText('Input schema as the manifest has it').click()
  await expect.element(section('Raw schemas')).toHaveTextContent('"OBJECT"')
  await expect.element(page.getByText('Output schema as the manifest has it')).not.toBeInTheDocument()
})

test.each(['schema', 'help'])('reference tab: opens by a link to the former tab %s', async tab => {
  openReference({ inputSchema: { type: 'object' } }, tab)
  await expect.element(page.getByRole('tab', { name: 'Reference' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(section('Input')).toHaveTextContent('The schema names no fields.')
})

test('reference tab: opens nested fields by keys, and a recursive field one level at a time', async () => {
  const inputSchema = {
    type: 'object',
    properties: { name: { type: 'string' }, parent: { $ref: '#' } },
  }
  openReference({ inputSchema })
  await expect.element(input.getByRole('button', { name: 'Expand parent' })).toBeVisible()
  expect(input.getByRole('row').elements()).toHaveLength(2)
  input.getByRole('button', { name: 'Expand parent' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(input.getByRole('button', { name: 'Expand parent' })).toBeVisible()
  expect(input.getByRole('row').elements()).toHaveLength(4)
  await expect.element(input.getByRole('button', { name: 'Collapse parent' })).toHaveFocus()
})

test('reference tab: folds long lists of fields and values, and long descriptions', async () => {
  const fields = Array.from({ length: 2_000 }, (_, index) => [`field_${index}`, { type: 'string' }])
  const long = {
    enum: Array.from({ length: 300 }, (_, index) => `v${index}`),
    description: 'word '.repeat(400),
  }
  openReference({ inputSchema: { type: 'object', properties: { long, ...Object.fromEntries(fields) } } })
  await expect.element(section('Usage')).toHaveTextContent('… and 1,901 more')
  expect(input.getByRole('row').elements()).toHaveLength(100)
  await input.getByRole('button', { name: 'Show all 300 values' }).click()
  await expect.element(row('long')).toHaveTextContent('"v299"')
  await input.getByRole('button', { name: 'Show all', exact: true }).click()
  await expect.element(input.getByRole('button', { name: 'Show less' })).toBeVisible()
  await page.getByRole('button', { name: 'Show more fields' }).click()
  await expect.poll(() => input.getByRole('row').elements()).toHaveLength(600)
})
