/** The prompt view and the portability check, as a user meets them: on the page and on the command line. */
import { spawnSync } from 'node:child_process'
import { expectNoViolations } from './support/axe.ts'
import { expect as plainExpect, project, test } from './support/toolscope.ts'

/** The first count loads the tokenizer, on a machine that may be busy. */
const expect = plainExpect.configure({ timeout: 20_000 })
test.describe.configure({ timeout: 120_000 })

const acme = ['--', project('examples/acme/acme.mjs')]

function toolscope(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [project('dist/server/main.js'), ...words], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  return { status, stdout, stderr }
}

function promptJson(...words: readonly string[]) {
  const { stdout } = toolscope('prompt', 'node', ...words, '--json', ...acme)
  return JSON.parse(stdout)
}

const count = (value: number) => value.toLocaleString('en')

test('the page counts what the command line counts, and shows the same prompt', async ({
  page,
  toolscope: { url, origin },
}) => {
  await page.goto(url)
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await expect(page).toHaveURL(/\/prompt$/)
  const text = promptJson()
  await expect(page.getByTestId('prompt-total')).toHaveText(count(text.tokens.total))
  await expect(page.getByTestId('prompt-text')).toHaveText(text.prompt.trim())
  for (const [format, compact] of [
    ['openai', false],
    ['anthropic', true],
  ] as const) {
    const { tokens } = promptJson('--format', format, ...(compact ? ['--compact'] : []))
    await page.goto(`${origin}/prompt?format=${format}${compact ? '&form=compact' : ''}`)
    await expect(page.getByTestId('prompt-total')).toHaveText(count(tokens.total))
    await expect(
      page.getByText(`${count(tokens.compact)}, ${Math.round(tokens.saved * 100)}% less`),
    ).toBeVisible()
  }
})

test('tools are left out one by one and by words; a budget says how many fit', async ({
  page,
  toolscope: { url, origin },
}) => {
  await page.goto(url)
  await page.goto(`${origin}/prompt?format=openai`)
  const choice = page.getByRole('complementary', { name: 'Tools and form' })
  await expect(choice.getByText('16 of 16 tools in the prompt')).toBeVisible()
  await choice.getByRole('checkbox', { name: /api deploy/ }).uncheck()
  await expect(choice.getByText('15 of 16 tools in the prompt')).toBeVisible()
  await expect(page.getByTestId('prompt-text')).not.toContainText('api_deploy')
  await choice.getByRole('searchbox').fill('api *')
  await expect(choice.getByText('2 of 3 tools in the prompt')).toBeVisible()
  await page.reload()
  await expect(choice.getByText('2 of 3 tools in the prompt')).toBeVisible()
  await choice.getByRole('button', { name: 'Take all again' }).click()
  await page.getByLabel('Budget in tokens').fill('400')
  const { budget } = promptJson('--format', 'openai', '--tools', 'api *', '--budget', '400').tokens
  await expect(page.getByText(`Fits ${budget.inOrder} of 3 tools in 400 tokens`)).toBeVisible()
  await expect(page).toHaveURL(/budget=400/)
})

test('a finding leads to its tool', async ({ page, toolscope: { url, origin } }) => {
  await page.goto(url)
  await page.goto(`${origin}/prompt?client=anthropic`)
  const findings = page.getByRole('region', { name: 'Portability' })
  await findings.getByText('A name has 1 to 128 letters').click()
  await findings.getByRole('link', { name: 'api greet' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('api greet')
})

test('the page is accessible, wide and narrow', async ({ browser, toolscope: { url, origin } }) => {
  for (const width of [1440, 375]) {
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(url)
    await page.goto(`${origin}/prompt?format=mcp&budget=1000`)
    await expect(page.getByTestId('prompt-total')).toBeVisible()
    await page.getByRole('region', { name: 'Portability' }).locator('summary').first().click()
    await expectNoViolations(page, `prompt at ${width}`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow).toBeLessThanOrEqual(0)
    await context.close()
  }
})

test('the commands print data on stdout, talk on stderr, and end as a gate does', () => {
  const printed = toolscope('prompt', 'node', '--format', 'anthropic', '--tools', 'api greet', ...acme)
  expect(JSON.parse(printed.stdout)[0].name).toBe('api_greet')
  expect(printed.stderr).toContain('o200k_base')

  const failing = toolscope('lint', 'node', '--client', 'openai', ...acme)
  expect(failing.status).toBe(5)
  expect(failing.stdout).toContain('openai-name')
  expect(toolscope('lint', 'node', '--fail-on', 'never', ...acme).status).toBe(0)
  expect(
    toolscope('lint', 'node', '--tools', 'acme/status*', '--client', 'openai,anthropic', ...acme).status,
  ).toBe(0)
  const unknown = toolscope('lint', 'node', '--client', 'nobody', ...acme)
  expect(unknown.status).toBe(2)
  expect(unknown.stderr).toContain('nobody')
})
