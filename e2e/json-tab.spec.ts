/** The JSON tab: nothing is thrown behind the user's back, and a text stays as it was put in. */
import { expect, test } from './support/toolscope.ts'

test('the JSON tab throws nothing, and keeps what is typed to the letter', async ({ page, toolscope }) => {
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  await page.goto(toolscope.urlOf('/?tool=acme/api+greet&tab=json'))
  const editor = page.locator('.monaco-editor').first()
  await expect(editor).toBeVisible()
  await editor.click()
  const text = '{"name": "Ada [the] (first)", "language": "en"}'
  await page.keyboard.type(text)
  // The draft that is kept is the text of the editor.
  const kept = () => page.evaluate(() => Object.values({ ...localStorage }))
  await expect.poll(kept).toContain(text)
  // Completion, marks and hovering all wake parts of the editor that start late.
  await page.keyboard.press('Control+Space')
  await expect(page.locator('.suggest-widget')).toBeVisible()
  await page.keyboard.press('Escape')
  await editor.getByText('"name"').hover()
  await expect(page.locator('.monaco-hover').filter({ hasText: 'Whom to greet' })).toBeVisible()

  // What is put in at once stays as it is.
  await page.keyboard.press('ControlOrMeta+A')
  const pasted = '{\n"name":\n      "Ada"}'
  await page.keyboard.insertText(pasted)
  await expect.poll(kept).toContain(pasted)
  expect(thrown).toEqual([])
})
