/** The JSON tab: nothing is thrown behind the user's back, and a text stays as it was put in. */
import { expect, test } from './support/toolscope.ts'

test('JSON tab: throws nothing, and keeps every character that is typed or pasted', async ({
  page,
  toolscope,
}) => {
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

test('JSON tab: does not send broken JSON, names the location of the error, and restores the last valid input', async ({
  page,
  toolscope,
}) => {
  const sent: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/invocations')) sent.push(request.postData() ?? '')
  })
  await page.goto(toolscope.urlOf('/?tool=acme/api+greet'))
  const name = page.getByTestId('tool-form').getByRole('textbox', { name: 'name', exact: true })
  await name.fill('Ada')
  await page.getByTestId('json-tab').click()
  const editor = page.locator('.monaco-editor').first()
  await expect(editor).toContainText('Ada')
  await editor.click()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await page.keyboard.type(',')
  const errorAt = (column: number) => `line 3, column ${column}: Quoted object key expected but got '}'`

  // It refuses, says where, and brings the cursor there: the space goes before the error.
  await expect(page.getByText(`Invalid JSON: ${errorAt(1)}`)).toBeVisible()
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('brief')).toContainText(
    `Not sent: the input is not valid JSON: ${errorAt(1)}`,
  )
  await expect(page.getByRole('button', { name: '1 problem' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send anyway' })).not.toBeAttached()
  await expect(page.locator('[data-json-editor] :focus')).toBeAttached()
  await page.keyboard.type(' ')
  await expect(page.getByTestId('brief')).toHaveText('')
  await expect(page.getByTestId('result-panel')).toContainText('No result yet')

  const restore = page.getByRole('button', { name: 'Restore the last valid input' })
  await restore.click()
  await expect(restore).not.toBeAttached()
  await expect(page.locator('[data-json-editor] :focus')).toBeAttached()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(restore).toBeVisible()

  // The form offers it too, also after the editor was away.
  await page.getByTestId('reference-tab').click()
  await page.getByTestId('form-tab').click()
  await expect(page.getByText(errorAt(2))).toBeVisible()
  await restore.click()
  await expect(name).toHaveValue('Ada')
  await expect(name).toBeFocused()
  expect(sent).toEqual([])
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-view')).toContainText('Ada')
  expect(sent).toHaveLength(1)
})
