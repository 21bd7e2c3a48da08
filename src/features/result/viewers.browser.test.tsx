import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Failure, Validation } from '../../../core/tool/invocation.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

let opened = 0

/** Calls a tool that gives this. It is called once: the page keeps the last result of each tool. */
async function openResult(ending: ReturnType<NonNullable<Parameters<typeof memoryBackend>[0]['answer']>>) {
  opened += 1
  const name = `get_${opened}`
  openPage(memoryBackend({ tools: [name], answer: () => ending }), `/?tool=desk/${name}`)
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-status')).toHaveTextContent(/^done|^output invalid/)
  return page.getByTestId('result-view')
}

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('result view: draws an image', async () => {
  const view = await openResult({ content: [{ type: 'image', data: pixel, mimeType: 'image/png' }] })
  const image = () => view.element().querySelector('img')
  await expect.poll(() => image()?.naturalWidth).toBe(1)
})

test('result view: shows links by their address and resources by their text', async () => {
  const view = await openResult({
    content: [
      { type: 'resource_link', uri: 'demo://resource/1', name: 'first' },
      { type: 'resource', resource: { uri: 'demo://resource/2', text: 'Resource 2' } },
    ],
  })
  await expect.element(view).toHaveTextContent('demo://resource/1')
  await expect.element(view).toHaveTextContent('Resource 2')
})

test('result view: shows the annotations of a block with it, and ignores others', async () => {
  const year = new Date().getFullYear() - 1
  const view = await openResult({
    content: [
      {
        type: 'text',
        text: 'first',
        annotations: {
          audience: ['user', 'assistant'],
          priority: 0.7,
          lastModified: `${year}-03-05T12:00:00Z`,
        },
      },
      { type: 'image', data: pixel, mimeType: 'image/png', annotations: { audience: ['user'] } },
      { type: 'text', text: 'odd', annotations: { audience: 'user', priority: 'high', lastModified: 7 } },
    ],
  })
  const notes = view.getByTestId('annotations')
  await expect.element(notes.first()).toHaveTextContent('for the user and the assistant · priority 0.7')
  await expect.element(notes.first()).toHaveTextContent(`changed 5 Mar ${year}`)
  expect(
    notes
      .elements()
      .map(note => note.textContent)
      .slice(1),
  ).toEqual(['for the user'])
})

test('result view: shows the whole value that breaks its schema, with the verdict and the problem', async () => {
  const validation: Validation = {
    verdict: 'invalid',
    issues: [
      {
        path: '/inStock',
        keyword: 'type',
        message: 'must be boolean',
        expected: 'boolean',
        actual: 'string "yes"',
      },
    ],
  }
  const view = await openResult({ structuredContent: { inStock: 'yes', name: 'hermes' }, validation })
  await expect.element(view).toHaveTextContent('hermes')
  await expect.element(view).toHaveTextContent('expected boolean, got string "yes"')
  await expect.element(page.getByTestId('result-status')).toHaveTextContent(/^output invalid \(1\)$/)
  await expect.poll(() => document.querySelector('[data-testid="result-panel"] [data-tone="ok"]')).toBeNull()
})

test('result view: shows JSON text as a tree, as a table that sorts and hides columns, and as the whole answer', async () => {
  const text = JSON.stringify([
    { id: 10, name: 'ten' },
    { id: 9, name: 'nine' },
  ])
  const view = await openResult({ content: [{ type: 'text', text }], meta: { from: 'cache' } })
  await expect.element(view.getByRole('tree')).toHaveTextContent('"ten"')
  await page.getByRole('tab', { name: 'Table' }).click()
  const cells = () =>
    view
      .getByRole('cell')
      .elements()
      .map(cell => cell.textContent)
  expect(cells()).toEqual(['10', 'ten', '9', 'nine'])
  await view.getByRole('button', { name: 'id' }).click()
  expect(cells()).toEqual(['9', 'nine', '10', 'ten'])
  await view.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'name' }).click()
  await expect.poll(cells).toEqual(['9', '10'])
  await expect.element(view).toHaveTextContent('1 column of 2')
  await page.getByRole('tab', { name: 'Envelope' }).click()
  await expect.element(view).toHaveTextContent('"from": "cache"')
})

test('result view: marks the edge of a table that goes on to the right, until it is scrolled there', async () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const row = (length: number) => Object.fromEntries(names.map(name => [name, name.repeat(length)]))
  const text = JSON.stringify([row(60), row(60)])
  const view = await openResult({ content: [{ type: 'text', text }] })
  await page.getByRole('tab', { name: 'Table' }).click()
  const table = view.getByRole('region', { name: 'Result as a table' })
  const isCut = () => table.element().closest('[data-cut]') !== null
  await expect.poll(isCut).toBe(true)
  table.element().scrollLeft = 10_000
  await expect.poll(isCut).toBe(false)
  const number = view.getByRole('rowheader', { name: '0' }).element().getBoundingClientRect()
  expect(Math.round(number.left)).toBe(Math.round(table.element().getBoundingClientRect().left))
  table.element().scrollLeft = 0
  await expect.poll(isCut).toBe(true)
})

