/** Agents of an llm-functions directory: found, read, given values, and their tools called with them. */
import { cpSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

const test = testServed(async folder => {
  // A copy: the agent's tools write into their tree.
  cpSync(project('examples/functions'), join(folder, 'functions'), { recursive: true })
  await writeCook(join(folder, 'functions'))
  return startToolscope([join(folder, 'functions')], folder, {
    LLM_MCP_NEED_CONFIRM: 'clear_garden',
    LLM_AGENT_VAR_DISH: 'soup',
    LLM_AGENT_VAR_API_KEY: 'not for eyes',
  })
})

/** An agent whose function `_instructions` writes its instructions, and fails where its variable says so. */
async function writeCook(tree: string): Promise<void> {
  await mkdir(join(tree, 'agents/cook'))
  const variables = ['dish', 'api_key'].map(name => ({ name, default: 'nothing' }))
  await writeFile(
    join(tree, 'agents/cook/index.yaml'),
    JSON.stringify({ dynamic_instructions: true, variables }),
  )
  await writeFile(join(tree, 'agents/cook/functions.json'), '[]')
  const script = `#!/bin/sh
if [ "$LLM_AGENT_VAR_DISH" = stones ]; then echo 'cannot cook stones' >&2; exit 3; fi
echo "You cook $LLM_AGENT_VAR_DISH on {{__os_family__}}, with {{api_key}}." > "$LLM_OUTPUT"
`
  await writeFile(join(tree, 'bin/cook'), script, { mode: 0o755 })
}

const agentPath = '/?agent=functions/garden'

async function openAgent(page: Page, served: Running): Promise<void> {
  await page.goto(served.urlOf(agentPath))
  await expect(page.getByTestId('agent-page')).toBeVisible()
}

/** By its accessible name: the label next to it contains a star as well. */
const field = (page: Page, name: string) =>
  page.getByTestId('tool-form').getByRole('textbox', { name, exact: true })

test('agent page: opens from the source of the agent and from the palette', async ({ page, served }) => {
  await page.goto(served.urlOf('/'))
  await page.getByRole('button', { name: /^functions is ready/ }).click()
  await page.getByRole('link', { name: 'Garden keeper' }).click()
  await expect(page).toHaveURL(new RegExp(`${agentPath.replace('?', '\\?')}$`))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Garden keeper')
  await page.getByRole('button', { name: 'Toolscope: to the catalog' }).click()
  await expect(page.getByTestId('agent-page')).toHaveCount(0)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('garden keeper')
  await page.getByRole('option', { name: /Garden keeper/ }).click()
  await expect(page.getByTestId('agent-page')).toBeVisible()
})

test('agent page: shows all that index.yaml says', async ({ page, served }) => {
  await openAgent(page, served)
  const agent = page.getByTestId('agent-page')
  for (const text of ['0.2.0', 'Keeps track of what grows where', 'What grows in bed 2?', 'plant-guide.md'])
    await expect(agent).toContainText(text)
  await expect(agent.getByRole('link', { name: 'https://example.com/frost-dates.txt' })).toBeVisible()
  const instructions = page.getByTestId('agent-instructions')
  await expect(instructions).toContainText('the garden of {{owner}} in Bergen. Today is 20')
  await expect(instructions).toContainText('1. add_plant: Note down a plant.')
  await page.getByTestId('agent-variables').getByLabel('owner').fill('Ada')
  await expect(instructions).toContainText('the garden of Ada in Bergen')
  await page.getByRole('tab', { name: 'Raw' }).click()
  await expect(instructions).toContainText('the garden of {{owner}} in {{place}}. Today is {{__now__}}')
})

test('agent variables: keep their values, are sent with calls, and can be set back to the default', async ({
  page,
  served,
}) => {
  await openAgent(page, served)
  const variables = page.getByTestId('agent-variables')
  await variables.getByLabel('owner').fill('Grace')
  await variables.getByLabel('place').fill('Oslo')
  await page.reload()
  await expect(variables.getByLabel('place')).toHaveValue('Oslo')
  const sent = page.waitForRequest('**/api/invocations')
  await page.getByRole('link', { name: 'add_plant' }).click()
  await expect(page.getByTestId('calling-agent')).toContainText('Garden keeper, with 3 variables')
  await field(page, 'name').fill('Peas')
  await field(page, 'bed').fill('1')
  await page.getByTestId('call-button').click()
  expect((await sent).postDataJSON()).toMatchObject({
    ref: 'functions/garden add_plant',
    options: { variables: { owner: 'Grace', place: 'Oslo', language: 'English' } },
  })
  await expect(page.getByTestId('result-status')).toContainText('done')
  await expect(page.getByTestId('result-view')).toContainText('bed 1 of Grace’s garden in Oslo')
  await page.getByTestId('calling-agent').getByRole('link').click()
  await variables.getByRole('button', { name: 'Use the default' }).click()
  await expect(variables.getByLabel('place')).toHaveValue('Bergen')
})

test('agent variables: are sent with a repeated call as they were at the first call', async ({
  page,
  served,
}) => {
  await openAgent(page, served)
  const variables = page.getByTestId('agent-variables')
  await variables.getByLabel('owner').fill('Grace')
  await page.getByRole('link', { name: 'add_plant' }).click()
  await field(page, 'name').fill('Beans')
  await field(page, 'bed').fill('3')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-view')).toContainText('bed 3 of Grace’s garden')
  await page.getByTestId('calling-agent').getByRole('link').click()
  await variables.getByLabel('owner').fill('Ada')
  await page.goto(served.urlOf('/history?text=beans'))
  await page.getByRole('region', { name: 'Calls' }).getByRole('button').first().click()
  await expect(page.getByLabel('Variables of the agent')).toContainText('ownerGrace')
  const sent = page.waitForRequest('**/api/invocations')
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({ options: { variables: { owner: 'Grace' } } })
  await expect(page.getByTestId('result-view')).toContainText('bed 3 of Grace’s garden')
})

test('agent instructions: use variables of the environment before the defaults, and show why their script fails', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?agent=functions/cook'))
  const instructions = page.getByTestId('agent-instructions')
  await expect(instructions).toContainText('You cook soup on unix, with •••.')
  const variables = page.getByTestId('agent-variables')
  await expect(variables.getByLabel('dish', { exact: true })).toHaveValue('soup')
  await expect(variables.getByText('from the environment')).toHaveCount(2)
  expect(await page.content()).not.toContain('not for eyes')
  await variables.getByLabel('dish', { exact: true }).fill('stones')
  await page.getByRole('button', { name: 'Run again' }).click()
  const region = page.getByRole('region', { name: 'Dynamic instructions' })
  await expect(region.getByRole('alert')).toContainText('No text: exit code 3.')
  await expect(region).toContainText('cannot cook stones')
})

