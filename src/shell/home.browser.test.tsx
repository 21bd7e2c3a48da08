import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { StoredInvocation } from '../../core/api/history.ts'
import type { SourceList, SourceState } from '../../core/api/sources.ts'
import { AppError } from '../../core/errors.ts'
import type { Handlers } from '../api/local-backend.ts'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage, pageAlert } from '../testing/open-page.ts'
import { toggleFavorite } from '../ui/stored-tools.ts'

const startedAt = new Date().toISOString()
const validation = { verdict: 'valid', issues: [] } as const

const call: StoredInvocation = {
  id: 'c1',
  ref: 'desk/greet',
  source: 'desk',
  tool: 'greet',
  origin: 'page',
  startedAt,
  durationMs: 412,
  outcome: 'ok',
  inputVerdict: 'valid',
  verdict: 'valid',
  preview: '{"who":"Ada"}',
  pinned: false,
  size: 40,
  inputText: '{"who":"Ada"}',
  inputMasked: false,
  cut: [],
  events: [
    {
      type: 'result',
      content: [],
      structuredContent: 'Hello Ada',
      validation,
      timing: { startedAt, durationMs: 412 },
    },
  ],
}

const source = (name: string, more: Partial<SourceState> = {}): SourceState => ({
  name,
  kind: 'mcp-server',
  label: name,
  status: 'ready',
  toolCount: 1,
  callable: true,
  problems: [],
  ...more,
})

const inputSchema = { type: 'object', properties: { who: { type: 'string' } } }

function openHome(handlers: Handlers) {
  return openPage(memoryBackend({ tools: [{ name: 'greet', inputSchema }], handlers }), '/')
}

const sourceList = (...sources: SourceState[]): SourceList => ({ sources, removed: [], examples: [] })

test('home page: opens the tool of a recent call with its input and its result', async () => {
  const address = openHome({
    'GET /api/history': async () => ({ invocations: [call] }),
    'GET /api/history/{id}': async () => call,
  })
  const recent = page.getByRole('region', { name: 'Recent' })
  await expect.element(recent).toHaveTextContent('desk/greetdone, output valid · 412 msjust now')
  await recent.getByRole('button').click()
  expect(address()).toBe('/?tool=desk/greet')
  await expect.element(page.getByTestId('tool-form').getByLabelText('who')).toHaveValue('Ada')
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('Hello Ada')
})

test('home page: replaces the input by that of a recent call, and restores it on Undo', async () => {
  openHome({
    'GET /api/history': async () => ({ invocations: [call] }),
    'GET /api/history/{id}': async () => call,
  })
  await page.getByRole('treeitem', { name: /greet/ }).click()
  const who = page.getByTestId('tool-form').getByLabelText('who')
  await who.fill('Grace')
  await page.getByRole('button', { name: 'Toolscope: to the catalog' }).click()
  await page.getByRole('region', { name: 'Recent' }).getByRole('button').click()
  await expect.element(who).toHaveValue('Ada')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(who).toHaveValue('Grace')
})

test('home page: opens a recent call of a missing tool in the history', async () => {
  const gone = { ...call, ref: 'desk/gone' }
  const address = openHome({
    'GET /api/history': async () => ({ invocations: [gone] }),
    'GET /api/history/{id}': async () => gone,
  })
  await page.getByRole('region', { name: 'Recent' }).getByRole('button').click()
  await expect.poll(address).toBe('/history?call=c1')
})

test('renamed source: opens its earlier calls under its new name', async () => {
  const old = { ...call, ref: 'before/greet', source: 'before' }
  const handlers: Handlers = {
    'GET /api/sources': async () => sourceList(source('desk', { formerNames: ['before'] })),
    'GET /api/history': async () => ({ invocations: [old] }),
    'GET /api/history/{id}': async () => old,
  }
  const address = openPage(
    memoryBackend({ tools: [{ name: 'greet', inputSchema }], handlers }),
    '/history?call=c1',
  )
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  await expect.poll(address).toBe('/?tool=desk/greet')
  await expect.element(page.getByTestId('tool-form').getByLabelText('who')).toHaveValue('Ada')
  await expect.element(page.getByTestId('result-view')).toBeVisible()
  await page.getByRole('button', { name: 'Toolscope: to the catalog' }).click()
  await page.getByRole('region', { name: 'Recent' }).getByRole('button').click()
  expect(address()).toBe('/?tool=desk/greet')
})

