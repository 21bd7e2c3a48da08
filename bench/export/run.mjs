/**
 * Live page against export, 5,000 tools, in Chromium: milliseconds until the first rows are drawn, for a search
 * keystroke until the count says what it found, and to open a tool. `node bench/export/run.mjs [tools] [rounds]`;
 * needs `npm run build`.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { findChromium } from '../../scripts/chromium.mjs'
import { project } from '../../scripts/project.mjs'

const [count = 5_000, rounds = 7] = process.argv.slice(2).map(Number)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const properties = { account: { type: 'string' }, limit: { type: 'integer', default: 20 } }
const tools = Array.from({ length: count }, (_, at) => ({
  name: `area${at % 100} tool_${at}`,
  description: `Reads page ${at} of the ledger and says what stands there`,
  inputSchema: { type: 'object', properties },
  outputSchema: { type: 'object', properties: { tool: { type: 'string' } }, required: ['tool'] },
}))
writeFileSync(join(folder, 'many.json'), JSON.stringify({ tools }))
const main = project('dist/server/main.js')
const env = { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data') }
const made = spawnSync(process.execPath, [main, 'export', 'many.json', '-o', 'site'], { cwd: folder, env })
if (made.status !== 0) throw new Error(String(made.stderr))

const live = spawn(process.execPath, [main, 'serve', '--no-open', '--port', '0', 'many.json'], {
  cwd: folder,
  env,
})
const url = await new Promise(resolve => {
  let out = ''
  live.stdout.on('data', chunk => {
    out += chunk
    const ready = /ready: (\S+)/.exec(out)?.[1]
    if (ready) resolve(ready)
  })
})
const server = createServer()
const executablePath = findChromium()
const browser = await chromium.launch({
  ...(executablePath ? { executablePath } : {}),
  args: ['--no-sandbox'],
})
const context = await browser.newContext()
await (await context.newPage()).goto(url)
const places = {
  live: new URL('/', url).href,
  'export from a host': await host(join(folder, 'site')),
  'export from a disk': pathToFileURL(join(folder, 'site', 'index.html')).href,
}
const middle = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]
for (const [name, address] of Object.entries(places)) {
  const times = { rows: [], key: [], tool: [] }
  for (let round = 0; round < rounds; round += 1) {
    const page = await context.newPage()
    const started = performance.now()
    await page.goto(address, { waitUntil: 'commit' })
    await page.locator('[data-testid="catalog-row"][data-tool]').first().waitFor()
    times.rows.push(performance.now() - started)
    const search = page.getByTestId('catalog-search')
    await search.fill('tool_432')
    await page.getByText(`11 of ${count.toLocaleString('en')}`).waitFor()
    times.key.push(await keystroke(page))
    const before = performance.now()
    await page.locator('[data-tool$="tool_4321"]').click()
    await page.getByTestId('tool-title').waitFor()
    times.tool.push(performance.now() - before)
    await page.close()
  }
  const text = Object.entries(times).map(([what, list]) => `${what} ${Math.round(middle(list))} ms`)
  console.log(`${name}: ${text.join(', ')} (median of ${rounds}, ${count} tools)`)
}
server.close()
await browser.close()
live.kill('SIGTERM')
rmSync(folder, { recursive: true, force: true })

/** A plain host, with the caching that docs/export.md tells of. */
async function host(site) {
  const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
  server.on('request', (request, response) => {
    const path = new URL(request.url, 'http://x').pathname.replace(/\/$/, '/index.html')
    const lasting = /^\/(?:assets|data)\//.test(path)
    response.writeHead(200, {
      'content-type': types[path.split('.').at(-1)] ?? 'application/json',
      'cache-control': lasting ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
    response.end(readFileSync(join(site, path)))
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${server.address().port}/`
}

/** Inside the page, so that the driver's own time does not count: one more letter, until the count has changed. */
function keystroke(page) {
  return page.evaluate(
    () =>
      new Promise(resolve => {
        const input = document.querySelector('[data-testid="catalog-search"]')
        const count = document.querySelector('[data-testid="catalog-count"]')
        const started = performance.now()
        new MutationObserver(() => {
          if (/^1 of/.test(count.textContent)) resolve(performance.now() - started)
        }).observe(count, { childList: true, characterData: true, subtree: true })
        const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
        set.call(input, 'tool_4321')
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }),
  )
}
