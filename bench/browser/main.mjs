// What the page costs in the browser: `npm run bench -- browser [--tools 100,1000,5000] [--rounds 5] [--json]`.
// Needs the built program and Chromium. Ends with 1 where a bar is missed. `--other FOLDER` measures the build of
// another checkout in turns with this one, `--peer FOLDER` the official MCP Inspector that is installed there,
// `--profile FOLDER` writes a CPU profile of each step there.
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs'
import { measureAll } from '../harness.mjs'
import { measureRound, median } from './steps.mjs'
import { startInspector, startToolscope } from './toolscope.mjs'

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
/** What is measured, its unit, and the most that it may be. */
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

/** Each program starts once; each round is a browser of its own. The rounds go in turns. */
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

/** Starts a CPU profile before a step, and returns what writes it to a file after the step. */
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
