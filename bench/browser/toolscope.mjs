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
export function toolServer(tools) {
  return [process.execPath, fileURLToPath(new URL('server.mjs', import.meta.url)), String(tools)]
}

export async function middle(locator) {
  const box = await locator.boundingBox()
  return [box.x + box.width / 2, box.y + box.height / 2]
}

export async function checkValue(field, text) {
  const value = await field.inputValue()
  if (value !== text) throw new Error(`the field has "${value}", not "${text}"`)
}
