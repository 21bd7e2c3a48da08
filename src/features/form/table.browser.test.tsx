import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { openForm } from '../../testing/open-form.ts'

const item = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'As on the label.' },
    price: { type: ['number', 'null'], minimum: 0 },
    level: { enum: ['low', 'high'] },
    inStock: { type: 'boolean' },
  },
  required: ['name'],
  additionalProperties: false,
}

/** Opens the form of a tool that takes a list of `items`. Returns the inputs of its calls, as they come. */
const openList = (items: JsonSchema = item) =>
  openForm({ type: 'object', properties: { items: { type: 'array', items } } })

const form = page.getByTestId('tool-form')
const button = (name: string) => form.getByRole('button', { name, exact: true })
const cell = (name: string) => form.getByRole('textbox', { name, exact: true })
const table = form.getByRole('table', { name: 'items' })

/** Calls the tool. Returns the items that it got. */
async function call(inputs: readonly unknown[]) {
  const before = inputs.length
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs.length).toBe(before + 1)
  return (inputs.at(-1) as { items: unknown }).items
}

/** Pastes into the control that has the focus. */
function paste(text: string) {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
  )
}

const hasFocusInList = () => document.activeElement?.closest('[data-path="/items"]') != null

/** Loads items through the panel for pasted rows, which takes JSON as it is. */
async function load(items: readonly unknown[]) {
  await button('Paste rows').click()
  await form.getByRole('textbox', { name: 'Items to add to items' }).fill(JSON.stringify(items))
  await button('Add items').click()
  await expect.element(button('Add items')).not.toBeInTheDocument()
  await expect.poll(hasFocusInList).toBe(true)
}

const names = () =>
  [...form.element().querySelectorAll<HTMLInputElement>('[data-path$="/name"] input')].map(
    input => input.value,
  )

test('list table: marks hidden columns until they are scrolled into sight, and cuts no name', async () => {
  const columns = Array.from({ length: 8 }, (_, index) => [
    `warehouse_location_code_${index}`,
    { type: 'string' },
  ])
  openList({ type: 'object', properties: Object.fromEntries(columns) })
  await load([{}])
  const scroller = table.element().parentElement
  await expect.poll(() => scroller?.hasAttribute('data-more')).toBe(true)
  const heads = [...table.element().querySelectorAll<HTMLElement>('thead th')]
  expect(heads.filter(head => head.scrollWidth > head.clientWidth)).toEqual([])
  scroller?.scrollTo({ left: 10_000 })
  await expect.poll(() => scroller?.hasAttribute('data-more')).toBe(false)
})

test('list table: has a column for each property with its type, and fills a new row cell by cell', async () => {
  const inputs = openList()
  await button('Add item').click()
  const heads = table.getByRole('columnheader')
  await expect.element(heads.nth(1)).toHaveTextContent(/^name \*string.*As on the label\.$/)
  await expect.element(heads.nth(2)).toHaveTextContent(/^pricenumber/)
  await cell('items 1 name').fill('Pen')
  await cell('items 1 price').fill('1.50')
  await form.getByRole('radiogroup', { name: 'items 1 level' }).getByRole('radio', { name: 'high' }).click()
  await form.getByRole('radiogroup', { name: 'items 1 inStock' }).getByRole('radio', { name: 'true' }).click()
  expect(await call(inputs)).toEqual([{ name: 'Pen', price: 1.5, level: 'high', inStock: true }])
})

test('list table: duplicates, moves and removes rows', async () => {
  const inputs = openList()
  await load([{ name: 'Pen', price: 1 }, { name: 'Ink' }])
  await table.getByRole('row').nth(1).getByRole('cell').last().getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.poll(names).toEqual(['Pen', 'Pen', 'Ink'])
  await button('Move items 3 up').click()
  await expect.poll(names).toEqual(['Pen', 'Ink', 'Pen'])
  await button('Remove items 1').click()
  await expect.poll(names).toEqual(['Ink', 'Pen'])
  expect(await call(inputs)).toEqual([{ name: 'Ink' }, { name: 'Pen', price: 1 }])
})

