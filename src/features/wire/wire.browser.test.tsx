import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { WirePage, WireRow } from '../../../core/api/wire.ts'
import { AppError } from '../../../core/errors.ts'
import type { RequestTo } from '../../api/backend.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

type Query = NonNullable<RequestTo<'GET /api/sources/{name}/wire'>['query']>

const textsOfRows = [
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"greet","arguments":{"n":12345678901234567890}}}',
  'a line of the log',
  '{"jsonrpc":"2.0","id":1,"result":{"content":[]}}',
]
const common = { atMs: 1.5, bytes: 90, preview: '' } as const
const call = { id: '1', method: 'tools/call', tool: 'greet', latencyMs: 12 }
const rows: readonly WireRow[] = [
  { ...common, ...call, seq: 1, direction: 'sent', part: 'message', kind: 'request', pairSeq: 3 },
  {
    ...common,
    seq: 2,
    direction: 'received',
    part: 'message',
    preview: 'a line of the log',
    violations: [{ code: 'not-json', message: 'the line is not JSON' }],
  },
  { ...common, ...call, seq: 3, direction: 'received', part: 'message', kind: 'result', pairSeq: 1 },
]

/** A wire of these rows. `add` adds one, which a waiting request receives. */
function openWire(
  address: string,
  initial: readonly WireRow[] = rows,
  texts: readonly string[] = textsOfRows,
) {
  const all = [...initial]
  const asked: Query[] = []
  const waiting = new Set<() => void>()
  const answerAll = () => {
    for (const answer of waiting) answer()
    waiting.clear()
  }
  onTestFinished(answerAll)
  const readPage = (query: Query): WirePage => {
    const matching = all.filter(({ seq }) => query.text === undefined || texts[seq - 1]?.includes(query.text))
    return {
      rows: matching.filter(({ seq }) => seq > Number(query.after ?? 0)),
      hasBefore: false,
      hasAfter: false,
      firstSeq: 1,
      lastSeq: all.length,
      total: all.length,
      matches: matching.length,
      dropped: 0,
      isPaused: false,
      startedAt: '2026-11-28T00:00:00.000Z',
    }
  }
  const sent: string[] = []
  const readAddress = openPage(
    memoryBackend({
      tools: ['greet'],
      handlers: {
        async 'GET /api/sources/{name}/wire'({ query = {}, signal }) {
          asked.push(query)
          if (query.wait && Number(query.after) >= all.length)
            await new Promise<void>(resolve => {
              waiting.add(resolve)
              signal?.addEventListener('abort', () => resolve())
            })
          return readPage(query)
        },
        async 'GET /api/sources/{name}/wire/{seq}'({ params: { seq } }) {
          const row = all[Number(seq) - 1]
          if (row === undefined) throw new AppError('source-not-found', 'no such message')
          const { direction, part, atMs, bytes } = row
          return {
            row,
            message: { seq: row.seq, direction, part, atMs, bytes, text: texts[row.seq - 1] ?? '{}' },
          }
        },
        async 'POST /api/sources/{name}/wire/send'({ body }) {
          sent.push(body.text)
          return { after: all.length }
        },
        async 'GET /api/recordings'() {
          return { recordings: [] }
        },
      },
    }),
    address,
  )
  const add = (row: WireRow) => {
    all.push(row)
    answerAll()
  }
  return { asked, add, sent, readAddress }
}

const row = (seq: number) =>
  page
    .getByRole('listbox', { name: 'Messages of desk' })
    .getByRole('option')
    .nth(seq - 1)

test('wire: lists messages with their marks, and adds a new one', async () => {
  const { add } = openWire('/wire?source=desk')
  await expect.element(row(1)).toHaveTextContent('requesttools/callgreet')
  await expect.element(row(2)).toHaveTextContent('not JSON')
  await expect.element(row(3)).toHaveTextContent('12 ms')
  add({ ...common, seq: 4, direction: 'received', part: 'stderr', preview: 'one more' })
  await expect.element(row(4)).toHaveTextContent('one more')
  await expect.element(page.getByTestId('wire-count')).toHaveTextContent('4 messages')
})

test('wire: opens a message, jumps to its answer by a key and marks the pair', async () => {
  const { readAddress } = openWire('/wire?source=desk')
  await row(1).click()
  await expect
    .element(page.getByRole('article', { name: 'Message 1' }))
    .toHaveTextContent('12345678901234567890')
  await expect.element(row(3)).toHaveClass(/pair/)
  await userEvent.keyboard('p')
  await expect.element(page.getByRole('article', { name: 'Message 3' })).toBeVisible()
  expect(readAddress()).toBe('/wire?source=desk&message=3')
  await row(2).click()
  await expect
    .element(page.getByRole('region', { name: 'Violations of the protocol' }))
    .toHaveTextContent('nothing to stdout')
  await page.getByRole('button', { name: 'Pin' }).click()
  await expect.element(page.getByRole('listbox', { name: 'Pinned messages' })).toHaveTextContent('not JSON')
  await page.getByRole('button', { name: 'Unpin' }).click()
})

test('wire: the server searches, and the way out of an empty list clears the filters', async () => {
  const { asked, readAddress } = openWire('/wire?source=desk')
  await expect.element(row(1)).toBeVisible()
  await page.getByLabelText('Find messages').fill('log')
  await expect.element(page.getByTestId('wire-count')).toHaveTextContent('1 of 3 messages')
  await page.getByLabelText('Find messages').fill('nothing has this')
  await expect.element(page.getByText('No message matches')).toBeVisible()
  expect(asked.some(({ text, after }) => text === 'nothing has this' && after === undefined)).toBe(true)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(row(3)).toBeVisible()
  expect(readAddress()).toBe('/wire?source=desk')
})

test('wire: a message that the catalog has no tool for is sent again as it was edited', async () => {
  const ping: WireRow = {
    ...common,
    seq: 1,
    direction: 'sent',
    part: 'message',
    kind: 'request',
    method: 'ping',
    id: '1',
  }
  const { sent, add } = openWire(
    '/wire?source=desk&message=1',
    [ping],
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}'],
  )
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.poll(() => sent.length).toBe(1)
  add({ ...ping, seq: 2 })
  await expect.element(page.getByRole('article', { name: 'Message 2' })).toBeVisible()
})

test('wire: an edited message is there again after another one, and Escape leads to the list', async () => {
  openWire('/wire?source=desk&message=1')
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  const editor = page.getByRole('region', { name: 'Edit and send again' })
  await expect.element(editor.getByRole('code')).toBeVisible()
  await userEvent.click(editor.getByRole('code'))
  await userEvent.keyboard('{Control>}{Home}{/Control}9')
  await expect.element(editor.getByRole('alert')).toHaveTextContent('Not JSON')
  await row(3).click()
  await expect.element(page.getByRole('article', { name: 'Message 3' })).toBeVisible()
  await row(1).click()
  await expect.element(editor.getByRole('alert')).toHaveTextContent('Not JSON')
  const { innerWidth, innerHeight } = window
  onTestFinished(() => page.viewport(innerWidth, innerHeight))
  await page.viewport(700, 800)
  await expect.element(page.getByRole('button', { name: 'Wire', exact: true })).toBeVisible()
  await expect.element(editor.getByRole('alert')).toHaveTextContent('Not JSON')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('listbox', { name: 'Messages of desk' })).toHaveFocus()
})

test('wire: without messages it says how they come', async () => {
  openWire('/wire', [])
  await expect.element(page.getByText('Nothing yet: call a tool')).toBeVisible()
})
