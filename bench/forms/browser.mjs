/** A Chromium with the built page, restarted whenever the page hangs or crashes. */
import { createReadStream, existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' }
/** The product's own policy, so that code that needs eval fails here too. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'; font-src 'self' data:; img-src 'self' data:"
/** A page that neither ends a step nor presses a key for this long counts as hanging. */
const hangMs = 120_000

export async function openBrowser(pageDir) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const file = join(pageDir, normalize(pathname === '/' ? '/index.html' : pathname))
    if (!file.startsWith(pageDir) || !existsSync(file)) return response.writeHead(404).end()
    response.writeHead(200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    })
    createReadStream(file).pipe(response)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}/`
  const browser = await chromium.launch(chromiumLaunchOptions())
  let page
  /** Ends the step that runs. */
  let timer

  async function fresh() {
    await page?.close().catch(() => {})
    page = await browser.newPage({ viewport: { width: 900, height: 1000 } })
    page.crashes = []
    page.on('pageerror', error => page.crashes.push(String(error?.stack ?? error).slice(0, 400)))
    const { keyboard } = page
    const use = press => input => {
      timer?.refresh()
      return press.call(keyboard, input)
    }
    await page.exposeFunction('pressKey', use(keyboard.press))
    await page.exposeFunction('typeText', use(keyboard.type))
    await page.goto(url)
    await page.waitForFunction(() => globalThis.bench !== undefined)
  }

  /** Runs one step; a hang closes the page and throws an error named `hang`. */
  async function step(work) {
    if (!page) await fresh()
    const late = new Promise((_, reject) => {
      timer = setTimeout(
        () => reject(Object.assign(new Error('no answer and no key for 120 s'), { name: 'hang' })),
        hangMs,
      )
    })
    try {
      return await Promise.race([work(page), late])
    } catch (error) {
      const dead = page
      page = undefined
      void dead.close().catch(() => {})
      throw error
    } finally {
      clearTimeout(timer)
    }
  }
  const calls = {
    instances: (schema, seed) =>
      step(p => p.evaluate(([s, n]) => bench.generateInputs(s, n), [schema, seed])),
    verdicts: (schema, texts) =>
      step(p => p.evaluate(([s, t]) => bench.verdictsInBrowser(s, t), [schema, texts])),
    check: (schema, texts, target) =>
      step(p => p.evaluate(([s, t, x]) => bench.checkTool(s, t, x), [schema, texts, target])),
    /** Returns why the form cannot be filled by keyboard; undefined if it can. */
    byKeyboard: (schema, target) =>
      step(p => p.evaluate(([s, x]) => bench.fillByKeyboard(s, x), [schema, target])),
    firstRender: schema => step(p => p.evaluate(s => bench.firstRender(s), schema)),
    keystroke: (schema, text) => step(p => p.evaluate(([s, t]) => bench.keystrokeTime(s, t), [schema, text])),
    keystroke730: () => calls.keystroke(wideSchema(730), JSON.stringify(wideInput(730))),
    /** Takes a picture of the form with this input. */
    picture: (schema, text, path) =>
      step(async p => {
        await p.evaluate(([s, t]) => bench.show(s, t), [schema, text])
        await p.evaluate(() => document.fonts.ready)
        await p.locator('#root').screenshot({ path })
      }),
    /** Returns the uncaught errors of the page since the last call. */
    crashes: () => page?.crashes.splice(0) ?? [],
  }
  return {
    ...calls,
    async close() {
      await browser.close()
      server.close()
    },
  }
}

const wideNames = count => Array.from({ length: count }, (_, index) => `field_${index}`)

/** Returns an object with `count` required text fields: the widest form to type in. */
function wideSchema(count) {
  const names = wideNames(count)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map(name => [name, { type: 'string', description: `About ${name}.` }]),
    ),
    required: names,
  }
}

const wideInput = count => Object.fromEntries(wideNames(count).map((name, index) => [name, `value ${index}`]))
