/** Hostile schemas in the built page: its thread goes on while their form, example and reference are made. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hostileSchemas } from '../core/schema/hostile-schemas.testkit.ts'
import { aboutTime } from '../server/testing/about-time.ts'
import { buildIsCurrent } from './build-state.mjs'
import { chromiumLaunchOptions } from './chromium.mjs'
import { project } from './project.mjs'
import { type Running, startToolscope } from './toolscope-program.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

/** A harmless tool takes 20 to 30 ms. */
const maxTaskMs = 100
/** A machine that is busy doubles the processor time of a task now and then: the median counts. */
const tries = 3

const names = [
  'a catastrophic pattern',
  'a catastrophic pattern that no text matches',
  'a catastrophic pattern that looks ahead',
  'doubling allOf',
  'doubling anyOf',
  'doubling oneOf',
  'an enum of 30,000',
  'an enum of 30,000 objects',
  'two enums of 30,000 in allOf',
  'anyOf of 30,000 consts',
]

const folder = mkdtempSync(join(tmpdir(), 'toolscope-page-freezes-'))
let toolscope: Running
let browser: Browser
let page: Page
let session: CDPSession

beforeAll(async () => {
  if (!buildIsCurrent())
    execFileSync(
      process.execPath,
      [project('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
      // React's build for development is three times as slow.
      { cwd: project(), env: { ...process.env, NODE_ENV: 'production' } },
    )
  const schemas = hostileSchemas()
  const tools = names.map((name, index) => ({ name: `hostile${index}`, inputSchema: schemas[name] }))
  if (tools.some(({ inputSchema }) => inputSchema === undefined)) throw new Error('a schema has another name')
  const harmless = { name: 'harmless', inputSchema: { properties: { name: { type: 'string' } } } }
  writeFileSync(join(folder, 'tools.json'), JSON.stringify({ tools: [harmless, ...tools] }))
  toolscope = await startToolscope(['tools.json'], folder, { TOOLSCOPE_DATA_DIR: join(folder, 'data') })
  browser = await chromium.launch(chromiumLaunchOptions())
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  session = await page.context().newCDPSession(page)
  await page.goto(toolscope.urlOf('/'))
  await shown('[data-testid="catalog-row"]')
  // What is loaded late is loaded before it is measured.
  await openTool('harmless')
  await fillExample()
  await openReference()
})
afterAll(async () => {
  await browser?.close()
  await toolscope?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** By the page's own means: what Playwright does to find and to click something is work of the page's thread. */
const click = (selector: string, text?: string) =>
  page.evaluate(
    ([css, wanted]) => {
      const found = [...document.querySelectorAll<HTMLElement>(css ?? '')]
      const element = wanted === undefined ? found[0] : found.find(each => each.textContent.trim() === wanted)
      if (element === undefined) throw new Error(`there is no ${css} ${wanted}`)
      // A tab answers to the mouse button that goes down, everything else to the click.
      element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }))
      element.click()
    },
    [selector, text] as const,
  )
const shown = (selector: string, text?: string) =>
  page.waitForFunction(
    ([css, wanted]) => {
      const element = document.querySelector(css ?? '')
      return element !== null && (wanted === undefined || element.textContent === wanted)
    },
    [selector, text] as const,
  )
const openForm = async () => {
  await click('[data-testid="form-tab"]')
  await shown('[data-testid="tool-form"] [data-path]')
}
async function openTool(name: string) {
  await click('[data-testid="catalog-row"] *', name)
  await shown('[data-testid="tool-title"]', name)
  await shown('[data-testid="tool-form"] [data-path]')
}
async function openReference() {
  await click('[data-testid="reference-tab"]')
  await shown('[data-testid="reference"]')
}
const waitForBrief = (starts: readonly string[]) =>
  page
    .waitForFunction(starts => {
      const said = document.querySelector('[data-testid="brief"]')?.textContent ?? ''
      return starts.some(start => said.startsWith(start)) && said
    }, starts)
    .then(found => found.jsonValue())
/** Fills all fields, required or not. */
async function fillExample() {
  const [none, ...done] = ['No field is required', 'Filled with', 'No example']
  await click('button', 'Fill example')
  const said = await waitForBrief([none, ...done])
  if (said === false || !said.startsWith(none)) return
  await click('[data-testid="brief"] button', 'Fill all')
  await waitForBrief(done)
}

/** An example that is filled twice changes nothing the second time. */
const takeBackExample = () =>
  page.evaluate(() => {
    const buttons = [...document.querySelectorAll<HTMLElement>('[data-testid="brief"] button')]
    buttons.find(each => each.textContent.trim() === 'Undo')?.click()
  })

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly args: { readonly name?: string }
  /** Processor time of the event's thread, in microseconds. */
  readonly tdur?: number
}

/**
 * The longest task of the page's thread until it is idle again after `act`, in milliseconds of processor time: what else
 * the machine does stretches a task, and is not counted.
 */
async function longestTask(act: () => Promise<unknown>): Promise<number> {
  const events: TraceEvent[] = []
  const collect = ({ value }: { value: readonly object[] }) =>
    void events.push(...(value as readonly TraceEvent[]))
  session.on('Tracing.dataCollected', collect)
  const includedCategories = ['disabled-by-default-devtools.timeline', '__metadata']
  await session.send('Tracing.start', { traceConfig: { includedCategories, excludedCategories: ['*'] } })
  const complete = new Promise<unknown>(resolve => session.once('Tracing.tracingComplete', resolve))
  try {
    await act()
    await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
  } finally {
    // A trace that goes on would fail the next test too.
    await session.send('Tracing.end')
    await complete
  }
  session.off('Tracing.dataCollected', collect)
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const threads = new Set(mains.map(({ pid, tid }) => `${pid} ${tid}`))
  const tasks = events.filter(({ name, pid, tid }) => name === 'RunTask' && threads.has(`${pid} ${tid}`))
  expect(tasks).not.toEqual([])
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1_000
}

async function medianTask(before: () => Promise<unknown>, act: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < tries; index++) {
    await before()
    times.push(await longestTask(act))
  }
  return times.toSorted((a, b) => a - b)[Math.floor(tries / 2)] ?? 0
}

describe('page with hostile schemas', () => {
  test.each(names.map((name, index) => [name, `hostile${index}`] as const))(
    'shows the form, the example and the reference of %s without a long freeze',
    aboutTime,
    async (name, tool) => {
      const form = await medianTask(
        async () => {
          await openForm()
          await openTool('harmless')
        },
        () => openTool(tool),
      )
      const example = await medianTask(takeBackExample, fillExample)
      const reference = await medianTask(openForm, openReference)
      console.log(
        `${name}: longest task ${form} ms (form), ${example} ms (example), ${reference} ms (reference)`,
      )
      for (const ms of [form, example, reference]) expect(ms).toBeLessThan(maxTaskMs)
    },
  )
})
