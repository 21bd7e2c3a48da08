/** Skills of a server: listed with their files, read, verified, and followed when they change. */
import { project } from '../scripts/project.mjs'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

const test = testServed(() =>
  startToolscope(['node', '--', project('server/sources/fixtures/mcp-skills.mjs')]),
)

test('skills: a skill shows its files, and a file that is read is verified', async ({ page, served }) => {
  await page.goto(served.urlOf('/'))
  await expect(page.getByRole('treeitem', { name: 'Skills 3', exact: true })).toBeAttached()
  await page.locator('[data-tool="mcp-skills/skills/skill://fill-forms/SKILL.md"]').click()
  await page.getByRole('tab', { name: 'Skill', exact: true }).click()
  const skill = page.getByTestId('skill')
  for (const file of ['SKILL.md', 'logo.bin', 'references/FORMS.md', 'scripts/fill.py'])
    await expect(skill.getByRole('cell', { name: file, exact: true })).toBeVisible()
  await expect(skill.getByRole('heading', { name: 'Fill forms' })).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'a skill with its files')

  await page.getByRole('tab', { name: 'Form' }).click()
  await page.getByTestId('tool-form').getByLabel('file').selectOption('references/FORMS.md')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-panel')).toContainText(/verified: \d+ bytes, sha256:[\da-f]{64}/)
})

test('skills: a text that the server changed is the new text of the page', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=mcp-skills/skills/skill://review/SKILL.md'))
  await page.getByRole('tab', { name: 'Skill', exact: true }).click()
  await expect(page.getByTestId('skill')).toContainText('Review')
  const before = await page.getByTestId('skill').innerText()
  await page.evaluate(() =>
    fetch('/api/invocations', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ ref: 'mcp-skills/edit', input: {} }),
    }).then(answer => answer.text()),
  )
  await expect.poll(() => page.getByTestId('skill').innerText()).not.toBe(before)
})