test('renamed source: its favorites follow', async () => {
  const address = openHome({
    'GET /api/sources': async () => sourceList(source('desk', { formerNames: ['before'] })),
  })
  toggleFavorite({ ref: 'before/greet', name: 'greet', source: 'before' })
  const list = page.getByRole('list', { name: 'Favorites and recent tools' })
  await list.getByRole('button', { name: /greet desk/ }).click()
  await expect.poll(address).toContain('tool=desk/greet')
  await page.getByRole('button', { name: 'Remove from favorites' }).click()
})

test('tool page: says that the source of the tool is stopped, and shows the tool once it is started', async () => {
  let status: SourceState['status'] = 'stopped'
  const other = memoryBackend({ tools: [{ name: 'greet', inputSchema }] })
  openPage(
    memoryBackend({
      handlers: {
        'GET /api/sources': async () => sourceList(source('desk', { status })),
        'POST /api/sources/{name}/restart': async () => {
          status = 'ready'
          return source('desk')
        },
        'GET /api/tools/{+ref}': async given => {
          if (status === 'ready') return other.request('GET /api/tools/{+ref}', given)
          throw new AppError('tool-not-found', '"desk/greet"')
        },
      },
    }),
    '/?tool=desk/greet',
  )
  const main = page.getByRole('main')
  await expect.element(main).toHaveTextContent('desk is stopped')
  await expect.element(main).not.toHaveTextContent('No such tool')
  await page.getByRole('main').getByRole('button', { name: 'Start', exact: true }).click()
  await expect.element(page.getByTestId('tool-form').getByLabelText('who')).toBeVisible()
})

test('tool page: gives no advice for the command line when the tool is unknown', async () => {
  openPage(
    memoryBackend({
      handlers: {
        'GET /api/tools/{+ref}': async () => {
          throw new AppError('tool-not-found', '"desk/gone"')
        },
      },
    }),
    '/?tool=desk/gone',
  )
  await expect.element(pageAlert()).toHaveTextContent('No such tool')
  await expect.element(pageAlert()).not.toHaveTextContent('toolscope list')
})

test.each([
  ['a tool', 'resources/list', 'no output schema'],
  ['a resource', 'list', undefined],
])('history page: shows the verdict of %s only where it has one', async (_what, tool, verdict) => {
  const [ending] = call.events
  const unchecked = { ...ending, validation: { verdict: 'no schema', issues: [] } } as typeof ending
  const stored = { ...call, ref: 'desk/resources/list', tool, events: unchecked ? [unchecked] : [] }
  const handlers: Handlers = {
    'GET /api/history': async () => ({ invocations: [stored] }),
    'GET /api/history/{id}': async () => stored,
  }
  openPage(memoryBackend({ handlers }), '/history?call=c1')
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('Hello Ada')
  const shown = page.getByTestId('result-verdict')
  if (verdict === undefined) await expect.element(shown).not.toBeInTheDocument()
  else await expect.element(shown).toHaveTextContent(verdict)
})

test('home page: links a changed source to its diff until the version is marked as seen', async () => {
  const change = {
    source: 'desk',
    from: 'desk@1',
    to: 'desk@2',
    time: startedAt,
    counts: { breaking: 1, dangerous: 0, warning: 0, info: 2 },
  }
  openHome({
    'GET /api/changes': async ({ query }) => ({ changes: query?.looked === 'desk@2' ? [] : [change] }),
  })
  const changed = page.getByRole('region', { name: 'Changed since you last looked' })
  await expect.element(changed).toHaveTextContent('1 breaking2 infodesk@1 → @2')
  await expect
    .element(changed.getByRole('link', { name: 'Diff of desk' }))
    .toHaveAttribute('href', '/diff?a=desk%401&b=desk%402')
  await changed.getByRole('button', { name: 'Mark desk@2 as seen' }).click()
  await expect.element(changed).not.toBeInTheDocument()
})

