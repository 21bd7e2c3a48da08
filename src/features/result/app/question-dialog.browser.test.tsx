import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { QuestionDialog } from './question-dialog.tsx'

test('QuestionDialog: ignores a click at once, and accepts one after the reading time', async () => {
  const answers: string[] = []
  const question = {
    id: 1,
    kind: 'call',
    text: 'Call erase?',
    detail: '{}',
    accept: () => answers.push('accepted'),
    decline: () => answers.push('declined'),
  } as const
  const root = createRoot(document.createElement('div'))
  onTestFinished(() => root.unmount())
  flushSync(() => root.render(<QuestionDialog question={question} />))
  const accept = page.getByRole('button', { name: 'Call anyway' })
  const button = accept.element() as HTMLButtonElement
  expect(button.disabled).toBe(true)
  button.click()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  await expect.element(accept).toBeEnabled()
  expect(answers).toEqual([])
  // A click from before the question was visible, which the page handles only now.
  const early = new MouseEvent('click', { bubbles: true })
  Object.defineProperty(early, 'timeStamp', { value: 1 })
  button.dispatchEvent(early)
  expect(answers).toEqual([])
  await accept.click()
  expect(answers).toEqual(['accepted'])
})