test('source page: shows the folder that the tools run in, changes it, refuses a missing one, and resets it', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?about=functions'))
  const field = page.getByLabel('Tools run in')
  const started = await field.inputValue()
  expect(started).not.toContain('functions')
  await field.fill('nowhere')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(page.getByText('nowhere is not a directory')).toBeVisible()
  await field.fill('functions/agents')
  await page.getByRole('button', { name: 'Set', exact: true }).click()
  await expect(field).toHaveValue(join(started, 'functions/agents'))
  await page.goto(served.urlOf('/?tool=functions/largest_files'))
  await page.getByTestId('tool-form').getByRole('textbox', { name: 'folder', exact: true }).fill('garden')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-view')).toContainText('garden/')
  await page.goto(served.urlOf('/?about=functions'))
  await page.getByRole('button', { name: 'Reset', exact: true }).click()
  await expect(field).toHaveValue(started)
})

test('agent page: opens a shared tool for its agent, and the catalog opens that tool for no agent', async ({
  page,
  served,
}) => {
  await openAgent(page, served)
  await page.getByRole('region', { name: 'Shared tools' }).getByRole('link').click()
  await expect(page.getByTestId('tool-title')).toHaveText('convert_units')
  await expect(page.getByTestId('calling-agent')).toBeVisible()
  await page.locator('[data-testid="catalog-row"][data-tool="functions/word_stats"]').click()
  await expect(page.getByTestId('tool-title')).toHaveText('word_stats')
  await page.locator('[data-testid="catalog-row"][data-tool="functions/convert_units"]').click()
  await expect(page.getByTestId('tool-title')).toHaveText('convert_units')
  await expect(page.getByTestId('calling-agent')).toHaveCount(0)
})

test('confirmation: asks before a call of a tool that LLM_MCP_NEED_CONFIRM names, and shows the exact input', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await page.locator('[data-testid="catalog-row"][data-tool="functions/garden clear_garden"]').click()
  await expect(page.getByText('asks first')).toBeVisible()
  await page.getByTestId('call-button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('LLM_MCP_NEED_CONFIRM asks before this tool.')
  await expect(dialog.locator('pre')).toHaveText('{}')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByTestId('result-status')).toHaveCount(0)
  await page.getByTestId('call-button').click()
  await dialog.getByRole('button', { name: 'Call anyway' }).click()
  await expect(page.getByTestId('result-status')).toContainText('done')
})

test('agent page: has no axe violation, wide and narrow', async ({ page, served }) => {
  await openAgent(page, served)
  await page.getByTestId('agent-variables').getByLabel('place').fill('Oslo')
  await expectNoViolationsWideAndNarrow(page, 'agent')
  await page.getByRole('link', { name: 'add_plant' }).click()
  await expect(page.getByTestId('calling-agent')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'a tool of the agent')
})