test('home page: retries a failed source, and keeps its row until it is open', async () => {
  let failed = source('sqlite', {
    status: 'failed',
    error: {
      code: 'source-not-found',
      title: 'Could not start',
      detail: 'Program "uvx" was not found',
      hint: 'Install it',
    },
  })
  let end = () => {}
  openHome({
    'GET /api/sources': async () => sourceList(source('desk'), failed),
    'POST /api/sources/{name}/restart': async () => {
      failed = source('sqlite', { status: 'opening' })
      await new Promise<void>(resolve => {
        end = resolve
      })
      failed = source('sqlite')
      return failed
    },
  })
  const attention = page.getByRole('region', { name: 'Sources that need attention' })
  await expect.element(attention).toHaveTextContent('sqliteCould not start: Program "uvx" was not foundRetry')
  await attention.getByRole('button', { name: 'Retry' }).click()
  await expect.element(attention.getByRole('button')).toBeDisabled()
  end()
  await expect.element(attention).not.toBeInTheDocument()
})

test('home page: does not offer an example that is open', async () => {
  const example = (name: string) => ({ name, about: `The example ${name}`, input: `run ${name}` })
  const sources = [source('desk')]
  const address = openHome({
    'GET /api/sources': async () => ({
      ...sourceList(...sources),
      examples: [example('acme'), example('functions')],
    }),
    'POST /api/sources': async ({ body }) => {
      const opened = source(String(body.input).slice('run '.length))
      sources.push(opened)
      return opened
    },
  })
  await page.getByRole('button', { name: 'Open acme' }).click()
  await expect.poll(address).toBe('/?about=acme')
  await page.getByRole('button', { name: 'Toolscope: to the catalog' }).click()
  await expect.element(page.getByRole('button', { name: 'Open acme' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Open functions' })).toBeVisible()
})

test('home page: starts each of the three jobs by one click', async () => {
  const version = (number: number, current: boolean) => ({
    kind: 'snapshot' as const,
    reference: `desk@${number}`,
    name: `desk@${number}`,
    number,
    time: startedAt,
    ...(current && { current: true as const }),
    labels: [],
    counts: { breaking: 0, dangerous: 0, warning: 0, info: 1 },
  })
  const address = openHome({
    'GET /api/sources/{name}/versions': async () => ({
      versions: [version(2, true), version(1, false)],
      more: false,
      kept: true,
    }),
  })
  const jobs = page.getByRole('region', { name: 'Start here' })
  const home = page.getByRole('button', { name: 'Toolscope: to the catalog' })
  await jobs.getByRole('button', { name: 'Browse a source desk, 1 tool' }).click()
  await expect.poll(address).toBe('/?about=desk')
  await home.click()
  await jobs.getByRole('button', { name: 'Compare two versions desk, @1 → now' }).click()
  await expect.poll(address).toBe('/diff?a=desk%401&b=desk')
})

test('home page: opens the form of a tool, a read-only one if there is one, to call it', async () => {
  const readOnly = { name: 'look', inputSchema, annotations: { readOnlyHint: true } }
  const backend = memoryBackend({ tools: [{ name: 'wipe', inputSchema }, readOnly] })
  const address = openPage(backend, '/')
  await page.getByRole('button', { name: 'Call a tool desk/look' }).click()
  await expect.poll(address).toBe('/?tool=desk/look')
  await expect.element(page.getByTestId('tool-form').getByLabelText('who')).toBeVisible()
})

test('home page: begins with the one field and with the listed sources while none of them is open', async () => {
  let shop = source('shop', { status: 'stopped', label: 'node shop.mjs', toolCount: 0 })
  openHome({
    'GET /api/sources': async () => sourceList(shop),
    'POST /api/sources': async () => shop,
    'POST /api/sources/{name}/restart': async () => {
      shop = source('shop')
      return shop
    },
  })
  const field = page.getByRole('textbox', { name: 'Command, address, path or JSON' })
  await expect.element(field).toHaveFocus()
  const found = page.getByRole('region', { name: 'Not open' })
  await expect.element(found).toHaveTextContent('shopnode shop.mjs')
  await found.getByRole('button', { name: 'Start' }).click()
  await expect.element(found).not.toBeInTheDocument()
  await expect.element(field).not.toBeInTheDocument()
})