test('list table: leaves an untouched cell absent, and sets null and empty text by the menu of a cell', async () => {
  const inputs = openList()
  await load([{ name: 'Pen' }, { name: '', price: null }, {}])
  await expect.element(form.getByRole('group', { name: 'items 2 price' })).toHaveTextContent('null')
  await expect.element(cell('items 2 name')).toHaveAttribute('placeholder', 'empty text')
  await expect.element(cell('items 3 name')).not.toHaveAttribute('placeholder')
  await cell('items 1 price').click()
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await page.getByRole('menuitem', { name: 'Set null' }).click()
  await cell('items 3 name').click()
  await userEvent.keyboard('{Shift>}{F10}{/Shift}')
  await page.getByRole('menuitem', { name: 'Set to ""' }).click()
  await cell('items 1 name').fill('')
  await cell('items 1 name').fill('Pencil')
  const second = form.getByRole('group', { name: 'items 2 price' })
  await second.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Clear' }).click()
  expect(await call(inputs)).toEqual([{ name: 'Pencil', price: null }, { name: '' }, { name: '' }])
})

test('list table: fills absent cells with pasted spreadsheet cells, and adds rows for the rest', async () => {
  const inputs = openList()
  await button('Add item').click()
  await cell('items 1 name').click()
  paste('Pen\t1.50\tHIGH\tTRUE\nInk, red\t\tlow\n')
  await expect.poll(names).toEqual(['Pen', 'Ink, red'])
  await expect.element(cell('items 1 name')).toHaveFocus()
  await cell('items 2 price').click()
  paste('3\n4')
  await cell('items 3 name').fill('Cup')
  expect(await call(inputs)).toEqual([
    { name: 'Pen', price: 1.5, level: 'high', inStock: true },
    { name: 'Ink, red', level: 'low', price: 3 },
    { price: 4, name: 'Cup' },
  ])
})

test('list table: adds pasted rows instead of overwriting a value', async () => {
  const inputs = openList()
  await load([{ name: 'Pen' }, { price: 2 }])
  await cell('items 2 name').click()
  await userEvent.keyboard('Dear Kim, ')
  await cell('items 1 price').click()
  paste('5\thigh\n6\tlow')
  await cell('items 2 name').fill('A')
  await cell('items 3 name').fill('B')
  expect(await call(inputs)).toEqual([
    { name: 'Pen' },
    { price: 5, level: 'high', name: 'A' },
    { price: 6, level: 'low', name: 'B' },
    { name: 'Dear Kim, ', price: 2 },
  ])
})

test('list table: reads pasted CSV with or without a header, and refuses a row with too many cells', async () => {
  const inputs = openList()
  await button('Paste rows').click()
  const area = form.getByRole('textbox', { name: 'Items to add to items' })
  await area.fill('Level,NAME\nlow,"Pen, ""blue"""\nhigh,Ink')
  await expect.element(form.getByText('2 rows: level, name')).toBeVisible()
  await button('Add items').click()
  await button('Paste rows').click()
  await area.fill('a,1,low,true,x')
  await expect.element(form.getByText(/A row has 5 cells; there are 4 columns/)).toBeVisible()
  await expect.element(button('Add items')).toBeDisabled()
  await area.fill('Cup;2;;false')
  await button('Add items').click()
  expect(await call(inputs)).toEqual([
    { level: 'low', name: 'Pen, "blue"' },
    { level: 'high', name: 'Ink' },
    { name: 'Cup', price: 2, inStock: false },
  ])
})

