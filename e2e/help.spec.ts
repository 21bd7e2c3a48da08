/** Help at run time: on the command line of the built program, and in the page's Help tab. */
import { spawn } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoViolations } from './support/axe.ts'
import { expect, project, test } from './support/toolscope.ts'

const acme = project('examples/acme/acme.mjs')

/** Runs the program in an empty folder. */
function toolscope(args: readonly string[], directory = mkdtempSync(join(tmpdir(), 'toolscope-help-'))) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve => {
    const child = spawn(process.execPath, [project('dist/server/main.js'), ...args], { cwd: directory })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => {
      stdout += chunk
    })
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.on('close', code => resolve({ code, stdout, stderr }))
  })
}

test.describe('toolscope help', () => {
  test('lists, tells and prints JSON, of the sources named or configured', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolscope-help-'))
    writeFileSync(
      join(directory, 'toolscope.json'),
      JSON.stringify({ sources: { acme: { command: ['node', acme] } } }),
    )
    const list = await toolscope(['help', '--list'], directory)
    expect(list.stdout.split('\n')[0]).toBe('api_greet            Greet someone politely')
    expect(list.stdout.trimEnd().split('\n')).toHaveLength(16)
    expect((await toolscope(['help', 'acme'], directory)).stdout).toBe(list.stdout)
    expect((await toolscope(['help', 'node', '--', acme], directory)).stdout).toBe(list.stdout)

    const greet = await toolscope(['help', 'api_greet'], directory)
    expect(greet).toMatchObject({
      code: 0,
      stdout: 'api_greet - Greet someone politely\nUsage: api_greet --name <string>\n',
    })
    expect((await toolscope(['help', 'api greet', 'node', '--', acme])).stdout).toBe(greet.stdout)

    const json = JSON.parse((await toolscope(['help', 'people_invite', '--json'], directory)).stdout)
    expect(Object.keys(json)).toEqual(['description', 'input_schema', 'name'])
    expect(json.input_schema.properties.role.enum).toEqual(['owner', 'maintainer', 'developer', 'auditor'])

    const man = await toolscope(['help', 'billing_estimate', '--man'], directory)
    expect(man.stdout).toContain('    billing_estimate --items <json|key=value...> [--currency <string>]')
    expect(man.stdout).toMatch(/^ +items\[\]\.service\n +enum · required\n +One of: "compute", "memory"/m)
    for (const title of ['NAME', 'USAGE', 'PARAMETERS', 'OUTPUT', 'EXIT CODES', 'SOURCE'])
      expect(man.stdout).toMatch(new RegExp(`^${title}$`, 'm'))
  })

  test('answers an unknown tool as the seed system does, with the nearest names', async () => {
    const nope = await toolscope(['help', 'nope', 'node', '--', acme])
    expect(nope).toMatchObject({ code: 1, stdout: '' })
    expect(nope.stderr.split('\n')[0]).toBe('help: unknown tool: nope')
    const near = await toolscope(['help', 'api_gret', 'node', '--', acme])
    expect(near.stderr).toContain('Did you mean api_greet?')
  })

  test('tells of its own commands where no source is named', async () => {
    const own = await toolscope(['help'])
    expect(own.code).toBe(0)
    expect(own.stdout).toMatch(/^serve {16}Serve the page/)
    expect((await toolscope(['help', 'call'])).stdout).toMatch(/^Usage: toolscope call /)
    const { stdout } = await toolscope(['help', 'call', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'call', input_schema: { type: 'object' } })
  })

  test('lets no escape sequence of a source through', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'toolscope-help-'))
    const name = '\u001b[2Jevil'
    const tool = {
      name,
      description: '\u001b]0;owned\u0007 \u009b31m',
      inputSchema: { properties: { [name]: {} } },
    }
    writeFileSync(join(directory, 'm.json'), JSON.stringify({ tools: [tool] }))
    for (const args of [
      ['m.json'],
      ['_2Jevil', 'm.json'],
      ['_2Jevil', 'm.json', '--man'],
      ['m.json', '--json'],
    ]) {
      const { stdout, stderr } = await toolscope(['help', ...args], directory)
      expect(stdout).toContain('owned')
      expect(`${stdout}${stderr}`.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
    }
  })
})

test('toolscope discover finds by word, category and tag', async () => {
  const discover = (...args: string[]) => toolscope(['discover', ...args, 'node', '--', acme])
  expect((await discover('--categories')).stdout).toMatch(/^acme \(16 tools\)\napi \(3 tools\)$/m)
  expect((await discover('--search', 'GREET')).stdout).toBe('api_greet            Greet someone politely\n')
  expect(await discover('--search', 'nothing like it')).toMatchObject({ code: 0, stdout: '' })
  expect((await discover('--category', 'people', '--tag', 'typed-output')).stdout).toMatch(/^people_find /)
  expect((await discover()).code).toBe(2)
})

test.describe('the Help tab', () => {
  test('shows the man page, and its values fill the form', async ({ page, toolscope: program }) => {
    await page.goto(program.url)
    await page.goto(`${program.origin}/?tool=${encodeURIComponent('acme/people invite')}`)
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

  test('is accessible and fits', async ({ browser, toolscope: program }) => {
    test.setTimeout(150_000)
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await page.goto(program.url)
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: 900 })
      await page.goto(`${program.origin}/?tool=${encodeURIComponent('acme/api deploy')}&tab=help`)
      await expect(page.getByTestId('help')).toBeVisible({ timeout: 20_000 })
      await expectNoViolations(page, `help at ${width} px`)
      const beyond = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [scrollWidth - window.innerWidth, scrollHeight - window.innerHeight]
      })
      expect(beyond).toEqual([0, 0])
    }
    await context.close()
  })
})
