import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const form = page.getByTestId('tool-form')
const filter = form.getByRole('combobox', { name: 'Filter the optional fields of the input' })
const field = (name: string) => form.getByRole('textbox', { name, exact: true })

/** As many optional texts, `option_0` … */
function options(count: number) {
  const properties = Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `option_${index}`,
      { type: 'string', description: `Number ${index} of all.\nIts second line.` },
    ]),
  )
  return { type: 'object', properties }
}

test('optional fields list: counts, names, browses and adds 700 fields by keyboard alone', async () => {
  const inputs = openForm(options(700))
  const line = form.getByRole('button', { name: '692 more optional fields' })
  await expect.element(line).toHaveTextContent('option_8, option_9')
  line.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(filter).toHaveFocus()
  await expect.element(form.getByRole('option').first()).toHaveTextContent('option_8Number 8 of all.')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
  await expect.element(form.getByRole('option', { selected: true })).toHaveTextContent('option_9')
  await userEvent.keyboard('699 of{Enter}')
  await expect.element(field('option_699')).toHaveFocus()
  await userEvent.keyboard('found')
  await expect.element(form.getByRole('button', { name: '691 more optional fields' })).toBeVisible()
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ option_699: 'found' }])
})

test('optional fields list: adds several fields in turn, and closes on Escape', async () => {
  openForm(options(12))
  const line = form.getByRole('button', { name: 'more optional fields' })
  await line.click()
  await userEvent.keyboard('{Shift>}{Enter}{Enter}{/Shift}')
  await expect.element(field('option_8')).toBeVisible()
  await expect.element(field('option_9')).toBeVisible()
  await expect.element(filter).toHaveFocus()
  await userEvent.keyboard('x{Escape}')
  await expect.element(filter).toHaveValue('')
  await userEvent.keyboard('{Escape}')
  await expect.element(line).toHaveFocus()
  await expect.element(line).toHaveAttribute('aria-expanded', 'false')
})

test('optional fields list: clears the filter when its last match was added', async () => {
  openForm(options(12))
  await form.getByRole('button', { name: 'more optional fields' }).click()
  await filter.fill('option_11')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.element(field('option_11')).toBeVisible()
  await expect.element(filter).toHaveValue('')
  expect(form.getByRole('option').elements()).toHaveLength(3)
})

test('optional fields list: adds a field by a click, the last one too', async () => {
  openForm(options(9))
  await form.getByRole('button', { name: '1 more optional field' }).click()
  await form.getByRole('option').click()
  await expect.element(field('option_8')).toHaveFocus()
  expect(form.getByRole('button', { name: 'more optional' }).elements()).toEqual([])
})
