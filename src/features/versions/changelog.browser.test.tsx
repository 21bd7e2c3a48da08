import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { ChangelogPage } from '../../../core/api/versions.ts'
import { AppError } from '../../../core/errors.ts'
import type { ChangelogEntry } from '../../../core/report/changelog.ts'
import { makeChangelog } from '../../../core/report/make-changelog.ts'
import type { Handlers } from '../../api/local-backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const evil = '<img src=x onerror="alert(1)"> \u202egnp.exe'

function entriesOf(sides: readonly (readonly object[])[]): Promise<ChangelogEntry[]> {
  return makeChangelog(
    sides.map((tools, at) => ({
      reference: `desk@${at + 1}`,
      name: `desk@${at + 1}`,
      time: new Date(at * 86_400_000).toISOString(),
      note: at === 0 ? evil : undefined,
      side: { tools: tools.map((tool, index) => ({ name: `tool ${index}`, inputSchema: {}, ...tool })) },
    })),
  )
}
const limits = (names: readonly string[], maximum: number) => ({
  name: 'wide',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, { type: 'integer', maximum }])),
  },
})

const answering = (
  answer: (query: { readonly cursor?: string; readonly kind?: string }) => Promise<ChangelogPage>,
): Handlers => ({
  'GET /api/sources/{name}/changelog': ({ query = {} }) =>
    answer({
      ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
      ...(query.kind === undefined ? {} : { kind: query.kind }),
    }),
})
const open = (handlers: Handlers, address = '/changelog?source=desk') =>
  openPage(memoryBackend({ tools: ['greet'], handlers }), address)

const versions = page.getByTestId('changelog-version')

test('changelog: shows older versions on demand', async () => {
  const entries = await entriesOf(Array.from({ length: 5 }, (_, at) => [limits(['n'], at + 1)]))
  open(
    answering(async ({ cursor }) => {
      const rest = entries.slice(entries.findIndex(({ reference }) => reference === cursor) + 1)
      const shown = rest.slice(0, 3)
      const last = rest.length > 3 ? shown.at(-1) : undefined
      return {
        kind: 'snapshot',
        kinds: ['snapshot'],
        entries: shown,
        unreadable: [],
        ...(last ? { nextCursor: last.reference } : {}),
      }
    }),
  )
  await expect.poll(() => versions.elements().length).toBe(3)
  await page.getByRole('button', { name: 'Show older ones' }).click()
  await expect.poll(() => versions.elements().length).toBe(5)
  await expect.element(page.getByRole('button', { name: 'Show older ones' })).not.toBeInTheDocument()
  await expect.element(versions.nth(0)).toHaveTextContent('desk@5minor')
})

test('changelog: shows three of many breaks in a version, then ten, and counts the others', async () => {
  const names = [...'abcdefghijklmn']
  const entries = await entriesOf([[limits(names, 9)], [limits(names, 8)]])
  open(answering(async () => ({ kind: 'snapshot', kinds: ['snapshot'], entries, unreadable: [] })))
  const breaks = versions.nth(0).getByRole('listitem')
  await expect.poll(() => breaks.elements().length).toBe(3)
  await page.getByRole('button', { name: 'Show 7 more breaking changes' }).click()
  await expect.poll(() => breaks.elements().length).toBe(10)
  await expect.element(page.getByText('4 more breaking changes in the full comparison')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Full comparison of desk@1 and desk@2' }))
    .toHaveAttribute('href', '/diff?a=desk%401&b=desk%402')
})

test('changelog: switches to commits, keeps that in the URL, and names what is not a manifest', async () => {
  const entries = await entriesOf([[limits(['n'], 1)]])
  const address = open(
    answering(async ({ kind }) => ({
      kind: kind === 'git' ? 'git' : 'snapshot',
      kinds: ['snapshot', 'git'],
      entries,
      unreadable: kind === 'git' ? ['1f3a2b4c'] : [],
    })),
  )
  await page.getByRole('button', { name: 'Commits' }).click()
  await expect.element(page.getByText('Not readable as a manifest, so left out: 1f3a2b4c')).toBeVisible()
  expect(address()).toBe('/changelog?source=desk&kind=git')
  await expect.element(page.getByRole('button', { name: 'Commits' })).toHaveAttribute('aria-pressed', 'true')
})

test('changelog: shows hostile text as text', async () => {
  const entries = await entriesOf([[], [{ name: evil }]])
  open(answering(async () => ({ kind: 'snapshot', kinds: ['snapshot'], entries, unreadable: [] })))
  await expect.element(versions.nth(0)).toHaveTextContent('<img src=x onerror="alert(1)"> \\u{202e}gnp.exe')
  expect(document.querySelector('main img')).toBeNull()
})

test('changelog: says that no version is known', async () => {
  open(answering(async () => ({ kind: 'snapshot', kinds: [], entries: [], unreadable: [] })))
  await expect.element(page.getByText('No version of desk is known yet')).toBeVisible()
})

test('changelog: shows the message of a failed request', async () => {
  open(
    answering(async () => {
      throw new AppError('request-invalid', 'the comparisons took longer than 60 s')
    }),
  )
  await expect.element(page.getByText('the comparisons took longer than 60 s')).toBeVisible()
})

test('changelog: says that an export has none', async () => {
  open({})
  await expect.element(page.getByText('This page has no changelog')).toBeVisible()
})
