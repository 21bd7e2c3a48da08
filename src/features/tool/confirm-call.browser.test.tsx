import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
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
