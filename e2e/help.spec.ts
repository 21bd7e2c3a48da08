/** The Help tab: the help that the command line prints, whose values fill the form. */
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

test('shows the man page, and its values fill the form', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?tool=acme/people+invite'))
  await page.getByTestId('help-tab').click()
  await expect(page).toHaveURL(/tab=help/)
  const help = page.getByTestId('help')
  await expect(help.getByText('people_invite', { exact: true }).first()).toBeVisible()
  await help.getByRole('button', { name: 'Use "auditor" for role in the form' }).click()
  await expect(help.getByRole('status')).toHaveText('role is filled in the form.')
  await help.getByRole('button', { name: 'Use "search" for teams[] in the form' }).click()
  await page.getByTestId('json-tab').click()
  await expect(page.locator('.view-lines').first()).toContainText('"auditor"')
  await page.getByTestId('help-tab').click()
  await expect(help.getByRole('button', { name: 'Use "auditor" for role' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await help.getByRole('button', { name: 'JSON', exact: true }).click()
  await expect(help.locator('.view-lines').first()).toContainText('input_schema')
})

test('is accessible and fits', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?tool=acme/api+deploy&tab=help'))
  await expect(page.getByTestId('help')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'help')
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 })
    const beyond = await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement
      return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight]
    })
    expect(beyond).toEqual([0, 0])
  }
})
