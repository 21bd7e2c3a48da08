// Measures the page in the browser: `npm run bench -- browser [--tools 100,1000,5000] [--rounds 5] [--json]`. Needs the
// built program and Chromium. Exit code 1 if a bar is missed. `--other FOLDER` also measures the build of another
// checkout, in turns with this one; `--peer FOLDER` the official MCP Inspector that is installed there;
// `--profile FOLDER` writes a CPU profile of each step there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs'
import { measureAll, readyUrl } from '../harness.mjs'

const pollMs = 50
/** The page is idle after this time with hardly any work. React may wait for 300 ms before it shows loaded content. */
const quietMs = 400
const maxWaitMs = 30_000
const searchText = 'update invoice workspace'
const formText = 'hello world'
const wheelSteps = 40
const keyPauseMs = 60
const wheelPauseMs = 50

const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '100,1000,5000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean' },
    other: { type: 'string' },
    peer: { type: 'string' },
    profile: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
/** The measured steps, each with its unit and its maximum. */
const rows = [
  { key: 'searchKey', name: 'a key in the search', unit: 'ms', max: 7 },
  { key: 'select', name: 'select a tool', unit: 'ms', max: 35 },
  { key: 'firstSelect', name: 'select the first tool', unit: 'ms' },
  { key: 'formKey', name: 'a key in the form', unit: 'ms', max: 8 },
  { key: 'list', name: 'list shown', unit: 'ms', max: 220 },
  { key: 'wheel', name: '40 wheel steps', unit: 'ms', max: 200 },
  { key: 'elements', name: 'elements', unit: '', max: 245 },
  { key: 'heapMb', name: 'heap', unit: 'MB', max: 9 },
]

await measureAll({ ...values, rounds }, measure, print)

/** Each program starts once; each round uses a new browser. The programs take turns. */
async function measure(tools) {
  const programs = [await startToolscope(tools)]
  try {
    if (values.other) programs.push({ ...(await startToolscope(tools, values.other)), name: 'other' })
    if (values.peer) programs.push(await startInspector(tools, values.peer))
    const results = new Map(programs.map(program => [program, []]))
    // The first round fills the caches of the disk and of the server.
    for (let round = 0; round <= rounds; round++)
      for (const program of programs) {
        const result = await measureInBrowser(program, tools)
        if (round > 0) results.get(program).push(result)
      }
    return programs.map(program => summarize(program.name, tools, results.get(program)))
  } finally {
    for (const program of programs) await program.close()
  }
}

async function measureInBrowser(program, tools) {
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    return await measureRound(browser, program, values.profile && profiler(`${program.name}-${tools}`))
  } finally {
    await browser.close()
  }
}

/** Starts a CPU profile before a step, and returns a function that writes it to a file after the step. */
function profiler(prefix) {
  mkdirSync(values.profile, { recursive: true })
  return async (step, cdp) => {
    await cdp.send('Profiler.enable')
    await cdp.send('Profiler.setSamplingInterval', { interval: 100 })
    await cdp.send('Profiler.start')
    return async () => {
      const { profile } = await cdp.send('Profiler.stop')
      writeFileSync(join(values.profile, `${prefix}-${step}.cpuprofile`), JSON.stringify(profile))
    }
  }
}

function summarize(program, tools, results) {
  const medians = Object.fromEntries(rows.map(({ key }) => [key, median(results.map(each => each[key]))]))
  const bars = rows
    .filter(({ max }) => max !== undefined && program !== 'Inspector')
    .map(({ key, max }) => ({ key, value: medians[key], max, isMet: medians[key] <= max }))
  return { program, tools, ...medians, bars }
}

function print(measured, load) {
  console.log(
    `node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}, median of ${rounds} rounds`,
  )
  const heads = measured.map(({ program, tools }) => `${program} ${tools}`)
  console.log(['', ...heads].map(pad).join(''))
  for (const { key, name, unit, max } of rows) {
    const isMissed = ({ bars }) => bars.some(bar => bar.key === key && !bar.isMet)
    const cells = measured.map(each => `${each[key].toFixed(1)}${isMissed(each) ? ' !' : ''}`)
    console.log(
      [`${name} ${unit && `(${unit})`} ${max === undefined ? '' : `≤ ${max}`}`, ...cells].map(pad).join(''),
    )
  }
}

