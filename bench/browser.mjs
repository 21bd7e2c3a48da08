// Measures the page in the browser: `npm run bench -- browser [--tools 100,1000,5000] [--rounds 5] [--json]`. Needs the
// built program and Chromium. Each program starts once for a size; each round uses a new browser. `--other FOLDER` also
// measures the build of another checkout, in turns with this one; `--peer FOLDER` the official MCP Inspector that is
// installed there; `--profile FOLDER` writes a CPU profile of each step there.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium.mjs'
import {
  findMedians,
  printReport,
  readOptions,
  readReadyUrl,
  startToolscope,
  stopProgram,
  takeTurns,
  toolServer,
  writeProfile,
} from './harness.mjs'

const pollMs = 50
/** The page is idle after this time with hardly any work. React may wait for 300 ms before it shows loaded content. */
const quietMs = 400
const maxWaitMs = 30_000
const searchText = 'update invoice workspace'
const formText = 'hello world'
/** Requests to the server, each with its answer: the wire has 10,000 messages. */
const wireRequests = 5_000
const wheelSteps = 40
const keyPauseMs = 60
const wheelPauseMs = 50
/** The maximum of each step: milliseconds of the page's main thread, elements, megabytes of the heap. */
const limits = {
  searchKey: 7,
  wireKey: 8,
  select: 35,
  formKey: 8,
  list: 220,
  wheel: 200,
  elements: 245,
  heapMb: 9,
}

const options = readOptions({
  tools: '100,1000,5000',
  rounds: '5',
  json: false,
  other: '',
  peer: '',
  profile: '',
})
const columns = {}
const bars = []
for (const tools of options.tools.split(',').map(Number)) {
  const programs = []
  try {
    programs.push(openPage('Toolscope', tools))
    if (options.other) programs.push(openPage('other', tools, options.other))
    if (options.peer) programs.push(openInspector(tools, options.peer))
    // The first round fills the caches of the disk and of the server.
    for (const { fillWire } of programs) await fillWire?.()
    const count = { rounds: Number(options.rounds), warmUp: 1 }
    const results = await takeTurns(programs, program => measureInBrowser(program, tools), count)
    for (const [at, { name }] of programs.entries()) {
      const medians = findMedians(results[at])
      columns[`${name} ${tools}`] = medians
      if (name === 'Inspector') continue
      for (const [key, max] of Object.entries(limits))
        bars.push({ name: `${name} ${tools}: ${key}`, value: medians[key], max })
    }
  } finally {
    for (const program of programs) await program.close()
  }
}
const steps = Object.keys(Object.values(columns)[0])
const rows = steps.map(key => [
  key,
  {
    max: limits[key],
    ...Object.fromEntries(Object.entries(columns).map(([name, each]) => [name, each[key]])),
  },
])
const title = `Milliseconds of the page's main thread, elements and MB; median of ${options.rounds} rounds`
printReport({ json: options.json, tables: { [title]: Object.fromEntries(rows) }, bars })

async function measureInBrowser(program, tools) {
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    return await measureRound(browser, program, `${program.name}-${tools}`)
  } finally {
    await browser.close()
  }
}

// Toolscope and the Inspector as measured programs: how they start, and how their pages are operated.

/** @param tree folder of the project whose build is measured */
function openPage(name, tools, tree) {
  const program = startToolscope({ tree, words: ['--', ...toolServer(tools)] })
  const search = page => page.getByTestId('catalog-search')
  const row = (page, place) => page.getByTestId('catalog-row').nth(place)
  return {
    name,
    blank: async () => new URL('/favicon.svg', await program.ready).href,
    showList: async page => page.goto(await program.ready),
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
    async fillWire() {
      const url = new URL(await program.ready)
      const headers = {
        authorization: `Bearer ${url.searchParams.get('token')}`,
        'content-type': 'application/json',
      }
      const { sources } = await (await fetch(new URL('/api/sources', url), { headers })).json()
      const path = `/api/sources/${encodeURIComponent(sources[0].name)}/wire/send`
      let sent = 0
      const sendSome = async () => {
        while (sent < wireRequests) {
          const title = `${searchText} ${sent++}`
          const params = { name: 'create_invoice_0', arguments: { title } }
          const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
          const body = JSON.stringify({ text })
          const answer = await fetch(new URL(path, url), { method: 'POST', headers, body })
          if (!answer.ok) throw new Error(await answer.text())
        }
      }
      await Promise.all(Array.from({ length: 20 }, sendSome))
    },
    async showWire(page) {
      await page.goto(new URL('/wire', await program.ready).href)
      await page.getByTestId('wire-row').first().waitFor()
    },
    focusWire: page => page.getByLabel('Find messages').focus(),
    async checkWire(page) {
      await checkValue(page.getByLabel('Find messages'), searchText)
      await page.getByTestId('wire-count').getByText(' of ').waitFor()
    },
    close: program.close,
  }
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
function openInspector(tools, folder) {
  const launcher = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
  const child = spawn(process.execPath, [join(folder, launcher), ...toolServer(tools)], {
    env: { ...process.env, MCP_AUTO_OPEN_ENABLED: 'false' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ready = readReadyUrl(child, /(http:\S+\?MCP_INSPECTOR_API_TOKEN=\S+)/)
  const rows = page => page.locator('button.list-item')
  const search = page => page.getByPlaceholder('Search tools...')
  const title = page => page.getByRole('textbox', { name: /^title/ })
  return {
    name: 'Inspector',
    blank: async () => new URL('/api/none', await ready).href,
    async showList(page) {
      await page.goto(await ready)
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
    close: () => stopProgram(child),
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
      await setTimeout(pollMs)
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

/** Returns milliseconds of the page's main thread by step, elements and megabytes of the heap. */
async function measureRound(browser, program, label) {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // Loads a page of the same origin first, because the measured renderer must not change.
  await page.goto(await program.blank())
  const meter = await openMeter(page)
  const cost = async (name, act) => {
    if (options.profile) await beginProfile(meter.cdp)
    const used = await meter.cost(act)
    if (options.profile)
      writeProfile(options.profile, `${label}-${name}`, (await meter.cdp.send('Profiler.stop')).profile)
    return used
  }
  const list = await cost('list', () => program.showList(page))
  await program.checkList(page)
  const size = await meter.size()
  const wheel = await cost('wheel', async () => {
    await page.mouse.move(...(await program.listPoint(page)))
    for (let step = 0; step < wheelSteps; step++) {
      await page.mouse.wheel(0, 100)
      await setTimeout(wheelPauseMs)
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
  const wireKey = await measureWire()
  return {
    list,
    wheel,
    firstSelect: selections[0],
    select: findMedians(selections),
    formKey: formKeys / formText.length,
    searchKey: searchKeys / searchText.length,
    ...wireKey,
    ...size,
  }

  /** Returns nothing for a program without a wire. */
  async function measureWire() {
    if (program.showWire === undefined) return {}
    await program.showWire(page)
    await program.focusWire(page)
    const keys = await cost('wire key', () => type(page, searchText))
    await program.checkWire(page)
    return { wireKey: keys / searchText.length }
  }
}

async function beginProfile(cdp) {
  await cdp.send('Profiler.enable')
  await cdp.send('Profiler.setSamplingInterval', { interval: 100 })
  await cdp.send('Profiler.start')
}

async function type(page, text) {
  for (const character of text) {
    await page.keyboard.press(character === ' ' ? 'Space' : character)
    await setTimeout(keyPauseMs)
  }
}
