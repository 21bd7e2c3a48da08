import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const form = page.getByTestId('tool-form')
const addProperty = form.getByRole('button', { name: 'Add property' })

test.each<[string, boolean | Record<string, unknown>, boolean]>([
  ['nothing said', {}, true],
  ['true', true, true],
  ['an open object', { type: 'object' }, true],
  ['an open object with an empty list of properties', { type: 'object', properties: {} }, true],
  ['a closed object', { type: 'object', properties: {}, additionalProperties: false }, false],
])('form: says “No parameters” and sends {} for a schema of this kind: %s', async (_what, schema, isOpen) => {
  const inputs = openForm(schema)
  await expect.element(form).toHaveTextContent(/^No parameters/)
  expect(addProperty.elements()).toHaveLength(isOpen ? 1 : 0)
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{}])
})

test('form: shows a schema of further properties as a map, not as a tool without parameters', async () => {
  openForm({ type: 'object', additionalProperties: { type: 'string' } })
  await expect.element(addProperty).toBeVisible()
  await expect.element(form).not.toHaveTextContent('No parameters')
})

test('form: fills a property with an empty name like any other', async () => {
  const inputs = openForm({ type: 'object', properties: { '': { type: 'string' } }, required: [''] })
  await form.getByRole('textbox').fill('here')
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ '': 'here' }])
})

test('map entry: takes its key first, then its value, by keyboard, for texts and numbers', async () => {
  const inputs = openForm({
    type: 'object',
    properties: {
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      limits: { type: 'object', additionalProperties: { type: 'number' } },
    },
    required: ['labels', 'limits'],
  })
  await addProperty.first().click()
  await userEvent.keyboard('team{Tab}payments')
  await addProperty.nth(1).click()
  await userEvent.keyboard('cpu{Tab}2')
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ labels: { team: 'payments' }, limits: { cpu: 2 } }])
})

test('map entry: keeps a value that is entered before its key', async () => {
  const inputs = openForm({ type: 'object', additionalProperties: { type: 'string' } })
  await addProperty.click()
  await userEvent.keyboard('{Tab}eu{Shift>}{Tab}{/Shift}region{Enter}')
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ region: 'eu' }])
})

test('map entry: refuses a key that exists, and disappears on Escape', async () => {
  openForm({ type: 'object', additionalProperties: { type: 'string' } })
  await addProperty.click()
  await userEvent.keyboard('a{Tab}1')
  await addProperty.click()
  await userEvent.keyboard('a{Enter}')
  await expect.element(form).toHaveTextContent('“a” already exists')
  await userEvent.keyboard('{Escape}')
  await expect.element(form).not.toHaveTextContent('already exists')
  expect(form.getByRole('textbox', { name: 'Key of the new property in the input' }).elements()).toEqual([])
})

test('map entry: moves a button down on the click that leaves its key, and the click still presses it', async () => {
  const inputs = openForm({
    type: 'object',
    properties: {
      labels: { type: 'object', additionalProperties: { type: 'string' } },
      page: { type: 'object', additionalProperties: {}, properties: {} },
    },
    required: ['labels', 'page'],
  })
  const setToEmpty = form.getByRole('button', { name: 'Set to {}' })
  await setToEmpty.first().click()
  await addProperty.first().click()
  await userEvent.keyboard('team')
  await setToEmpty.click()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ labels: { team: '' }, page: {} }])
})

test('map entry: shows an empty value in its box, not in a badge', async () => {
  openForm({ type: 'object', additionalProperties: {} })
  await addProperty.click()
  await userEvent.keyboard('team{Enter}')
  const box = form.getByRole('textbox', { name: 'team', exact: true })
  await expect.element(box).toHaveAttribute('placeholder', 'empty text')
  await expect.element(form).not.toHaveTextContent('empty text')
})
