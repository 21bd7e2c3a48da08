import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'
import { replaceDraft } from './use-draft.ts'

const properties = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`field_${index}`, { type: 'string', default: 'x' }]),
)
const inputSchema = { type: 'object', properties, required: ['missing'] }

const bar = page.getByRole('toolbar', { name: 'Call' })
/** The buttons in sight, with where they begin. */
const places = () =>
  bar
    .getByRole('button')
    .elements()
    .map(button => [button.textContent, Math.round(button.getBoundingClientRect().left)] as const)

test.each([320, 390, 720, 1024, 1440, 1920])(
  'action bar: stays one row in the window at %i px, and a problem moves none of its buttons',
  async width => {
    await page.viewport(width, 800)
    openPage(memoryBackend({ tools: [{ name: 'long', inputSchema }] }), '/?tool=desk/long')
    await expect.element(page.getByTestId('tool-form')).toBeVisible()
    const before = places()
    expect(before.length).toBeGreaterThan(1)
    await page.getByTestId('call-button').click()
    await expect.element(bar.getByRole('button', { name: 'Send anyway' })).toBeVisible()
    expect(places()).toEqual(expect.arrayContaining(before))
    const { top, bottom, left, right } = bar.element().getBoundingClientRect()
    expect([bottom - top < 60, bottom <= 800, left >= 0, right <= width]).toEqual([true, true, true, true])
    const ends = bar
      .getByRole('button')
      .elements()
      .map(button => button.getBoundingClientRect().right)
    expect(Math.max(...ends)).toBeLessThanOrEqual(right)
    await page.viewport(1440, 900)
  },
)