function pad(text, index) {
  return index === 0 ? text.padEnd(34) : text.padStart(18)
}

// Toolscope as a measured program: how it starts, and how its page is operated.

/** @param tree folder of the project whose build is measured */
async function startToolscope(tools, tree = fileURLToPath(new URL('../..', import.meta.url))) {
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
      if (top < 1_000) throw new Error(`the list is at ${top} after the wheel`)
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

/** Returns the command of the MCP server whose tools are shown. */
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
async function startInspector(tools, folder) {
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
      if (y > -1_000) throw new Error(`the first row is at ${y} after the wheel`)
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

// The measured steps, the same for each program. `program` knows how its page is operated.

/** @param page a Playwright page; its renderer must stay the same while it is measured */
async function openMeter(page) {
  const cdp = await page.context().newCDPSession(page)
  // The processor time of the main thread, which other work on the machine does not change.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return new Map(metrics.map(({ name, value }) => [name, value]))
  }
  const taskMs = async () => (await read()).get('TaskDuration') * 1_000

  /** Waits until the page is idle, and returns the milliseconds that it has used so far. */
  async function settle() {
    const deadline = Date.now() + maxWaitMs
    let [used, quiet] = [await taskMs(), 0]
    while (quiet < quietMs) {
      if (Date.now() > deadline) throw new Error('the page does not come to rest')
      await new Promise(resolve => setTimeout(resolve, pollMs))
      const now = await taskMs()
      quiet = now - used < 1 ? quiet + pollMs : 0
      used = now
    }
    return used
  }

  return {
    cdp,
    settle,
    /** Returns the milliseconds of the page's main thread for `act` and its effects. */
    async cost(act) {
      const before = await settle()
      await act()
      return (await settle()) - before
    },
    /** Returns the heap in megabytes and the number of elements, after garbage collection. */
    async size() {
      for (let round = 0; round < 2; round++) await cdp.send('HeapProfiler.collectGarbage')
      const { result } = await cdp.send('Runtime.evaluate', {
        expression: 'document.body.querySelectorAll("*").length',
      })
      return { elements: result.value, heapMb: (await read()).get('JSHeapUsedSize') / 1e6 }
    },
  }
}

/**
 * Runs one round in a new browser context.
 * @param profile called with (name, cdp) before a step, and its result after it
 * @returns milliseconds of the renderer's main thread by step, elements and megabytes of the heap
 */
async function measureRound(browser, program, profile) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    // Loads a page of the same origin first, because the measured renderer must not change.
    await page.goto(program.blank)
    const meter = await openMeter(page)
    const cost = async (name, act) => {
      const finish = await profile?.(name, meter.cdp)
      const used = await meter.cost(act)
      await finish?.()
      return used
    }
    const list = await cost('list', () => program.showList(page))
    await program.checkList(page)
    const size = await meter.size()
    const wheel = await cost('wheel', async () => {
      await page.mouse.move(...(await program.listPoint(page)))
      for (let step = 0; step < wheelSteps; step++) {
        await page.mouse.wheel(0, 100)
        await pause(wheelPauseMs)
      }
    })
    await program.checkScrolled(page)
    await program.scrollBack(page)
    const selections = []
    for (const place of [2, 5, 8]) {
      const point = await program.toolPoint(page, place)
      selections.push(await cost('select', () => page.mouse.click(...point)))
      await program.checkSelected(page, place)
    }
    await program.focusForm(page)
    const formKeys = await cost('form key', () => type(page, formText))
    await program.checkForm(page, formText)
    await program.focusSearch(page)
    const searchKeys = await cost('search key', () => type(page, searchText))
    await program.checkSearch(page, searchText)
    return {
      list,
      wheel,
      firstSelect: selections[0],
      select: median(selections),
      formKey: formKeys / formText.length,
      searchKey: searchKeys / searchText.length,
      ...size,
    }
  } finally {
    await context.close()
  }
}

async function type(page, text) {
  for (const character of text) {
    await page.keyboard.press(character === ' ' ? 'Space' : character)
    await pause(keyPauseMs)
  }
}

function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
