/** `toolscope export`: the site in Chromium, from a plain host's sub-folder and from a folder on disk. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { acme as acmeProgram, runToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

/** A host that knows nothing but files, and serves the site in a folder of a folder. */
async function host(folder: string): Promise<{ url: string; server: Server }> {
  const prefix = '/docs/tools/'
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const file = join(folder, path === prefix ? 'index.html' : path.slice(prefix.length))
    if (!path.startsWith(prefix) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/json' })
    response.end(readFileSync(file))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`, server }
}

const manyTools = (count: number) => ({
  tools: Array.from({ length: count }, (_, at) => ({
    name: `area${at % 100} tool_${at}`,
    description: `Reads page ${at} of the ledger and says what stands there`,
    inputSchema: { type: 'object', properties: { account: { type: 'string' }, [`field_${at}`]: {} } },
    outputSchema: { type: 'object', properties: { tool: { type: 'string' } } },
  })),
})

let folder: string
let site: string
/** With a store of its own. */
const toolscope = (args: readonly string[]) =>
  runToolscope(args, { directory: folder, environment: { TOOLSCOPE_DATA_DIR: join(folder, '.data') } })
test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolscope-export-'))
  site = join(folder, 'site')
  const acme = { command: ['node', acmeProgram] }
  const many = { manifest: 'many.json' }
  const versioned = { manifest: 'versioned.json' }
  writeFileSync(join(folder, 'many.json'), JSON.stringify(manyTools(5_000)))
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources: { acme, many, versioned } }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: folder })
  git('init', '-q')
  for (const maximum of [100, 50]) {
    const properties = { name: { type: 'string', maxLength: maximum } }
    const tools = [{ name: 'greet', inputSchema: { type: 'object', properties } }]
    writeFileSync(join(folder, 'versioned.json'), JSON.stringify({ tools }))
    git('add', 'versioned.json')
    git('commit', '-qm', `at most ${maximum}`)
  }
  const { code, stderr } = await toolscope(['export', '--trust', '-o', 'site'])
  expect(code, stderr).toBe(0)
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Watched {
  readonly requests: string[]
  readonly errors: string[]
}

function watch(page: Page): Watched {
  const watched: Watched = { requests: [], errors: [] }
  page.on('request', request => watched.requests.push(request.url()))
  page.on('requestfailed', request => watched.errors.push(`failed: ${request.url()}`))
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') watched.errors.push(message.text())
  })
  page.on('pageerror', error => watched.errors.push(String(error)))
  return watched
}

async function browse(page: Page, url: string): Promise<void> {
  const root = url.slice(0, url.lastIndexOf('/') + 1)
  const { requests, errors } = watch(page)
  await page.goto(url)
  await expect(page.getByTestId('catalog-count')).toHaveText(/5,017 of 5,017/)
  for (const name of ['Add source', 'Call', 'callable'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)

  await page.getByTestId('catalog-search').fill('deploy build')
  await expect(page.getByTestId('catalog-count')).not.toHaveText(/5,017 of 5,017/)
  const deploy = page.locator('[data-tool="acme/api deploy"]')
  await deploy.click()
  await expect(page.getByTestId('tool-title')).toHaveText('api deploy')
  expect(page.url()).toContain('#/?')
  await expect(page.getByRole('table', { name: 'Input fields' })).toContainText('environment')
  await expect(page.getByRole('table', { name: 'Output fields' })).toContainText('release')
  await page.getByText('Input schema as JSON').click()
  await expect(page.getByRole('textbox', { name: 'Input schema as JSON' })).toHaveValue(/"build"/)
  await expect(page.getByTestId('call-button')).toHaveCount(0)
  await expect(page.getByTestId('result-panel')).toHaveCount(0)
  await expect(page.getByRole('tab', { name: /Form|JSON|Examples/ })).toHaveCount(0)

  // By a field's name, and in a chunk that has not been loaded.
  await page.getByTestId('catalog-search').fill('field_4321')
  await page.locator('[data-tool="many/area21 tool_4321"]').click()
  await expect(page.getByTestId('tool-title')).toHaveText('area21 tool_4321')
  await expect(page.getByTestId('reference')).toContainText('field_4321')

  // A deep link, fresh; back and forth.
  const link = page.url()
  await page.goto('about:blank')
  await page.goto(link)
  await expect(page.getByTestId('tool-title')).toHaveText('area21 tool_4321')
  await page.goto(`${url}#/?tool=acme/nowhere`)
  await expect(page.getByText('is not in this export')).toBeVisible()
  await page.goBack()
  await expect(page.getByTestId('tool-title')).toHaveText('area21 tool_4321')

  await page.getByRole('navigation', { name: 'Sources' }).getByRole('button').first().click()
  const source = page.getByRole('region', { name: 'Source' })
  await expect(source).toContainText('--llms')
  for (const name of ['Refresh', 'Restart', 'Stop', 'Log', 'Compare'])
    await expect(source.getByRole('button', { name })).toHaveCount(0)

  // A link to the former Help tab, versions, and two of them compared, in the browser.
  await page.goto(`${url}#/?tool=versioned/greet&tab=help`)
  await expect(page.getByTestId('reference')).toContainText('--name')
  await page.getByRole('tab', { name: 'Versions' }).click()
  await expect(page.getByText('at most 50')).toBeVisible()
  await expect(page.getByText('1 breaking')).toBeVisible()
  await page.getByRole('radio').nth(4).check()
  await page.getByText('Compare the two').click()
  await expect(page.getByText('maxLength lowered: 100 → 50')).toBeVisible()
  const witness = page.getByRole('region', { name: 'Input that proves it' })
  await expect(witness).toContainText(/worked in .*fails in/)
  await expect(witness.getByRole('button', { name: /^Try/ })).toHaveCount(0)

  expect(errors).toEqual([])
  expect(requests.filter(request => !request.startsWith(root) && !request.startsWith('blob:'))).toEqual([])
}

test('exported site: works from a sub-folder of a plain host', async ({ page }) => {
  const { url, server } = await host(site)
  await browse(page, url)
  server.close()
})

test('exported site: works from a folder on disk', async ({ page }) => {
  await browse(page, pathToFileURL(join(site, 'index.html')).href)
})

test('exported site: has no axe violation in dark and light, wide and narrow', async ({ page }) => {
  const url = pathToFileURL(join(site, 'index.html')).href
  await page.goto(`${url}#/?tool=acme/api+deploy&q=deploy`)
  await expect(page.getByTestId('tool-title')).toHaveText('api deploy')
  await expectNoViolations(page, 'export')
  await page.setViewportSize({ width: 375, height: 800 })
  await expect(page.getByTestId('tool-title')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expectNoViolations(page, 'export, narrow')
})

test('export: refuses a folder with other files, replaces an earlier export and keeps the other files', async () => {
  const mine = join(folder, 'mine')
  const args = ['export', 'many.json', '-o', 'mine']
  mkdirSync(mine)
  writeFileSync(join(mine, 'thesis.txt'), 'mine')
  const refused = await toolscope(args)
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('not empty') })
  expect(readdirSync(mine)).toEqual(['thesis.txt'])
  expect((await toolscope([...args, '--force'])).code).toBe(0)
  const before = readdirSync(join(mine, 'data'))
  writeFileSync(join(folder, 'many.json'), JSON.stringify(manyTools(10)))
  expect((await toolscope(args)).code).toBe(0)
  writeFileSync(join(folder, 'many.json'), JSON.stringify(manyTools(5_000)))
  const after = readdirSync(join(mine, 'data'))
  expect([before.length, after.length]).toEqual([1, 1])
  expect(after).not.toEqual(before)
  expect(readFileSync(join(mine, 'thesis.txt'), 'utf8')).toBe('mine')
  expect(readdirSync(join(mine, 'data', after[0] ?? '')).filter(name => name.startsWith('tools'))).toEqual([
    'tools-0.js',
  ])
})

test('export: writes nothing when a source cannot be reached', async () => {
  const { code, stderr } = await toolscope(['export', 'many.json', './gone', '-o', 'half'])
  expect([code, stderr.includes('Nothing was exported')]).toEqual([3, true])
  expect(existsSync(join(folder, 'half'))).toBe(false)
})
