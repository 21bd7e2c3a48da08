/** The prompt view and the portability check, as a user meets them: on the page and on the command line. */

import { acme as acmeProgram, runToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

const acme = ['--', acmeProgram]

const toolscope = (...args: readonly string[]) => runToolscope(args)

async function promptJson(...args: readonly string[]) {
  const { stdout } = await toolscope('prompt', 'node', ...args, '--json', ...acme)
  return JSON.parse(stdout)
}

const count = (value: number) => value.toLocaleString('en')

test('prompt page: counts the tokens and shows the prompt as the command line does', async ({
  page,
  toolscope: { urlOf },
}) => {
  await page.goto(urlOf('/'))
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/prompt$/)
  const mcp = await promptJson('--format', 'mcp')
  await expect(page.getByTestId('prompt-total')).toHaveText(count(mcp.tokens.total))
  const text = await promptJson()
  await page.getByText('Scripted tool').click()
  await expect(page.getByTestId('prompt-total')).toHaveText(count(text.tokens.total))
  await expect(page.getByTestId('prompt-text')).toHaveText(text.prompt.trim())
  for (const [format, compact] of [
    ['openai', false],
    ['anthropic', true],
  ] as const) {
    const { tokens } = await promptJson('--format', format, ...(compact ? ['--compact'] : []))
    await page.goto(urlOf(`/prompt?format=${format}${compact ? '&form=compact' : ''}`))
    await expect(page.getByTestId('prompt-total')).toHaveText(count(tokens.total))
    await expect(
      page.getByText(`${count(tokens.compact)}, ${Math.round(tokens.saved * 100)}% less`),
    ).toBeVisible()
  }
})

test('prompt page: leaves out tools one by one and by words, and says how many fit a budget', async ({
  page,
  toolscope: { urlOf },
}) => {
  await page.goto(urlOf('/prompt?format=openai'))
  const choice = page.getByRole('complementary', { name: 'Tools and form' })
  await expect(choice.getByText('16 of 16 tools in the prompt')).toBeVisible()
  await choice.getByRole('checkbox', { name: /api deploy/ }).uncheck()
  await expect(choice.getByText('15 of 16 tools in the prompt')).toBeVisible()
  await expect(page.getByTestId('prompt-text')).not.toContainText('api_deploy')
  await choice.getByRole('searchbox').fill('api *')
  await expect(choice.getByText('2 of 3 tools in the prompt')).toBeVisible()
  await page.reload()
  await expect(choice.getByText('2 of 3 tools in the prompt')).toBeVisible()
  await choice.getByRole('button', { name: 'Include all again' }).click()
  await page.getByLabel('Budget in tokens').fill('400')
  const { budget } = (await promptJson('--format', 'openai', '--tools', 'api *', '--budget', '400')).tokens
  await expect(page.getByText(`Fits ${budget.inOrder} of 3 tools in 400 tokens`)).toBeVisible()
  await expect(page).toHaveURL(/budget=400/)
})

test('prompt page: checks MCP first, keeps the chosen clients, and links a finding to its tool', async ({
  page,
  toolscope: { urlOf },
}) => {
  await page.goto(urlOf('/prompt'))
  const findings = page.getByRole('region', { name: 'Portability' })
  await expect(findings.getByText(/^0 errors, .* in 16 tools$/)).toBeVisible()
  await expect(findings.getByText('15 tools')).toHaveCount(1)
  await findings.getByRole('button', { name: 'anthropic' }).click()
  await expect(findings.getByText('A name has 1 to 128 letters')).toBeVisible()
  await page.goto(urlOf('/prompt'))
  await expect(findings.getByRole('button', { pressed: true })).toHaveText(['mcp', 'anthropic'])
  await findings.getByText('A name has 1 to 128 letters').click()
  await findings.getByRole('link', { name: 'api greet' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('api greet')
})

test('prompt page: has no axe violation, wide and narrow', async ({ page, toolscope: { urlOf } }) => {
  await page.goto(urlOf('/prompt?format=mcp&budget=1000'))
  await expect(page.getByTestId('prompt-total')).toBeVisible()
  await page.getByRole('region', { name: 'Portability' }).locator('summary').first().click()
  await expectNoViolationsWideAndNarrow(page, 'prompt')
})