test('action bar: puts what has no room into a menu, in words', async () => {
  openPage(memoryBackend({ tools: [{ name: 'folded', inputSchema }] }), '/?tool=desk/folded')
  await bar.getByRole('button', { name: 'More' }).click()
  await expect
    .poll(() =>
      page
        .getByRole('menuitem')
        .elements()
        .map(item => item.textContent),
    )
    .toEqual(['Reset', 'Apply defaults', 'Fill all'])
  await page.getByRole('menuitem', { name: 'Apply defaults' }).click()
  const brief = page.getByTestId('brief')
  await expect.element(brief).toHaveTextContent('Filled in the defaults.')
  const fields = page.getByTestId('tool-form').element().closest('[role=tabpanel]')?.getBoundingClientRect()
  expect(brief.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(fields?.bottom ?? Infinity)
})

test('action bar: fills the required fields, or all of them', async () => {
  const fields = {
    pods: { type: 'string', description: 'e.g. web-1' },
    limit: { type: 'integer', default: 7 },
  }
  const schema = { type: 'object', properties: fields, required: ['pods'] }
  const text = '{"name":"saved","input":{"pods":"from-example"}}'
  openPage(
    memoryBackend({
      tools: [
        { name: 'filled', inputSchema: schema },
        { name: 'saved', inputSchema: schema },
      ],
      handlers: {
        'GET /api/examples': async ({ query: { ref } }) => ({
          place: 'nowhere',
          examples: ref.endsWith('saved') ? [{ name: 'saved', text }] : [],
          problems: [],
        }),
      },
    }),
    '/?tool=desk/filled',
  )
  const form = page.getByTestId('tool-form')
  await bar.getByRole('button', { name: 'Fill example' }).click()
  await expect.element(form.getByLabelText('pods')).toHaveValue('web-1')
  await expect.element(form.getByLabelText('limit')).not.toHaveValue('7')
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Fill all' }).click()
  await expect.element(form.getByLabelText('limit')).toHaveValue('7')
  await page.getByRole('treeitem', { name: 'saved' }).click()
  await bar.getByRole('button', { name: 'Fill example' }).click()
  await expect.element(form.getByLabelText('pods')).toHaveValue('from-example')
})

test('action bar: says that an example without required fields is empty, and offers to fill all', async () => {
  const inputSchema = { type: 'object', properties: { optional: { type: 'string', examples: ['x'] } } }
  openPage(memoryBackend({ tools: [{ name: 'optional', inputSchema }] }), '/?tool=desk/optional')
  await bar.getByRole('button', { name: 'Fill example' }).click()
  await expect.element(page.getByTestId('brief')).toHaveTextContent('No field is required')
  await page.getByTestId('brief').getByRole('button', { name: 'Fill all' }).click()
  await expect.element(page.getByTestId('tool-form').getByLabelText('optional')).toHaveValue('x')
})

test.each([
  [720, 450],
  [1_000, 450],
])(
  'tool page: keeps “Show all” in sight in a window of %i by %i px, as at 200%% zoom',
  async (width, height) => {
    await page.viewport(width, height)
    const description =
      'It reads the rows, validates each of them and reports those that it refused. '.repeat(10)
    openPage(
      memoryBackend({ tools: [{ name: 'described', description, inputSchema }] }),
      '/?tool=desk/described',
    )
    const show = page.getByRole('button', { name: 'Show all' }).first()
    await expect.element(show).toBeVisible()
    await expect
      .poll(() => {
        const { bottom, left } = show.element().getBoundingClientRect()
        return document.elementFromPoint(left + 5, bottom - 5)?.textContent
      })
      .toBe('Show all')
    await page.viewport(1440, 900)
  },
)

test('tool page: has no result pane for a tool that cannot be called', async () => {
  openPage(
    memoryBackend({
      tools: [{ name: 'read', inputSchema }],
      handlers: {
        'GET /api/tools/{+ref}': async ({ params: { ref } }) => ({
          ref,
          name: 'read',
          source: 'desk',
          index: 0,
          callable: false,
          schemaHash: ref,
          inputSchema,
        }),
      },
    }),
    '/?tool=desk/read',
  )
  await expect.element(page.getByTestId('tool-form')).toBeVisible()
  await expect.element(page.getByText('View only: its source gives no way to call it.')).toBeVisible()
  expect(page.getByRole('region', { name: 'Result' }).elements()).toEqual([])
})

test.each([
  ['a double click', () => page.getByTestId('call-button').dblClick()],
  ['keys that are held', () => userEvent.keyboard('{Control>}{Enter>4}{/Control}')],
])('action bar: calls the tool once for %s', async (_what, press) => {
  const calls: unknown[] = []
  const answer = (input: unknown) => {
    calls.push(input)
    return { structuredContent: `call ${calls.length}` }
  }
  const inputSchema = { type: 'object', properties: { title: { type: 'string' } } }
  openPage(memoryBackend({ tools: [{ name: 'create', inputSchema }], answer }), '/?tool=desk/create')
  await page.getByTestId('tool-form').getByLabelText('title').fill('One')
  await press()
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('call 1')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('call 2')
  expect(calls).toHaveLength(2)
})

test('action bar: does not call again by the second click of a double click, after the first has its result', async () => {
  const answer = vi.fn(() => ({}))
  openPage(memoryBackend({ tools: ['ping'], answer }), '/?tool=desk/ping')
  const button = page.getByTestId('call-button')
  await button.click()
  await expect.element(page.getByTestId('result-status')).toHaveTextContent('done')
  button.element().dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 2 }))
  await button.click()
  await expect.poll(() => answer.mock.calls.length).toBe(2)
})

test('action bar: does not send an input that is not valid JSON, and does not offer “Send anyway”', async () => {
  openPage(memoryBackend({ tools: [{ name: 'broken', inputSchema }] }), '/?tool=desk/broken')
  await expect.element(page.getByTestId('tool-form')).toBeVisible()
  const ref = 'desk/broken'
  const tool = { ref, source: 'desk', index: 0, name: 'broken', callable: true, schemaHash: ref, inputSchema }
  replaceDraft(tool, { text: '{"a":', secretMarker: undefined })
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('brief')).toHaveTextContent('Not sent')
  await expect.element(bar.getByRole('button', { name: '1 problem' })).toBeVisible()
  await expect.element(bar.getByRole('button', { name: 'Send anyway' })).not.toBeInTheDocument()
})
