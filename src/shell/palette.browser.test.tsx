import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { SourceList, SourceState } from '../../core/api/sources.ts'
import type { Handlers } from '../api/local-backend.ts'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

async function openPalette(tools: readonly string[]) {
  const address = openPage(memoryBackend({ tools }), '/')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent(/\d of \d/)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder('Search or jump to…')).toHaveFocus()
  return address
}

test('palette: finds a tool by its words and opens it by keys alone', async () => {
  const address = await openPalette(['greet', 'deploy'])
  await userEvent.keyboard('depl')
  await expect.element(page.getByRole('option', { name: /deploy/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('tool=desk/deploy')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('palette: opens from the JSON editor, and the next keys reach it', async () => {
  openPage(memoryBackend({ tools: ['greet', 'deploy'] }), '/?tool=desk/greet&tab=json')
  const findEditor = () =>
    document.querySelector<HTMLElement>('.monaco-editor :is(textarea, .native-edit-context)')
  await expect.poll(findEditor).not.toBeNull()
  findEditor()?.focus()
  await userEvent.keyboard('{Control>}k{/Control}')
  const field = page.getByPlaceholder('Search or jump to…')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('depl')
  await expect.element(field).toHaveValue('depl')
})

test('palette: offers a shortcut by its title, and runs it', async () => {
  const address = await openPalette(['greet'])
  await userEvent.keyboard('compare two')
  await expect.element(page.getByRole('option', { name: /compare two/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('/diff')
})

test('palette: finds pages by the words people type, and lists what can be done with a tool', async () => {
  const address = await openPalette(['greet', 'history of greetings'])
  await userEvent.keyboard('compare changes')
  await expect.element(page.getByRole('option', { name: /Diff/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.clear(page.getByRole('combobox'))
  await userEvent.keyboard('theme')
  await expect.element(page.getByRole('option', { name: /Settings/ })).toBeVisible()
  await userEvent.clear(page.getByRole('combobox'))
  await userEvent.keyboard('greet')
  await expect.element(page.getByRole('option', { name: /^greet/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('option', { name: /Copy link/ })).toBeVisible()
  await userEvent.keyboard('schema')
  await expect
    .element(page.getByRole('option', { name: /^Reference/ }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('tool=desk/greet')
  await expect.poll(address).toContain('tab=reference')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect
    .element(page.getByRole('option', { name: /^greet/ }).first())
    .toHaveAttribute('aria-selected', 'true')
})

test('palette: offers no call where nothing can be called', async () => {
  const backend = memoryBackend({ tools: ['greet'] })
  openPage({ ...backend, has: key => key !== 'POST /api/invocations' && backend.has(key) }, '/')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent(/\d of \d/)
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('combobox').fill('greet')
  await expect.element(page.getByRole('dialog')).toHaveTextContent('Tab copy link, versions…')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('option', { name: /Copy link/ })).toBeVisible()
  expect(page.getByRole('option', { name: /^Run/ }).elements()).toEqual([])
})

const source: SourceState = {
  name: 'desk',
  kind: 'manifest-file',
  label: 'desk.json',
  argument: 'my desk.json',
  status: 'ready',
  toolCount: 1,
  callable: true,
  problems: [],
}

test('palette: removes a source at once, leaves its page, and restores it on Undo', async () => {
  let list: SourceList = { sources: [source], removed: [], examples: [] }
  const handlers: Handlers = {
    'GET /api/sources': async () => list,
    'POST /api/sources/{name}/restart': async () => source,
    'DELETE /api/sources/{name}': async () => {
      list = { ...list, sources: [], removed: [source] }
      return list
    },
    'POST /api/sources/{name}/restore': async () => {
      list = { ...list, sources: [source], removed: [] }
      return source
    },
  }
  const address = openPage(memoryBackend({ tools: ['remove desk', 'greet'], handlers }), '/?about=desk')
  await expect.element(page.getByRole('heading', { name: 'desk' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder('Search or jump to…')).toHaveFocus()
  await userEvent.keyboard('remove desk')
  await expect.element(page.getByRole('option', { name: /^remove desk/ })).toBeVisible()
  await expect
    .element(page.getByRole('option', { name: 'Remove desk', exact: true }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  // The text is also in the document for screen readers, for a moment.
  await expect.element(page.getByTestId('toast')).toHaveTextContent('desk was removed')
  await expect.poll(address).not.toContain('about=')
  expect(list.removed).toHaveLength(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => list.sources).toHaveLength(1)
})

test('palette: shows the command that exports the sources, and names those that it leaves out', async () => {
  const { argument: _argument, ...dropped } = { ...source, name: 'dropped' }
  const broken = { ...source, name: 'broken', argument: 'broken.json', status: 'failed' as const }
  const named: SourceState = {
    ...source,
    name: 'named',
    argument: 'named',
    origin: { from: 'file', file: '/home/ada/toolscope.json' },
  }
  const handlers: Handlers = {
    'GET /api/sources': async () => ({
      sources: [source, dropped, broken, named],
      removed: [],
      examples: [],
    }),
    'POST /api/sources': async () => source,
  }
  openPage(memoryBackend({ tools: ['greet'], handlers }), '/')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent(/\d of \d/)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder('Search or jump to…')).toHaveFocus()
  await userEvent.keyboard('export')
  await expect.element(page.getByRole('option', { name: /Export/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  const dialog = page.getByRole('dialog')
  await expect
    .element(dialog)
    .toHaveTextContent("toolscope export 'my desk.json' named --config /home/ada/toolscope.json -o site")
  await expect.element(dialog).toHaveTextContent(/dropped \(save it.*\), broken \(it failed\)/)
})

test('palette: moves the focus to the first field of the tool that it opens, also when it is already open', async () => {
  const inputSchema = { type: 'object', properties: { title: { type: 'string' } } }
  openPage(memoryBackend({ tools: [{ name: 'create', inputSchema }] }), '/')
  await expect.element(page.getByRole('tree')).toBeVisible()
  for (const _visit of ['first', 'second']) {
    await userEvent.keyboard('{Control>}k{/Control}')
    await page.getByRole('combobox').fill('create')
    await expect
      .element(page.getByRole('option', { name: /^create/ }))
      .toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByTestId('tool-form').getByLabelText('title')).toHaveFocus()
    page.getByRole('button', { name: 'Settings' }).element().focus()
  }
})
