import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const change = (value: unknown) => ({
  type: 'object',
  properties: { op: { type: 'string' }, path: { type: 'string' }, ...(value !== undefined && { value }) },
  required: value === undefined ? ['op', 'path'] : ['op', 'path', 'value'],
  additionalProperties: false,
})
const list = (items: unknown) => ({ type: 'array', items })

const openChanges = (changes: object) =>
  openForm({ type: 'object', properties: { changes }, required: ['changes'] })

const form = page.getByTestId('tool-form')
async function addChange(path: string) {
  await form.getByRole('button', { name: 'Add item', exact: true }).last().click()
  await form.getByRole('textbox', { name: /\bop$/ }).fill('add')
  await form.getByRole('textbox', { name: /\bpath$/ }).fill(path)
}

test('union field: puts a new item into the branch that is shown', async () => {
  const inputs = openChanges({
    anyOf: [list(change({ type: 'string', description: 'The new value.' })), list(change(undefined))],
  })
  const shape = form.getByRole('combobox', { name: 'Shape of changes' })
  await expect.element(shape).toHaveDisplayValue('list with op, path, value')
  await addChange('/a')
  await expect.element(shape).toHaveDisplayValue('list with op, path, value')
  await form.getByRole('textbox', { name: 'changes 1 value' }).fill('1')
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ changes: [{ op: 'add', path: '/a', value: '1' }] }])
})

test('union field: chooses no branch for a value that fits none', async () => {
  const union = { oneOf: [{ type: 'string' }, { type: 'object', properties: { id: { type: 'string' } } }] }
  openForm({ type: 'object', properties: { parent: { ...union, default: 5 } } })
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Apply defaults' }).click()
  await expect.element(form.getByRole('textbox', { name: 'parent', exact: true })).toHaveValue('5')
  const text = form.getByRole('radio', { name: 'text' })
  await expect.element(text).not.toBeChecked()
  await text.click()
  await expect.element(text).toBeChecked()
})

test('any-value field: takes a nested value by controls at any depth', async () => {
  const inputs = openChanges(list(change({})))
  await addChange('/a')
  const kind = form.getByRole('combobox', { name: 'Type of value', exact: true })
  await kind.last().selectOptions('object')
  await form
    .getByRole('button', { name: /Add (entry|property)/ })
    .first()
    .click()
  await form.getByRole('textbox', { name: /^Key of the new/ }).fill('deep')
  await userEvent.keyboard('{Enter}')
  await form.getByRole('combobox', { name: 'Type of deep', exact: true }).selectOptions('list')
  await form.getByRole('button', { name: 'Add item' }).first().click()
  await form.getByRole('combobox', { name: 'Type of deep 1', exact: true }).selectOptions('number')
  await form.getByRole('textbox', { name: 'deep 1' }).fill('42')
  await page.getByTestId('call-button').click()
  const value = { deep: [42] }
  await expect.poll(() => inputs).toEqual([{ changes: [{ op: 'add', path: '/a', value }] }])
})

test('any-value field: takes empty text and text of several lines without JSON', async () => {
  const inputs = openChanges(list(change({})))
  await addChange('/a')
  await form.getByRole('textbox', { name: 'value', exact: true }).fill('first')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}second')
  await form.getByRole('textbox', { name: 'path', exact: true }).click()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ changes: [{ op: 'add', path: '/a', value: 'first\nsecond' }] }])
  const more = form.getByRole('button', { name: 'More' })
  await form.getByRole('textbox', { name: 'value', exact: true }).fill('')
  await more.last().click()
  await page.getByRole('menuitem', { name: 'Set to ""' }).click()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs.at(-1)).toEqual({ changes: [{ op: 'add', path: '/a', value: '' }] })
})
