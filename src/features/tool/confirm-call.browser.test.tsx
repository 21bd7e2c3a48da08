import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'
import { replaceDraft } from './use-draft.ts'

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

test.each([
  ['its program asks', { extra: { guard: "Remove '$argc_path'?" } }, "Its program asks: “Remove '/tmp/x'?”"],
  ['the user has a rule', { extra: { confirm: true } }, 'LLM_MCP_NEED_CONFIRM asks before this tool.'],
  [
    'its source says so',
    { annotations: { destructiveHint: true } },
    'The server marks this tool destructive (unverified).',
  ],
])(
  'call confirmation: asks because %s, and calls the tool only after a yes',
  async (_why, more, question) => {
    const calls: unknown[] = []
    const answer = (input: unknown) => {
      calls.push(input)
      return { structuredContent: 'removed' }
    }
    openPage(
      memoryBackend({ tools: [{ name: 'remove', inputSchema, ...more }], answer }),
      '/?tool=desk/remove',
    )
    await page.getByTestId('tool-form').getByLabelText('path').fill('/tmp/x')
    await page.getByTestId('call-button').click()
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toHaveTextContent(question)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(calls).toEqual([])
    await page.getByTestId('call-button').click()
    await dialog.getByRole('button', { name: 'Call anyway' }).click()
    await expect.element(page.getByTestId('result-view')).toHaveTextContent('removed')
    expect(calls).toEqual([{ path: '/tmp/x' }])
  },
)

test('call confirmation: shows the input indented', async () => {
  openPage(
    memoryBackend({
      tools: [{ name: 'compact', inputSchema, annotations: { destructiveHint: true } }],
      answer: input => ({ structuredContent: input }),
    }),
    '/?tool=desk/compact',
  )
  await expect.element(page.getByTestId('tool-form')).toBeVisible()
  const ref = 'desk/compact'
  const tool = {
    ref,
    source: 'desk',
    index: 0,
    name: 'compact',
    callable: true,
    schemaHash: ref,
    inputSchema,
  }
  replaceDraft(tool, { text: '{"path":"/tmp/x"}' })
  await page.getByTestId('call-button').click()
  await expect.element(page.getByRole('dialog')).toHaveTextContent('{ "path": "/tmp/x" }')
})

/** Opens a page with one destructive tool, and returns the inputs of the calls so far. */
function openDestructive(name: string, more: object = {}) {
  const calls: unknown[] = []
  const tool = { name, inputSchema: {}, annotations: { destructiveHint: true }, ...more }
  openPage(
    memoryBackend({
      tools: [tool],
      answer: input => {
        calls.push(input)
        return { structuredContent: 'removed' }
      },
    }),
    `/?tool=desk/${name}`,
  )
  return calls
}
const dialog = page.getByRole('dialog')

test('call confirmation: Enter calls, Escape does not, and the focus is on the call', async () => {
  const calls = openDestructive('by-key')
  await page.getByTestId('call-button').click()
  await expect.element(dialog.getByRole('button', { name: 'Call anyway' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(calls).toHaveLength(0)
  await page.getByTestId('call-button').click()
  await expect.element(dialog.getByRole('button', { name: 'Call anyway' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByTestId('result-view')).toHaveTextContent('removed')
  expect(calls).toHaveLength(1)
})

test('call confirmation: ignores Enter that is still held since it opened', async () => {
  const calls = openDestructive('held')
  await page.getByTestId('call-button').click()
  const button = dialog.getByRole('button', { name: 'Call anyway' })
  await expect.element(button).toHaveFocus()
  const held = new KeyboardEvent('keydown', { key: 'Enter', repeat: true, bubbles: true, cancelable: true })
  expect(button.element().dispatchEvent(held)).toBe(false)
  await expect.element(dialog).toBeVisible()
  expect(calls).toHaveLength(0)
})

test('call confirmation: does not ask again for a tool in this window after the user said so', async () => {
  const calls = openDestructive('again')
  await page.getByTestId('call-button').click()
  await dialog.getByLabelText('ask again for this tool').click()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => calls).toHaveLength(1)
  await expect.element(page.getByTestId('call-button')).toHaveTextContent('Call')
  await page.getByTestId('call-button').click()
  await expect.poll(() => calls).toHaveLength(2)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('call confirmation: asks again if the tool has changed since', async () => {
  const calls = openDestructive('again', { description: 'Now it removes everything.' })
  await page.getByTestId('call-button').click()
  await expect.element(dialog).toBeVisible()
  expect(calls).toHaveLength(0)
})

test('call confirmation: asks once if the source says so', async () => {
  const calls = openDestructive('once', { extra: { askBeforeDestructive: 'once' } })
  await page.getByTestId('call-button').click()
  await expect.element(dialog).toHaveTextContent('It is asked once for this tool in this window.')
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => calls).toHaveLength(1)
  await page.getByTestId('call-button').click()
  await expect.poll(() => calls).toHaveLength(2)
})

test('call confirmation: asks again if the source asks each time since', async () => {
  // The tool was confirmed in the test before.
  const calls = openDestructive('once', { extra: { askBeforeDestructive: 'each-call' } })
  await page.getByTestId('call-button').click()
  await expect.element(dialog).toBeVisible()
  expect(calls).toHaveLength(0)
})

test('call confirmation: does not ask if the source never asks', async () => {
  const calls = openDestructive('never', { extra: { askBeforeDestructive: 'never' } })
  await page.getByTestId('call-button').click()
  await expect.poll(() => calls).toHaveLength(1)
  await expect.element(dialog).not.toBeInTheDocument()
})

test('call confirmation: always asks for a tool of LLM_MCP_NEED_CONFIRM, and offers nothing else', async () => {
  const calls = openDestructive('ruled', { extra: { confirm: true, askBeforeDestructive: 'never' } })
  for (const times of [1, 2]) {
    await page.getByTestId('call-button').click()
    await expect.element(dialog).toHaveTextContent('LLM_MCP_NEED_CONFIRM asks before this tool.')
    expect(dialog.getByRole('checkbox').elements()).toHaveLength(0)
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => calls).toHaveLength(times)
  }
})
