import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Recognised, SourceList, SourceState } from '../../../core/api/sources.ts'
import { AppError } from '../../../core/errors.ts'
import type { Handlers } from '../../api/local-backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage, pageAlert } from '../../testing/open-page.ts'

const desk: SourceState = {
  name: 'desk',
  kind: 'mcp-server',
  label: 'desk',
  status: 'ready',
  toolCount: 2,
  callable: true,
  problems: [],
}

const list = (...sources: SourceState[]): SourceList => ({ sources, removed: [], examples: [] })

/** What the server answers to texts; other texts are not recognised. */
const answers: Readonly<Record<string, Recognised>> = {
  'node desk.mjs': {
    about: 'A program',
    line: 'program',
    choose: 'several',
    sources: [{ name: 'desk', about: 'node desk.mjs', entry: { line: 'node desk.mjs' } }],
  },
  'localhost:3000': {
    about: 'An address',
    line: 'address',
    choose: 'several',
    sources: [{ name: 'localhost:3000', about: 'http://localhost:3000', entry: { line: 'localhost:3000' } }],
  },
  'desk.json': {
    about: 'A manifest file',
    line: 'file',
    choose: 'several',
    sources: [{ name: 'desk', about: 'desk.json', entry: { line: 'desk.json' } }],
  },
  'servers.json': {
    about: 'A file with 2 MCP servers',
    line: 'servers',
    choose: 'several',
    sources: [{ name: '', about: 'desk, shop', entry: { line: 'servers.json' } }],
  },
}

/** Opens the page without a source. Returns the bodies of the requests that add one. */
function openFirstPage(handlers: Handlers = {}) {
  const added: unknown[] = []
  let sources = list()
  const address = openPage(
    memoryBackend({
      tools: ['greet', 'part'],
      handlers: {
        'GET /api/sources': async () => sources,
        async 'POST /api/sources/recognise'({ body: { text } }) {
          const found = answers[text.trim()]
          if (found === undefined) throw new AppError('source-not-found', `no ${text}`)
          return found
        },
        async 'POST /api/sources'({ body }) {
          added.push(body)
          sources = list(desk)
          return desk
        },
        'POST /api/sources/probe': async () => desk,
        ...handlers,
      },
    }),
    '/',
  )
  return { added, address }
}

const field = page.getByRole('textbox', { name: 'Command, address, path or JSON' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('first page: has the focus in its one field, and opens the first tool of what Enter adds', async () => {
  const { added, address } = openFirstPage()
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('node desk.mjs{Enter}')
  await expect.poll(address).toBe('/?tool=desk/greet')
  expect(added).toEqual([{ entry: { line: 'node desk.mjs' } }])
  await expect.element(page.getByRole('treeitem', { name: /greet/ })).toBeInViewport()
  await expect
    .element(page.getByRole('navigation', { name: 'Sources' }).getByRole('button', { name: /^desk/ }))
    .toBeInViewport()
})

test('add source: shows the settings of the kind that it recognised, and sends only those', async () => {
  const { added } = openFirstPage()
  const [directory, variable, header] = [
    page.getByLabelText('Working directory'),
    button('Add variable'),
    button('Add header'),
  ]
  await field.fill('desk.json')
  await expect.element(page.getByRole('status').getByText('A manifest file')).toBeVisible()
  await expect.element(directory).not.toBeInTheDocument()
  await expect.element(header).not.toBeInTheDocument()
  await field.fill('node desk.mjs')
  await directory.fill('/srv')
  await variable.click()
  await expect.element(header).not.toBeInTheDocument()
  await field.fill('localhost:3000')
  await header.click()
  await page.getByLabelText('Name of header 1').fill('X-Key')
  await page.getByLabelText('Value of header 1').fill('1')
  await page.getByLabelText('Name', { exact: true }).fill('own')
  await expect.element(directory).not.toBeInTheDocument()
  await button('Add').click()
  await expect
    .poll(() => added)
    .toEqual([{ entry: { line: 'localhost:3000', headers: { 'X-Key': '1' } }, name: 'own' }])
})

test('add source: sends no hidden settings to the servers of a file', async () => {
  const { added } = openFirstPage()
  await field.fill('node desk.mjs')
  await page.getByLabelText('Working directory').fill('/srv')
  await button('Add variable').click()
  await page.getByLabelText('Name of variable 1').fill('API_KEY')
  await page.getByLabelText('Value of variable 1').fill('1')
  await field.fill('servers.json')
  await expect.element(page.getByLabelText('Working directory')).not.toBeInTheDocument()
  await button('Add').click()
  await expect.poll(() => added).toEqual([{ entry: { line: 'servers.json' } }])
})

test('add source: says quietly what it does not recognise, and as an error when the user adds it', async () => {
  const { added } = openFirstPage()
  await field.fill('no-such')
  await expect.element(page.getByRole('status').getByText(/no no-such/)).toBeVisible()
  await expect.element(pageAlert()).not.toBeInTheDocument()
  await userEvent.keyboard('{Enter}')
  await expect.element(pageAlert()).toHaveTextContent(/^Not added\..*no no-such/)
  await expect.element(field).toHaveValue('no-such')
  expect(added).toEqual([])
})

test('add source: grows with a pasted text, and adds the chosen servers of it', async () => {
  const servers: Recognised = {
    about: 'An mcp.json with 2 servers',
    choose: 'several',
    sources: ['one', 'two'].map(name => ({ name, about: name, entry: { mcp: { command: [name] } } })),
  }
  const { added } = openFirstPage({ 'POST /api/sources/recognise': async () => servers })
  await expect.element(field).toBeVisible()
  const before = field.element().getBoundingClientRect().height
  await field.fill(JSON.stringify({ mcpServers: { one: {}, two: {} } }, null, 2))
  await expect.poll(() => field.element().getBoundingClientRect().height).toBeGreaterThan(before * 2)
  await page.getByRole('checkbox', { name: /^two/ }).click()
  // Enter breaks a line of JSON.
  await field.click()
  await userEvent.keyboard('{Enter}')
  expect(added).toEqual([])
  await button('Add').click()
  await expect.poll(() => added).toEqual([{ entry: { mcp: { command: ['one'] } }, name: 'one' }])
})
