// The official MCP Inspector as a program that is measured, by the same steps: written for its version 2.12, which needs Node 22.19.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { readyUrl } from '../harness.mjs'
import { checkValue, middle, toolServer } from './toolscope.mjs'

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