test('result view: shows only what matches a tree search and its parents, and all nodes once it is cleared', async () => {
  const machines = Array.from({ length: 300 }, (_, index) => ({ name: `machine ${index}`, cores: index }))
  const view = await openResult({ structuredContent: { machines, title: 'Machine 250 is here' } })
  const field = view.getByRole('searchbox', { name: 'Search keys and values' })
  const rows = () =>
    view
      .getByRole('treeitem')
      .elements()
      .map(row => row.textContent)
  await field.fill('machine 250')
  await expect.element(view.getByTestId('tree-matches')).toHaveTextContent('2 matches')
  expect(rows()).toEqual([
    '{ 2 }',
    'machines [ 300 ]',
    '250 { 2 }',
    'name: "machine 250"',
    'title: "Machine 250 is here"',
  ])
  await expect.poll(() => document.querySelectorAll('mark').length).toBe(2)
  await userEvent.keyboard('{Enter}')
  await expect.element(view.getByRole('tree')).toHaveFocus()
  await field.fill('')
  await expect.element(view.getByRole('treeitem', { name: /^251 / })).toBeVisible()
  const active = view.getByRole('treeitem', { selected: true })
  await expect.element(active).toHaveTextContent('name: "machine 250"')
  await field.fill('no such text')
  await expect.element(view.getByText('No key or value contains this')).toBeVisible()
  await view.getByRole('button', { name: 'Show everything' }).click()
  await expect.element(view.getByRole('tree')).toHaveTextContent('machines')
})

test('result view: shows a relative target of a Markdown link as text', async () => {
  const text =
    '- [Snapshot](.playwright-mcp/page-1.yml)\n- ![chart](out/a%20b.png)\n- [x](javascript:alert(1))'
  const view = await openResult({ content: [{ type: 'text', text }] })
  await expect.element(view).toHaveTextContent('Snapshot .playwright-mcp/page-1.yml')
  await expect.element(view).toHaveTextContent('[image: chart out/a b.png]')
  expect(view.element().querySelector('a')).toBeNull()
})

test('result pane: says that the input was edited since, but not if it only looks different', async () => {
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } } }
  openPage(memoryBackend({ tools: [{ name: 'weather', inputSchema }] }), '/?tool=desk/weather')
  const city = page.getByTestId('tool-form').getByLabelText('city')
  const note = page.getByText('input changed since this result')
  await city.fill('Oslo')
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-status')).toHaveTextContent(/^done/)
  await expect.element(note).not.toBeInTheDocument()
  await city.fill('Bergen')
  await expect.element(note).toBeVisible()
  await city.fill('Oslo')
  await expect.element(note).not.toBeInTheDocument()
})

/** Calls a tool that fails so. */
async function openFailure(failure: Partial<Failure>) {
  opened += 1
  const name = `fail_${opened}`
  const whole: Failure = { reason: 'tool-error', message: '', content: [], ...failure }
  openPage(memoryBackend({ tools: [name], failure: whole }), `/?tool=desk/${name}`)
  await page.getByTestId('call-button').click()
  return page.getByTestId('result-panel')
}

test('result pane: shows the code, the lines and the data of a protocol error', async () => {
  const message = 'The server answered with error -32603: no such pod\n  in namespace a\n  in namespace b'
  const panel = await openFailure({ message, meta: { error: { retryAfter: 30 } } })
  await expect.element(panel).toHaveTextContent('error -32603')
  const lines = panel.getByText('in namespace b').element()
  expect(lines.textContent).toBe('in namespace a\n  in namespace b')
  expect(getComputedStyle(lines).whiteSpace).toContain('pre-wrap')
  await expect.element(panel.getByText('"retryAfter": 30').first()).toBeVisible()
  await expect.element(panel.getByRole('tab', { name: 'Envelope' })).toBeVisible()
})

test('result pane: shows the error of a tool once', async () => {
  const text = 'No such file: a.txt'
  const panel = await openFailure({ message: text, isError: true, content: [{ type: 'text', text }] })
  await expect.element(page.getByTestId('result-status')).toHaveTextContent(/^tool error/)
  await expect.element(panel.getByText(text)).toBeVisible()
  expect(panel.getByText(text).elements()).toHaveLength(1)
})

test('result view: shows HTML in a text as text', async () => {
  const text = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  const view = await openResult({ content: [{ type: 'text', text }] })
  await expect.element(view).toHaveTextContent(text)
  expect(view.element().querySelector('img, script')).toBeNull()
})
