import { beforeAll, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'
import { findDraftIssues } from './draft.ts'

const inputSchema = {
  type: 'object',
  properties: {
    build: { type: 'string', pattern: '^b-[0-9]+$', minLength: 3, examples: ['b-123'] },
    title: { type: 'string' },
    reason: { type: 'string' },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        // The object keeps the list from being a table.
        properties: {
          port: { type: 'integer' },
          name: { type: 'string' },
          more: { type: 'object', properties: { a: {} } },
        },
        required: ['port', 'name'],
      },
    },
  },
  required: ['build', 'title'],
  // Once the reason was left, its message shows that the verdict on a later input is there.
  dependentRequired: { build: ['reason'] },
  if: { properties: { rules: { maxItems: 0 } } },
  else: { required: ['reason'] },
}

/** The worker that validates has 2 s for an answer. The first time it may need longer to load. */
beforeAll(async () => {
  const about = { ref: 'desk/warm', source: 'desk', index: 0, name: 'warm', callable: true, schemaHash: '' }
  const tool = { ...about, inputSchema }
  await vi.waitFor(async () => expect(await findDraftIssues(tool, '{}')).toHaveLength(2), 60_000)
}, 60_000)

const form = page.getByTestId('tool-form')
const field = (name: string) => form.getByRole('textbox', { name, exact: true })
const call = page.getByTestId('call-button')
const problems = page.getByRole('button', { name: /^\d+ problem/ })

/** The shown messages, each with its place: `/title Required`. */
function messages(): string[] {
  return [...form.element().querySelectorAll<HTMLElement>('[data-path]')].flatMap(element => {
    const id = element.querySelector('[aria-invalid=true]')?.getAttribute('aria-describedby') ?? ''
    const own = id.split(' ').flatMap(each => document.getElementById(each) ?? [])
    const message = own.find(each => each.id.endsWith('__error'))?.textContent
    return element.dataset.path !== '' && message && element.querySelectorAll('[data-path]').length === 0
      ? [`${element.dataset.path} ${message}`]
      : []
  })
}

test('form errors: appear when a field is left, and disappear as soon as it is right', async () => {
  openForm(inputSchema)
  await field('reason').click()
  await field('build').click()
  await userEvent.keyboard('x')
  await expect.poll(messages).toEqual(['/reason Required because build is set'])
  await field('title').click()
  await expect
    .poll(messages)
    .toEqual(['/build Must look like b-123', '/reason Required because build is set'])
  await expect.element(field('build')).toHaveAttribute('aria-invalid', 'true')
  await field('build').click()
  const others = ['/title Required', '/reason Required because build is set']
  await expect.poll(messages).toEqual(['/build Must look like b-123', ...others])
  await userEvent.keyboard('{Backspace}b-1')
  await expect.poll(messages).toEqual(others)
  await expect.element(problems).not.toBeInTheDocument()
})

test('form errors: stay hidden in a new row until its fields are left, and all appear on a call', async () => {
  const inputs = openForm(inputSchema)
  await field('reason').click()
  await form.getByRole('button', { name: 'Add item' }).click()
  await expect.poll(messages).toEqual(['/reason Required'])
  await field('name').click()
  await expect.poll(messages).toEqual(['/reason Required', '/rules/0/port Required'])
  await call.click()
  await expect
    .poll(messages)
    .toEqual([
      '/build Required',
      '/title Required',
      '/reason Required',
      '/rules/0/port Required',
      '/rules/0/name Required',
    ])
  await expect.element(problems).toHaveTextContent('5 problems')
  await expect.poll(() => document.activeElement).toBe(field('build').element())
  await form.getByRole('button', { name: 'Add item' }).click()
  await expect.element(problems).toHaveTextContent('7 problems')
  expect(messages()).toHaveLength(5)
  await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect.poll(() => inputs).toEqual([{ rules: [{}, {}] }])
})

test('form errors: move with the items of a list', async () => {
  openForm(inputSchema)
  const add = form.getByRole('button', { name: 'Add item' })
  await add.click()
  await add.click()
  await field('port').nth(1).click()
  await userEvent.keyboard('{Tab}')
  await expect.poll(messages).toEqual(['/rules/0/port Required', '/rules/1/port Required'])
  await form.getByRole('button', { name: 'Move rules 2 up' }).click()
  await form.getByRole('button', { name: 'Remove rules 2' }).click()
  await expect.poll(messages).toEqual(['/rules/0/port Required', '/rules/0/name Required'])
  await form.getByRole('button', { name: 'Remove rules 1' }).click()
  await field('reason').click()
  await add.click()
  await expect.poll(messages).toEqual(['/reason Required'])
})

test('form errors: disappear on a reset, and return on Undo', async () => {
  openForm(inputSchema)
  await field('title').fill('t')
  await field('build').click()
  await field('title').click()
  await expect.poll(messages).toEqual(['/build Required'])
  await call.click()
  await expect.element(problems).toHaveTextContent('1 problem')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await expect.element(field('title')).toHaveValue('')
  await expect.poll(messages).toEqual([])
  await expect.element(problems).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(messages).toEqual(['/build Required'])
  await expect.element(problems).toHaveTextContent('1 problem')
})

test('form errors: disappear on a reset without any input', async () => {
  openForm(inputSchema)
  await call.click()
  await expect.poll(messages).toEqual(['/build Required', '/title Required'])
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await expect.poll(messages).toEqual([])
  await field('reason').click()
  await field('build').click()
  await userEvent.keyboard('x')
  await expect.poll(messages).toEqual(['/reason Required because build is set'])
})

test('form errors: show one message for a field, with the pattern and the second message as details', async () => {
  openForm(inputSchema)
  await field('build').fill('x')
  await field('title').click()
  await expect.poll(messages).toEqual(['/build Must look like b-123'])
  const pattern = form.getByText('pattern ^b-[0-9]+$', { exact: true })
  await expect.element(pattern).not.toBeVisible()
  await form.getByText('Details').click()
  await expect.element(pattern).toBeVisible()
  await expect.element(form.getByText(/at least 3 characters/)).toBeVisible()
})