test('list table: shows an error at its cell, and an error of a whole row below the row', async () => {
  openList({ ...item, minProperties: 2 })
  await load([{ name: 'Pen', price: -1 }, {}])
  await page.getByTestId('call-button').click()
  await expect.element(cell('items 1 price')).toHaveAccessibleDescription(/0/)
  await expect.element(cell('items 1 price')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(cell('items 2 name')).toHaveAccessibleDescription(/As on the label\. Required/)
  await expect.element(table.getByRole('row').nth(3)).toHaveTextContent(/^items 2 must have at least 2 keys/)
})

test('list table: shows unknown keys as columns, and removes the keys with their column', async () => {
  const inputs = openList()
  await load([{ name: 'Pen', note: 'x' }, { name: 'Ink' }])
  await expect
    .element(table.getByRole('columnheader', { name: /^note/ }))
    .toHaveTextContent('not in the schema')
  await cell('items 1 note').fill('y')
  await page.getByTestId('call-button').click()
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => inputs).toEqual([{ items: [{ name: 'Pen', note: 'y' }, { name: 'Ink' }] }])
  await button('Remove column note').click()
  await expect.poll(hasFocusInList).toBe(true)
  expect(await call(inputs)).toEqual([{ name: 'Pen' }, { name: 'Ink' }])
})

test('list table: switches to cards and back, and keeps the choice while the form is open', async () => {
  openList()
  await load([{ name: 'Pen' }])
  await expect.element(table).toBeVisible()
  await button('Show as cards').click()
  await expect.element(table).not.toBeInTheDocument()
  await expect.element(form.getByRole('textbox', { name: 'name', exact: true })).toHaveValue('Pen')
  await page.getByTestId('json-tab').click()
  await page.getByTestId('form-tab').click()
  await button('Show as table').click()
  await expect.element(cell('items 1 name')).toHaveValue('Pen')
})

test('list table: becomes cards without a switch when a value in it is deep', async () => {
  const inputs = openList()
  await load([{ name: 'Pen', level: ['low'] }])
  await expect.element(button('Remove items 1')).toBeVisible()
  await expect.element(table).not.toBeInTheDocument()
  await expect.element(button('Show as table')).not.toBeInTheDocument()
  await page.getByTestId('call-button').click()
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => inputs).toEqual([{ items: [{ name: 'Pen', level: ['low'] }] }])
})

test('list table: goes from cell to cell by Tab, and adds no row by Enter in the last row', async () => {
  openList({
    type: 'object',
    properties: { name: { type: 'string' }, price: { type: 'number' } },
    required: ['name'],
  })
  await load([{ name: 'Pen' }, { name: 'Ink' }])
  await cell('items 1 name').click()
  await userEvent.keyboard('{Tab}')
  await expect.element(cell('items 1 price')).toHaveFocus()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(cell('items 1 name')).toHaveFocus()
  await cell('items 2 price').click()
  await userEvent.keyboard('7{Enter}')
  await expect.element(cell('items 2 price')).toHaveValue('7')
  expect(names()).toEqual(['Pen', 'Ink'])
})

test('list table: redraws only the cell that a key changes', async () => {
  openList()
  await load(Array.from({ length: 60 }, (_, index) => ({ name: `row ${index}` })))
  await expect.element(button('Show 10 more of 60 items')).toBeVisible()
  const touched = new Set<string | undefined>()
  const observer = new MutationObserver(records => {
    for (const { target } of records)
      touched.add(target.parentElement?.closest<HTMLElement>('[data-path]')?.dataset.path)
  })
  const watched = { subtree: true, childList: true, attributes: true, characterData: true }
  observer.observe(form.element(), watched)
  await cell('items 3 name').fill('x')
  await expect.poll(() => touched.size).toBeGreaterThan(0)
  observer.disconnect()
  expect([...touched]).toEqual(['/items/2/name'])
})

test('list table: changes to JSON of the whole list by a button, and back', async () => {
  const inputs = openList()
  await load([{ name: 'Pen' }])
  await button('Edit as JSON').click()
  const area = form.getByRole('textbox', { name: 'items as JSON' })
  await expect.element(area).toHaveFocus()
  await area.fill('[{"name": "Ink"}, {"name": "Cup"}]')
  await button('Edit with the field').click()
  await expect.poll(() => document.activeElement).not.toBe(document.body)
  await expect.poll(names).toEqual(['Ink', 'Cup'])
  expect(await call(inputs)).toEqual([{ name: 'Ink' }, { name: 'Cup' }])
})
