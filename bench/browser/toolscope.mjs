// Toolscope as a program that is measured: how it starts, and where its page is worked.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readyUrl } from '../harness.mjs'

/** @param tree folder of the project whose build is measured */
export async function startToolscope(tools, tree = fileURLToPath(new URL('../..', import.meta.url))) {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const child = spawn(
    process.execPath,
    [join(tree, 'dist/server/main.js'), 'serve', '--no-open', '--port', '0', '--', ...toolServer(tools)],
    { env: { ...process.env, TOOLSCOPE_DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const url = await readyUrl(child)
  const search = page => page.getByTestId('catalog-search')
  const row = (page, place) => page.getByTestId('catalog-row').nth(place)
  return {
    name: 'Toolscope',
    blank: new URL('/favicon.svg', url).href,
    showList: page => page.goto(url),
    checkList: page => row(page, 0).waitFor(),
    listPoint: page => middle(page.getByRole('tree')),
    async checkScrolled(page) {
      const top = await page.getByRole('tree').evaluate(tree => tree.scrollTop)
      if (top < 1_000) throw new Error(`the list stands at ${top} after the wheel`)
    },
    async scrollBack(page) {
      await page.getByRole('tree').evaluate(tree => tree.scrollTo(0, 0))
      await page.locator('[aria-level="1"]').first().waitFor()
    },
    toolPoint: (page, place) => middle(row(page, place)),
    async checkSelected(page, place) {
      const name = await row(page, place).locator('code').textContent()
      await page.getByTestId('tool-title').getByText(name, { exact: true }).waitFor()
      await page.getByLabel('title').waitFor()
    },
    focusForm: page => page.getByLabel('title').focus(),
    checkForm: (page, text) => checkValue(page.getByLabel('title'), text),
    focusSearch: page => search(page).focus(),
    async checkSearch(page, text) {
      await checkValue(search(page), text)
      await page.locator('[data-testid=catalog-row] mark').first().waitFor()
    },
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

/** The command of the MCP server whose tools are shown. */
function toolServer(tools) {
  return [process.execPath, fileURLToPath(new URL('server.mjs', import.meta.url)), String(tools)]
}

async function middle(locator) {
  const box = await locator.boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

async function checkValue(field, text) {
  const value = await field.inputValue()
  if (value !== text) throw new Error(`the field has "${value}", not "${text}"`)
}

/** @param folder where `npm install @modelcontextprotocol/inspector` was run */
export async function startInspector(tools, folder) {
  const launcher = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
  const child = spawn(process.execPath, [join(folder, launcher), ...toolServer(tools)], {
    env: { ...process.env, MCP_AUTO_OPEN_ENABLED: 'false' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = await readyUrl(child, /(http:\S+\?MCP_INSPECTOR_API_TOKEN=\S+)/)
  const rows = page => page.locator('button.list-item')
  const search = page => page.getByPlaceholder('Search tools...')
  const title = page => page.getByRole('textbox', { name: /^title/ })
  return {
    name: 'Inspector',
    blank: new URL('/api/none', url).href,
    async showList(page) {
      await page.goto(url)
      await page.getByLabel('Connect or disconnect').click({ force: true })
      await page.getByText('Tools', { exact: true }).click()
      await rows(page).first().waitFor()
    },
    checkList: page =>
      rows(page)
        .nth(tools - 1)
        .waitFor(),
    listPoint: page => middle(rows(page).nth(5)),
    async checkScrolled(page) {
      const { y } = await rows(page).first().boundingBox()
      if (y > -1_000) throw new Error(`the first row stands at ${y} after the wheel`)
    },
    scrollBack: page => rows(page).first().scrollIntoViewIfNeeded(),
    toolPoint: (page, place) => middle(rows(page).nth(place)),
    async checkSelected(page, place) {
      const name = await rows(page).nth(place).textContent()
      await page.getByText(name, { exact: true }).nth(1).waitFor()
      await title(page).waitFor()
    },
    focusForm: page => title(page).focus(),
    checkForm: (page, text) => checkValue(title(page), text),
    focusSearch: page => search(page).focus(),
    checkSearch: (page, text) => checkValue(search(page), text),
    async close() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
