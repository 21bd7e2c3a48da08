import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { openForm } from '../../testing/open-form.ts'

const inputSchema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    environment: { enum: ['dev', 'staging', 'prod'] },
    replicas: { type: 'integer', minimum: 1, maximum: 50 },
    share: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.25 },
    regions: { type: 'array', items: { enum: ['eu', 'us', 'asia'] }, uniqueItems: true },
    owner: {
      type: 'object',
      properties: { name: { type: 'string' }, team: { type: 'string' } },
      required: ['name'],
    },
    hosts: { type: 'array', items: { type: 'string' } },
  },
  required: ['owner'],
}

const form = page.getByTestId('tool-form')

/** The pointers of the fields, from top to bottom. */
const places = () =>
  [...form.element().querySelectorAll<HTMLElement>('[data-path]')].flatMap(
    ({ dataset }) => dataset.path || [],
  )

test("uiSchema: draws fields with RJSF's own widgets, and keeps the values of the field's type", async () => {
  const inputs = openForm(inputSchema, {
    title: { 'ui:widget': 'textarea', 'ui:options': { rows: 7 } },
    environment: { 'ui:widget': 'radio' },
    replicas: { 'ui:widget': 'updown' },
    share: { 'ui:widget': 'range' },
    regions: { 'ui:widget': 'checkboxes' },
  })
  const title = form.getByRole('textbox', { name: 'title' })
  await expect.element(title).toHaveAttribute('rows', '7')
  await title.fill('two\nlines')
  await form.getByRole('radiogroup').getByRole('radio', { name: 'staging' }).click()
  await form.getByRole('spinbutton', { name: 'replicas' }).fill('12')
  await form.getByRole('slider', { name: 'share' }).fill('0.75')
  await form.getByRole('checkbox', { name: 'eu' }).click()
  await form.getByRole('checkbox', { name: 'asia' }).click()
  await form.getByRole('textbox', { name: 'name' }).fill('Kim')
  await page.getByTestId('call-button').click()
  await expect
    .poll(() => inputs)
    .toEqual([
      {
        title: 'two\nlines',
        environment: 'staging',
        replicas: 12,
        share: 0.75,
        regions: ['eu', 'asia'],
        owner: { name: 'Kim' },
      },
    ])
})

test('uiSchema: sets titles, descriptions, placeholders, help and order, also inside objects and lists', async () => {
  openForm(inputSchema, {
    'ui:order': ['replicas', 'title', '*'],
    title: { 'ui:title': 'Headline', 'ui:description': 'Shown on top', 'ui:help': 'Keep it short' },
    replicas: { 'ui:placeholder': 'how many' },
    owner: { 'ui:order': ['team', 'name'], team: { 'ui:placeholder': 'e.g. core' } },
    hosts: { items: { 'ui:placeholder': 'host:port' } },
  })
  const headline = form.getByRole('textbox', { name: 'Headline' })
  await expect.element(headline).toHaveAccessibleDescription('Shown on top Keep it short')
  await expect
    .element(form.getByRole('textbox', { name: 'replicas' }))
    .toHaveAttribute('placeholder', 'how many')
  await expect
    .element(form.getByRole('textbox', { name: 'team' }))
    .toHaveAttribute('placeholder', 'e.g. core')
  await form.getByRole('button', { name: 'Add item' }).click()
  await expect
    .element(form.getByRole('textbox', { name: 'hosts 1' }))
    .toHaveAttribute('placeholder', 'host:port')
  expect(places()).toEqual([
    '/replicas',
    '/title',
    '/environment',
    '/share',
    '/regions',
    '/owner',
    '/owner/team',
    '/owner/name',
    '/hosts',
    '/hosts/0',
  ])
})

test('uiSchema: applies to each position of a tuple and to each value of a map', async () => {
  const text = { type: 'string' }
  const schema = {
    type: 'object',
    properties: {
      pair: { type: 'array', prefixItems: [text, text] },
      olderPair: { type: 'array', items: [text, text] },
      labels: { type: 'object', additionalProperties: text },
    },
    required: ['pair', 'olderPair', 'labels'],
  }
  const positions = [{ 'ui:title': 'Host' }, { 'ui:placeholder': 'a port' }]
  openForm(schema, {
    pair: { items: positions },
    olderPair: { items: positions },
    labels: { additionalProperties: { 'ui:placeholder': 'a label' } },
  })
  for (const name of ['pair', 'olderPair']) {
    const pair = form.getByRole('group', { name, exact: true })
    const add = pair.getByRole('button', { name: 'Add item' })
    await add.click()
    // The first item moves the button.
    await expect.element(pair.getByRole('textbox', { name: 'Host' })).toBeVisible()
    await add.click()
    await expect
      .element(pair.getByRole('textbox', { name: 'Host' }))
      .not.toHaveAttribute('placeholder', 'a port')
    await expect
      .element(pair.getByRole('textbox', { name: `${name} 2` }))
      .toHaveAttribute('placeholder', 'a port')
  }
  await form.getByRole('button', { name: 'Add property' }).first().click()
  await userEvent.keyboard('team{Tab}')
  await expect.element(form.getByPlaceholder('a label', { exact: true })).toHaveFocus()
})

test('uiSchema: masks text with the widget "password" until it is shown', async () => {
  const inputs = openForm(inputSchema, { title: { 'ui:widget': 'password' } })
  const title = form.getByRole('textbox', { name: 'title' })
  await title.fill('s3cret')
  await expect.element(title).toHaveAttribute('type', 'password')
  await form.getByRole('button', { name: 'Show title' }).click()
  await expect.element(title).toHaveAttribute('type', 'text')
  await form.getByRole('textbox', { name: 'name' }).fill('Kim')
  await page.getByTestId('call-button').click()
  await expect.poll(() => inputs).toEqual([{ title: 's3cret', owner: { name: 'Kim' } }])
})

test('uiSchema: keeps each property once in an order, whatever its name and how often it is named', async () => {
  const names = ['toString', '*', 'constructor', 'a', 'b']
  const properties = Object.fromEntries(names.map(name => [name, { type: 'string' }]))
  openForm({ type: 'object', properties }, { 'ui:order': ['b', 'valueOf', '*', 'a', '*', 'b'] })
  await expect.element(form).toBeVisible()
  expect(places()).toEqual(['/b', '/toString', '/*', '/constructor', '/a'])
})

test('uiSchema: makes a field and all that it contains read-only', async () => {
  openForm(inputSchema, {
    title: { 'ui:readonly': true },
    environment: { 'ui:readonly': true },
    owner: { 'ui:readonly': true },
  })
  await expect.element(form.getByRole('textbox', { name: 'title' })).toHaveAttribute('readonly')
  await expect.element(form.getByRole('textbox', { name: 'name' })).toHaveAttribute('readonly')
  await expect.element(form.getByRole('radio', { name: 'prod' })).toBeDisabled()
  expect(form.element().querySelectorAll('[data-path="/title"] button')).toHaveLength(0)
  expect(form.element().querySelectorAll('[data-path="/environment"] button')).toHaveLength(0)
})

test('uiSchema: names a widget that does not exist or does not fit, and draws the usual one', async () => {
  openForm(inputSchema, { title: { 'ui:widget': 'toString' }, replicas: { 'ui:widget': 'radios' } })
  await expect.element(form).toHaveTextContent('“toString” is not a widget for this field.')
  await expect.element(form).toHaveTextContent('“radios” is not a widget for this field.')
  await form.getByRole('textbox', { name: 'title' }).fill('still works')
})
