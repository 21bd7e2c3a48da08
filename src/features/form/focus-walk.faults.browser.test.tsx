import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { focused, form, nameOf, openFilledForm } from './focus.testkit.ts'

const rich = {
  properties: {
    title: { type: 'string', description: 'A long text. '.repeat(30) },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
        required: ['port'],
      },
    },
    hosts: { type: 'array', items: { type: 'string' } },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    owner: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        team: { type: 'object', properties: { id: { type: 'string' } } },
      },
    },
    target: {
      oneOf: [
        { title: 'host', type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
        { title: 'port', type: 'integer' },
      ],
    },
    anything: {},
    note: { type: ['string', 'null'] },
    level: { enum: ['low', 'high'] },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
    token: { type: 'string', format: 'password' },
    id: { type: 'string', format: 'uuid' },
  },
  required: [
    'title',
    'rules',
    'hosts',
    'labels',
    'target',
    'anything',
    'note',
    'level',
    'pair',
    'token',
    'id',
  ],
}
const richInput = {
  title: 'x',
  rules: [{ port: 1, tags: ['a'] }, { port: 2 }],
  hosts: ['a', 'b'],
  labels: { a: '1', b: '2' },
  owner: { name: 'Kim', team: { id: '1' } },
  target: { host: 'h' },
  anything: [1, { a: 2 }],
  note: null,
  level: 'low',
  pair: ['a', 1],
  token: 't',
  id: '9b2f0c0e-6a30-4c5e-9a55-0d6d0d7f9d11',
}

/**
 * The buttons of the form by their place and name; those of all items of a list as one, and those of all fields of a kind
 * that open a menu. Deep down there is always one more.
 */
function buttons(): Map<string, HTMLElement> {
  const found = new Map<string, HTMLElement>()
  for (const element of form.element().querySelectorAll<HTMLElement>('button:not(:disabled)')) {
    const { path = '', node } = element.closest<HTMLElement>('[data-path]')?.dataset ?? {}
    const place = element.ariaHasPopup === 'menu' ? node : path
    const key = `${place} ${nameOf(element)}`.replace(/\d+/g, '#')
    if (path.split('/').length < 5 && !found.has(key) && element.checkVisibility()) found.set(key, element)
  }
  return found
}

test('form focus: stays in the form after each button of the form', { timeout: 180_000 }, async () => {
  await openFilledForm(rich, richInput)
  const pressed = new Set<string>()
  const next = () => [...buttons()].find(([key]) => !pressed.has(key))
  for (let found = next(); found !== undefined; found = next()) {
    const [key, element] = found
    pressed.add(key)
    element.focus()
    await userEvent.keyboard('{Enter}')
    if (element.ariaHasPopup !== 'menu') {
      await expect.poll(focused, { message: key }).toMatch(/^(\/| )/)
      continue
    }
    await expect.element(page.getByRole('menu')).toBeVisible()
    const entries = page.getByRole('menuitem').elements()
    const entry = entries.find(each => !pressed.has(`${key} ${each.textContent}`)) ?? entries[0]
    pressed.add(`${key} ${entry?.textContent}`)
    if (entries.some(each => !pressed.has(`${key} ${each.textContent}`))) pressed.delete(key)
    if (entry instanceof HTMLElement) entry.focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await expect.poll(focused, { message: `${key} ${entry?.textContent}` }).toMatch(/^(\/| )/)
  }
  expect(pressed.size).toBeGreaterThan(60)
})
