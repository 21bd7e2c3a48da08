import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { DiffSide } from '../../../core/diff/change.ts'
import { diffManifests } from '../../../core/diff/diff-manifests.ts'
import type { TeamRules } from '../../../core/diff/team-rules.ts'
import { AppError } from '../../../core/errors.ts'
import type { Handlers } from '../../api/local-backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage, pageAlert } from '../../testing/open-page.ts'

const side = (maximum: number, description: string): DiffSide => ({
  tools: [
    {
      name: 'deploy',
      description,
      inputSchema: { type: 'object', properties: { batch: { type: 'integer', maximum } } },
    },
  ],
})
const manifests = { before: side(100, 'Deploys.'), after: side(50, 'Deploys a build.') }
const object = { type: 'object', properties: { batch: { type: 'integer' } } }
const closed = {
  before: { tools: [{ name: 'deploy', inputSchema: object }] },
  after: { tools: [{ name: 'deploy', inputSchema: { ...object, additionalProperties: false } }] },
}
const changes = () => page.getByTestId('change')
const openDiff = (search: string) => openPage(memoryBackend({ manifests }), `/diff?${search}`)

test('diff page: keeps the severity filter in the address, and offers to clear filters that match nothing', async () => {
  const address = openDiff('a=before&b=after')
  await expect.poll(() => changes().elements().length).toBe(2)
  await page.getByTestId('diff-count-breaking').click()
  await expect.poll(address).toContain('show=breaking')
  await expect.poll(() => changes().elements().length).toBe(1)
  await expect.element(changes()).toHaveTextContent('maximum lowered: 100 → 50')
  await page.getByTestId('diff-count-breaking').click()
  await page.getByRole('searchbox', { name: 'Filter tools and changes' }).fill('nothing like it')
  await expect.element(page.getByText('No changes match the filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(() => changes().elements().length).toBe(2)
})

/** A folder, as a browser gives it: a file that cannot be read. */
const folder = Object.assign(new File([], 'functions'), {
  text: () => Promise.reject(new DOMException('', 'NotFoundError')),
})
const dropFolder = (on: Element) =>
  on.dispatchEvent(
    Object.assign(new Event('drop', { bubbles: true, cancelable: true }), {
      dataTransfer: { types: ['Files'], files: [folder] },
    }),
  )

test('diff page: does not compare a dropped folder, and says so until it compares something else', async () => {
  const handlers: Handlers = { 'POST /api/diff': () => Promise.reject(new Error('not asked')) }
  openPage(memoryBackend({ manifests, handlers }), '/diff?a=before&b=after')
  await expect.poll(() => changes().elements().length).toBe(2)
  dropFolder(page.getByRole('region', { name: 'Diff', exact: true }).element())
  await expect.element(pageAlert()).toHaveTextContent('"functions" is a folder')
  await page.getByRole('button', { name: 'Swap the two sides' }).click()
  await expect.element(pageAlert()).not.toBeInTheDocument()
  await expect.poll(() => changes().elements().length).toBe(1)
})

test('page: does not add a dropped folder as a source, and shows a message', async () => {
  const handlers: Handlers = { 'POST /api/sources': () => Promise.reject(new Error('not asked')) }
  openPage(memoryBackend({ tools: ['get'], handlers }), '/')
  await expect.element(page.getByRole('tree')).toBeVisible()
  dropFolder(page.getByRole('tree').element())
  await expect.element(page.getByTestId('toast')).toHaveTextContent('enter the path of the folder')
})

test('diff page: goes from change to change by keys, and shows only the breaking changes by a key', async () => {
  const address = openDiff('a=before&b=after')
  await expect.element(changes().first()).toBeVisible()
  await page.getByTestId('diff-summary').click()
  await userEvent.keyboard('j')
  await expect.element(changes().first()).toHaveFocus()
  await userEvent.keyboard('j')
  await expect.element(changes().nth(1)).toHaveFocus()
  await userEvent.keyboard('k')
  await expect.element(changes().first()).toHaveFocus()
  await userEvent.keyboard('b')
  await expect.poll(address).toContain('show=breaking')
})

test('diff page: folds a change that no caller meets into one line, and counts it in strict mode', async () => {
  const address = openPage(memoryBackend({ manifests: closed }), '/diff?a=before&b=after')
  const fold = page.getByTestId('fold')
  await expect.element(fold).toHaveTextContent('1 compatible, proved')
  expect(changes().elements()).toHaveLength(0)
  await fold.click()
  await expect.element(changes()).toHaveTextContent('breaking only for callers that send undeclared fields')
  await page.getByRole('checkbox', { name: /^Strict: also count undeclared/ }).click()
  await expect.poll(address).toContain('strict=1')
  await expect
    .element(page.getByTestId('diff-summary'))
    .toHaveTextContent('may no longer work: 1 breaking change.')
})

test('diff page: applies an immediate second key to the row that the first key moved to', async () => {
  const added = { before: { tools: [] }, after: side(50, 'Deploys.') }
  openPage(memoryBackend({ manifests: added }), '/diff?a=before&b=after')
  const row = page.getByTestId('added')
  await expect.element(row).toBeVisible()
  // Both in one task: no frame is drawn between them.
  for (const key of ['j', 'Enter']) {
    const target = document.activeElement ?? document.body
    const isTaken = !target.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    )
    if (key === 'Enter' && !isTaken && target instanceof HTMLElement) target.click()
  }
  await expect.element(row).toHaveTextContent('"inputSchema"')
})

test('diff page: moves the focus to an empty side on Compare, and says what is missing', async () => {
  const address = openDiff('a=before')
  const [before, after] = [
    page.getByLabelText('Before', { exact: true }),
    page.getByLabelText('After', { exact: true }),
  ]
  const message = (field: typeof after) => (field.element() as HTMLInputElement).validationMessage
  await before.fill(' ')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect.element(before).toHaveFocus()
  await before.fill('before')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect.element(after).toHaveFocus()
  expect(message(after)).toContain('“After”')
  expect(message(before)).toBe('')
  await after.fill('after')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect.poll(address).toContain('b=after')
  await expect.poll(() => changes().elements().length).toBe(2)
})

test('diff page: swaps the two sides and compares them the other way round', async () => {
  openDiff('a=before&b=after')
  await expect.element(page.getByText('worked in before').first()).toBeVisible()
  await page.getByRole('button', { name: 'Swap the two sides' }).click()
  await expect.element(page.getByLabelText('Before', { exact: true })).toHaveValue('after')
  await expect.element(page.getByTestId('diff-summary')).toHaveTextContent('still works.')
  await expect.element(page.getByText('worked in before')).not.toBeInTheDocument()
})

test('diff page: keeps the report when the next comparison fails, and shows the error', async () => {
  const answer = await memoryBackend({ manifests }).request('GET /api/diff', {
    query: { a: 'before', b: 'after' },
  })
  let isBroken = false
  const handlers: Handlers = {
    'GET /api/diff': async () => {
      if (!isBroken) return answer
      throw new AppError('rules-invalid', 'there is no file rules.json')
    },
  }
  openPage(memoryBackend({ manifests, handlers }), '/diff?a=before&b=after')
  await expect.poll(() => changes().elements().length).toBe(2)
  isBroken = true
  await page.getByRole('button', { name: 'Compare again' }).click()
  await expect.element(pageAlert()).toHaveTextContent('there is no file rules.json')
  await expect.element(changes().first()).toBeVisible()
})

test('diff page: names the rules of a report, and shows the changes that they hide on a click', async () => {
  const { changes: found } = await diffManifests(manifests.before, manifests.after)
  const lowered = found.find(({ rule }) => rule === 'maximum-lowered')?.fingerprint ?? ''
  const entry = (fingerprint: string, reason: string) => ({ fingerprint, reason })
  const entries = [entry(lowered, 'No caller sends \u202e more.'), entry('00000000', 'Long ago.')]
  const rules: TeamRules = {
    rules: { file: 'rules.json', severities: { 'description-changed': 'off' } },
    ignore: { file: 'ignore.json', entries, today: '2026-11-24' },
  }
  openPage(memoryBackend({ manifests, rules }), '/diff?a=before&b=after')
  const line = page.getByText('Rules: rules.json · 1 switched off · ignored by ignore.json: 1 · 1 unused')
  await expect
    .element(page.getByTestId('diff-summary'))
    .toHaveTextContent('Your rules hide every change; you accepted 1 breaking change.')
  await line.click()
  const ignored = page.getByRole('region', { name: 'Ignored changes' })
  await expect.element(ignored).toHaveTextContent('maximum lowered: 100 → 50')
  await expect.element(ignored).toHaveTextContent('No caller sends U+202E more.')
  await expect.element(page.getByRole('region', { name: /^Unused/ })).toHaveTextContent('Long ago.')
})

test('diff page: shows the names of two sources of one server in full on a phone', async () => {
  const { innerWidth, innerHeight } = window
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  const names = ['payments-server-of-the-old-data-centre', 'payments-server-of-the-new-data-centre']
  const sources = names.map((name, at) => ({
    ...({ name, kind: 'mcp-stdio', label: name, status: 'ready', toolCount: 0, callable: true } as const),
    problems: [],
    serverInfo: { name: 'payments', version: `${at + 1}.0.0` },
  }))
  const handlers: Handlers = {
    'GET /api/sources': async () => ({ sources, examples: [], removed: [] }),
    'GET /api/sources/{name}/versions': async () => ({ versions: [], more: false, kept: true }),
  }
  openPage(memoryBackend({ handlers }), '/diff')
  const pair = page.getByText(names.join(' → '))
  await expect.element(pair).toBeVisible()
  const { scrollWidth, clientWidth } = pair.element()
  expect(scrollWidth).toBe(clientWidth)
  expect(pair.element().getBoundingClientRect().right).toBeLessThan(390)
  await expect.element(page.getByText('1.0.0 → 2.0.0')).toBeVisible()
})
