import { expect, onTestFinished, test, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import type { Backend } from '../../api/backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const inputSchema = { type: 'object', properties: { name: { type: 'string' }, note: { type: 'string' } } }
const tools = [
  { name: 'greet', inputSchema },
  { name: 'shout', inputSchema: { type: 'object', properties: { words: { type: 'string' } } } },
  { name: 'ping', inputSchema: { type: 'object', properties: {}, additionalProperties: false } },
  {
    name: 'tag',
    inputSchema: {
      type: 'object',
      properties: { tags: { type: 'array', items: { type: 'string' } } },
      required: ['tags'],
    },
  },
]

const search = () => page.getByTestId('catalog-search')
const field = (name: string) => page.getByTestId('tool-form').getByRole('textbox', { name, exact: true })

const row = (name: string) => document.querySelector(`[data-tool="desk/${name}"]`)

/** Leaves this tool alone in the tree. */
async function find(name: string): Promise<void> {
  await search().fill(name)
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent('1 of 4')
  await expect.poll(() => row(name)).not.toBeNull()
}

/** Opens a tool by keys. */
async function enter(name: string): Promise<void> {
  await find(name)
  await userEvent.keyboard('{ArrowDown}{Enter}')
}

/** A backend whose answers about a tool wait until `release` is called. */
function slowBackend(): { readonly backend: Backend; readonly release: () => void } {
  const backend = memoryBackend({ tools })
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const request: Backend['request'] = async (key, given) => {
    if (key === 'GET /api/tools/{+ref}') await released
    return backend.request(key, given)
  }
  return { backend: { ...backend, request }, release }
}

test('catalog: moves the focus to the first field of a tool on Enter, from the tree and the search field', async () => {
  openPage(memoryBackend({ tools }), '/')
  await enter('greet')
  await expect.element(field('name')).toHaveFocus()
  await userEvent.keyboard('Ada')
  await expect.element(field('name')).toHaveValue('Ada')
  await find('shout')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByTestId('tool-title')).toHaveTextContent('shout')
  await expect.element(field('words')).toHaveFocus()
  // The tool is open already.
  await search().click()
  await userEvent.keyboard('{Enter}')
  await expect.element(field('words')).toHaveFocus()
})

test('catalog: moves the focus to the button of a tool without fields, and to “Add item” of an empty list', async () => {
  openPage(memoryBackend({ tools }), '/')
  await enter('ping')
  await expect.element(page.getByTestId('call-button')).toHaveFocus()
  await enter('tag')
  await expect.element(page.getByRole('button', { name: /^Add item/ })).toHaveFocus()
})

test('catalog: does not press the call button while Enter is held', async () => {
  const answer = vi.fn(() => ({}))
  openPage(memoryBackend({ tools, answer }), '/')
  await find('ping')
  await userEvent.keyboard('{ArrowDown}')
  const code = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 }
  const press = (autoRepeat: boolean) =>
    cdp().send('Input.dispatchKeyEvent', { type: 'keyDown', text: '\r', ...code, autoRepeat })
  await press(false)
  await expect.element(page.getByTestId('tool-form')).toBeInTheDocument()
  for (let repeat = 0; repeat < 5; repeat++) {
    await press(true)
    await new Promise(requestAnimationFrame)
  }
  await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', ...code })
  await expect.element(page.getByTestId('call-button')).toHaveFocus()
  expect(answer).not.toHaveBeenCalled()
  await press(false)
  await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', ...code })
  await expect.poll(() => answer.mock.calls.length).toBe(1)
})

test('catalog: moves the focus to the first field on Enter on a narrow page, where the form replaces it', async () => {
  const { innerWidth, innerHeight } = window
  await page.viewport(390, 800)
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  openPage(memoryBackend({ tools }), '/')
  await enter('shout')
  await expect.element(field('words')).toHaveFocus()
})

test('catalog: moves the focus to a form that appears late, unless the user has moved on', async () => {
  const first = slowBackend()
  openPage(first.backend, '/')
  await enter('shout')
  first.release()
  await expect.element(field('words')).toHaveFocus()
  document.querySelector('#root')?.remove()

  const second = slowBackend()
  openPage(second.backend, '/')
  await enter('shout')
  await search().click()
  second.release()
  await expect.element(field('words')).toBeVisible()
  await userEvent.keyboard('x')
  await expect.element(search()).toHaveFocus()
})

test('catalog: does not move the focus when a tool is opened by a click', async () => {
  openPage(memoryBackend({ tools }), '/')
  await find('greet')
  await userEvent.click(row('greet') ?? document.body)
  await expect.element(field('name')).toBeVisible()
  await expect.element(search()).toHaveFocus()
})

test('catalog: opens what was typed on an immediate Enter, not what the list still shows', async () => {
  openPage(memoryBackend({ tools }), '/')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent('4 of 4')
  await search().click()
  await userEvent.keyboard('shout{Enter}')
  await expect.element(page.getByTestId('tool-title')).toHaveTextContent('shout')
  await expect.element(field('words')).toHaveFocus()
})
