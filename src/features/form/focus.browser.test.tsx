import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { focused, form, openFilledForm } from './focus.testkit.ts'

const button = (name: string | RegExp) => form.getByRole('button', { name, exact: true })

/** Presses the button by the keyboard. */
async function press(name: string | RegExp, index = 0): Promise<void> {
  const element = button(name).nth(index).element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
}

/** Takes an entry of a field's menu by the keyboard. */
async function take(path: string, entry: string): Promise<void> {
  const more = form.element().querySelector<HTMLElement>(`[data-path="${path}"] > div [aria-haspopup=menu]`)
  more?.focus()
  await userEvent.keyboard('{Enter}')
  const item = page.getByRole('menuitem', { name: entry })
  await expect.element(item).toBeVisible()
  const element = item.element()
  if (element instanceof HTMLElement) element.focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
}

const hosts = {
  properties: {
    hosts: { type: 'array', items: { type: 'string' } },
    rules: {
      type: 'array',
      // The object keeps the list from being a table.
      items: {
        type: 'object',
        properties: { port: { type: 'integer' }, more: { type: 'object', properties: { a: {} } } },
        required: ['port'],
      },
    },
  },
}
const hostsInput = { hosts: ['a', 'b', 'c'], rules: [{ port: 1 }] }

test('form focus: moves to a new item, and from a removed one to the next, the previous, then “Add item”', async () => {
  await openFilledForm(hosts, hostsInput)
  await press('Add item')
  await expect.poll(focused).toBe('/hosts/3 hosts 4')
  await press('Remove hosts 2')
  await expect.poll(focused).toBe('/hosts/1 hosts 2')
  await press('Remove hosts 3')
  await expect.poll(focused).toBe('/hosts/1 hosts 2')
  await press('Remove hosts 2')
  await expect.poll(focused).toBe('/hosts/0 hosts 1')
  await press('Remove hosts 1')
  await expect.poll(focused).toBe('/hosts Add item')
  await press('Add item', 1)
  await expect.poll(focused).toBe('/rules/1/port port')
})

test('form focus: stays on a moved item, and moves to the copy of a copied one', async () => {
  await openFilledForm(hosts, hostsInput)
  await press('Move hosts 1 down')
  await expect.poll(focused).toBe('/hosts/1 Move hosts 2 down')
  await userEvent.keyboard('{Enter}')
  await expect.poll(focused).toBe('/hosts/2 Move hosts 3 up')
  await take('/rules/0', 'Duplicate')
  await expect.poll(focused).toBe('/rules/1/port port')
})

test('form focus: moves to the text for pasted items, to the added items, or back', async () => {
  await openFilledForm(hosts, hostsInput)
  await press('Paste items')
  await expect.poll(focused).toBe('/hosts Items to add to hosts')
  await press('Cancel')
  await expect.poll(focused).toMatch(/^\/hosts/)
  await press('Paste items')
  await userEvent.keyboard('x{Enter}y')
  await press('Add items')
  await expect.poll(focused).toBe('/hosts/3 hosts 4')
})

test('form focus: moves to the first field that “Show more” shows', async () => {
  const names = Array.from({ length: 120 }, (_, index) => `n${index}`)
  await openFilledForm({
    properties: Object.fromEntries(names.map(name => [name, { type: 'string' }])),
    required: names,
  })
  await press(/^Show 20 more/)
  await expect.poll(focused).toBe('/n100 n100')
})

test('form focus: moves to an added field, and from a cleared one to the control in its place', async () => {
  const owner = { type: 'object', properties: { name: { type: 'string' } } }
  await openFilledForm({
    properties: { title: { type: 'string' }, owner, places: { type: 'object', properties: { one: owner } } },
    required: ['places'],
  })
  await press(/^1 more optional field owner/)
  await expect.poll(focused).toBe(' Filter the optional fields of the input')
  await userEvent.keyboard('{Enter}')
  await expect.poll(focused).toBe('/owner/name name')
  await take('/owner', 'Clear')
  await expect.poll(focused).toBe('/owner Add owner')
  await press('Add owner')
  await expect.poll(focused).toBe('/owner/name name')
  await press('Clear')
  await expect.poll(focused).toBe('/owner Add owner')
  await press(/^1 more optional field one/)
  await userEvent.keyboard('{Enter}')
  await expect.poll(focused).toBe('/places/one/name name')
})

test('form focus: moves to the key of a new map entry, and to the neighbour of a removed one', async () => {
  const labels = { type: 'object', additionalProperties: { type: 'string' } }
  await openFilledForm({ properties: { labels } }, { labels: { a: '1' } })
  await press('Add property')
  await expect.poll(focused).toBe('/labels Key of the new property in labels')
  await userEvent.keyboard('b{Enter}')
  await expect.poll(focused).toBe('/labels Key b in labels')
  await form.getByRole('textbox', { name: 'b', exact: true }).click()
  await userEvent.keyboard('2')
  form.element().querySelector<HTMLElement>('[data-path="/labels/a"] [aria-label="Clear"]')?.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(focused).toBe('/labels/b b')
  await take('/labels', 'Add another key')
  await expect.poll(focused).toBe('/labels Key key1 in labels')
})

const shapes = {
  properties: {
    target: {
      oneOf: [
        { title: 'host', type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
        { title: 'port', type: 'integer' },
        { title: 'many', type: 'array', items: { type: 'string' } },
      ],
    },
    anything: {},
    note: { type: ['string', 'null'] },
    text: { type: 'string' },
  },
  required: ['target', 'anything', 'note'],
}

test('form focus: moves to a chosen shape, and stays on the choice for the arrow keys', async () => {
  await openFilledForm(shapes)
  await form.getByRole('radio', { name: 'port' }).click()
  await expect.poll(focused).toBe('/target target')
  expect(document.activeElement).toHaveProperty('inputMode', 'numeric')
  const many = form.getByRole('radio', { name: 'many' })
  const port = form.getByRole('radio', { name: 'port' }).element()
  if (port instanceof HTMLElement) port.focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(many).toBeChecked()
  await expect.element(form.getByRole('button', { name: 'Add item' })).toBeVisible()
  expect(document.activeElement).toBe(many.element())
  const kind = form.getByRole('combobox', { name: 'Type of anything' })
  await kind.click()
  await kind.selectOptions('list')
  await expect.poll(focused).toBe('/anything Add item')
  await kind.click()
  await kind.selectOptions('number')
  await expect.poll(focused).toBe('/anything anything')
})

test('form focus: moves to the control that replaces a field for null and JSON', async () => {
  await openFilledForm(shapes)
  await press('null')
  await expect.poll(focused).toBe('/note null')
  await press('null')
  await expect.poll(focused).toBe('/note note')
  await take('/note', 'Edit as JSON')
  await expect.poll(focused).toBe('/note note as JSON')
  await take('/note', 'Edit with the field')
  await expect.poll(focused).toBe('/note note')
  await take('/text', 'Set null')
  await expect.poll(focused).toBe('/text Type of text')
})

test('form focus: stays on a choice of a value that adds a field', async () => {
  await openFilledForm({
    properties: { kind: { enum: ['plain', 'timed'] } },
    if: { properties: { kind: { const: 'timed' } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { seconds: { type: 'integer' } }, required: ['seconds'] },
  })
  await form.getByRole('radio', { name: 'timed' }).click()
  await expect.element(form.getByRole('textbox', { name: 'seconds' })).toBeVisible()
  expect(focused()).toBe('/kind timed')
})
