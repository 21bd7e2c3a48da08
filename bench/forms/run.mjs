/**
 * Checks our forms against real schemas, in Chromium, through the real InputEditor:
 *   npm run bench -- forms --data DIR [--json] [--only TEXT] [--limit N] [--keyboard N] [--pictures]
 * DIR holds JSON files {tools:[{name, inputSchema}]}. --keyboard also fills N tools, spread over all, by keys. --pictures
 * takes the pictures of docs/forms.md instead, and needs bench/forms/constructs.json as data.
 */
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { availableParallelism } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs'
import { project } from '../../scripts/project.mjs'
import { quantile, readOptions } from '../harness.mjs'

const wantedValid = 3
const wantedSpoilt = 2

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' }
/** The product's own policy, so that code that needs eval fails here too. */
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'; font-src 'self' data:; img-src 'self' data:"
/** A page that neither ends a step nor presses a key for this long counts as hanging. */
const hangMs = 120_000

/** An object with 730 required text fields: the widest form to type in. */
const wideNames = Array.from({ length: 730 }, (_, index) => `field_${index}`)
const wideSchema = {
  type: 'object',
  properties: Object.fromEntries(
    wideNames.map(name => [name, { type: 'string', description: `About ${name}.` }]),
  ),
  required: wideNames,
}
const wideInput = Object.fromEntries(wideNames.map((name, index) => [name, `value ${index}`]))

const options = readOptions({ data: null, json: false, only: '', limit: '0', keyboard: '0', pictures: false })
const wanted = readTools(options.data).filter(tool => `${tool.file} ${tool.name}`.includes(options.only))
const tools = wanted.slice(0, Number(options.limit) || wanted.length)
if (tools.length === 0) {
  console.error(`No tool with a schema in ${options.data}`)
  process.exit(2)
}
const built = await buildPage()
if (options.pictures) await takePictures()
else await checkTools()
await built.remove()

async function checkTools() {
  const byKeyboard = Math.min(Number(options.keyboard), tools.length)
  for (let index = 0; index < byKeyboard; index++)
    tools[Math.floor((index * tools.length) / byKeyboard)].byKeyboard = true
  const results = []
  const waiting = [...tools.entries()]
  async function work() {
    const browser = await openBrowser(built.pageDir)
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, tool] = next
      results[index] = await checkOne(browser, tool, index)
      if (process.stderr.isTTY) process.stderr.write(`\r${tools.length - waiting.length}/${tools.length} `)
    }
    await browser.close()
  }
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work))
  // Runs without other work of ours, which would disturb the times.
  const browser = await openBrowser(built.pageDir)
  const firstMs = []
  for (const [index, { schema }] of tools.entries())
    if (results[index].report) firstMs.push(await browser.firstRender(schema))
  const keystroke = await browser.keystroke(wideSchema, JSON.stringify(wideInput))
  await browser.close()
  const summary = summarize(results, firstMs, keystroke)
  if (options.json) console.log(JSON.stringify(summary, null, 2))
  else printTable(summary)
  const missed = listMissed(summary)
  for (const line of missed) console.error(`under the bar: ${line}`)
  process.exitCode = missed.length > 0 ? 1 : 0
}

async function takePictures() {
  const browser = await openBrowser(built.pageDir)
  const folder = project('docs/images/forms')
  await mkdir(folder, { recursive: true })
  const pictures = JSON.parse(readFileSync(project('bench/forms/pictures.json'), 'utf8'))
  for (const [name, [construct, input]] of Object.entries(pictures)) {
    const tool = tools.find(candidate => candidate.name === construct)
    if (!tool) throw new Error(`no construct ${construct}`)
    await browser.picture(tool.schema, JSON.stringify(input), `${folder}/${name}.png`)
  }
  await browser.close()
}

/** Returns every tool with its schema, from the JSON files of a folder or from one file. */
function readTools(path) {
  const isFolder = statSync(path).isDirectory()
  const files = isFolder ? readdirSync(path).filter(name => name.endsWith('.json')) : ['']
  return files.flatMap(file => {
    const content = JSON.parse(readFileSync(join(path, file), 'utf8'))
    const list = Array.isArray(content) ? content : content.tools
    return (Array.isArray(list) ? list : []).map(tool => ({
      file,
      name: tool.name,
      schema: tool.inputSchema ?? tool.input_schema ?? tool.parameters ?? {},
    }))
  })
}

function summarize(results, firstMs, keystroke) {
  const reports = results.flatMap(result => (result.report ? [result.report] : []))
  const sum = pick => reports.reduce((total, report) => total + pick(report), 0)
  const round = number => Math.round(number * 10) / 10
  const failures = results.flatMap(result =>
    result.failures.map(failure => ({ source: result.file, tool: result.name, ...failure })),
  )
  return {
    tools: results.length,
    rendered: reports.length,
    unsupported: sum(report => report.unsupported),
    nodes: sum(report => report.nodes),
    jsonFallbackNodes: sum(report => report.jsonNodes),
    roundTripped: sum(report => report.roundTripped),
    instances: sum(report => report.instances),
    invalidInstances: results.reduce((total, result) => total + (result.invalid ?? 0), 0),
    edits: sum(report => report.edits),
    branchSwitches: sum(report => report.switches),
    filledFromEmpty: reports.filter(report => report.filled).length,
    filledByKeyboard: results.filter(result => result.filledByKeyboard).length,
    triedByKeyboard: results.filter(result => result.filledByKeyboard !== undefined).length,
    medianMs: round(quantile(firstMs, 0.5)),
    p99Ms: round(quantile(firstMs, 0.99)),
    slowestMs: round(quantile(firstMs, 1)),
    keystrokeWorstMs: keystroke ? round(keystroke.worstMs) : null,
    keystrokeFields: keystroke?.fields ?? 0,
    keystrokeTouched: keystroke?.touched ?? 0,
    crashes: failures.filter(failure => failure.kind === 'crash').length,
    hangs: failures.filter(failure => failure.kind === 'hang').length,
    verdictsCompared: results.length,
    disagreements: results.flatMap(result =>
      result.disagreements.map(found => ({ source: result.file, tool: result.name, ...found })),
    ),
    failures,
  }
}

/** Returns the missed bars, one line each. */
function listMissed(summary) {
  const rules = [
    ['crashes', summary.crashes === 0],
    ['hangs', summary.hangs === 0],
    ['unsupported fields', summary.unsupported === 0],
    ['tools that were not rendered', summary.rendered === summary.tools],
    ['instances that did not round trip', summary.roundTripped === summary.instances],
    ['filled from empty, at least 99%', summary.filledFromEmpty >= summary.tools * 0.99],
    ['a branch was switched, unless --only leaves no union', options.only || summary.branchSwitches > 0],
    ['filled by keyboard', summary.filledByKeyboard === summary.triedByKeyboard],
    ['nodes by JSON fallback, at most 2%', summary.jsonFallbackNodes <= summary.nodes * 0.02],
    ['first render, 99th percentile at most 200 ms', summary.p99Ms <= 200],
    ['first render, worst at most 1 s', summary.slowestMs <= 1000],
    ['a keystroke draws one field', (summary.keystrokeTouched ?? 0) <= 1],
    ['a keystroke in 730 fields, at most 50 ms', (summary.keystrokeWorstMs ?? 0) <= 50],
  ]
  return rules.filter(([, kept]) => !kept).map(([name]) => name)
}

function printTable(summary) {
  const { failures, disagreements, ...numbers } = summary
  for (const [name, value] of Object.entries(numbers)) console.log(`${name.padEnd(20)} ${value}`)
  console.log(`${'disagreements'.padEnd(20)} ${disagreements.length}`)
  const classes = new Map()
  for (const failure of failures) classes.set(failure.kind, [...(classes.get(failure.kind) ?? []), failure])
  console.log(`\n${'failures'.padEnd(20)} ${failures.length}`)
  for (const [kind, members] of classes) {
    console.log(`\n${kind}: ${members.length}`)
    for (const { source, tool, detail } of members) console.log(`  ${source} ${tool}\n    ${detail}`)
  }
  if (disagreements.length > 0) console.log('\nverdicts that differ')
  for (const { source, tool, server, browser, text } of disagreements)
    console.log(`  ${source} ${tool}: server ${server}, browser ${browser}: ${text}`)
}

/**
 * Checks one tool: makes inputs, sorts them by the server's validator, and tries all of them in the form.
 *
 * @param tool with `byKeyboard`: its form is filled by keyboard too
 */
async function checkOne(browser, tool, seed) {
  const result = { file: tool.file, name: tool.name, failures: [], disagreements: [] }
  const fail = (kind, detail) => result.failures.push({ kind, detail: String(detail).slice(0, 700) })
  try {
    const made = await browser.instances(tool.schema, seed)
    const judge = buildJudge(tool.schema)
    const texts = [...made.valid, ...made.spoilt]
    const verdicts = texts.map(judge)
    const valid = texts.filter((_, index) => verdicts[index] !== 'invalid').slice(0, wantedValid)
    const spoilt = texts.filter((_, index) => verdicts[index] === 'invalid').slice(0, wantedSpoilt)
    const more = made.spoilt.filter(text => !spoilt.includes(text)).slice(0, wantedSpoilt - spoilt.length)
    result.invalid = spoilt.length
    result.disagreements = await disagreements(browser, tool.schema, texts, verdicts)
    const target = valid[0] ?? made.valid[0] ?? '{}'
    result.report = await browser.check(tool.schema, [...valid, ...spoilt, ...more], target)
    for (const failure of result.report.failures) fail(failure.kind, failure.detail)
    if (tool.byKeyboard) {
      const reason = await browser.byKeyboard(tool.schema, target)
      result.filledByKeyboard = reason === undefined
      if (reason !== undefined) fail('keyboard', reason)
    }
  } catch (error) {
    fail(error?.name === 'hang' ? 'hang' : 'crash', error?.stack ?? error)
  }
  for (const crash of browser.crashes()) fail('crash', crash)
  return result
}

/** Returns the server's verdict for a caller: a required property with a default may be left out. */
function buildJudge(schema) {
  let validate
  try {
    validate = built.compileSchema(schema)
  } catch {
    return () => 'unchecked'
  }
  return text => {
    if (validate(JSON.parse(text))) return 'valid'
    const only = validate.errors.every(
      error =>
        error.keyword === 'required' &&
        error.parentSchema?.properties?.[error.params.missingProperty]?.default !== undefined,
    )
    return only ? 'valid' : 'invalid'
  }
}

async function disagreements(browser, schema, texts, verdicts) {
  const inBrowser = await browser.verdicts(schema, texts)
  return texts.flatMap((text, index) =>
    inBrowser[index] !== verdicts[index]
      ? [{ text: text.slice(0, 300), server: verdicts[index], browser: inBrowser[index] }]
      : [],
  )
}

/** Builds the bare page with the real InputEditor, and Ajv to compare the verdicts, into a folder of their own. */
async function buildPage() {
  const dir = await mkdtemp(join(project('node_modules'), '.forms-bench-'))
  const shared = { configFile: false, logLevel: 'error', publicDir: false }
  await build({
    ...shared,
    root: project('src/features/form/testing'),
    base: './',
    plugins: [react()],
    resolve: { alias: { '@rjsf/validator-ajv8': project('src/features/form/no-ajv.ts') } },
    worker: { format: 'es' },
    build: { outDir: join(dir, 'page'), target: 'es2023', minify: false, chunkSizeWarningLimit: 20_000 },
  })
  await build({
    ...shared,
    root: project(),
    build: {
      outDir: join(dir, 'judge'),
      ssr: project('core/validation/ajv.testkit.ts'),
      target: 'node20',
    },
  })
  const { compileSchema } = await import(pathToFileURL(join(dir, 'judge/ajv.testkit.js')).href)
  return {
    pageDir: join(dir, 'page'),
    compileSchema,
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** Opens a Chromium with the built page, restarted whenever the page hangs or crashes. */
async function openBrowser(pageDir) {
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
  return {
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
    /** Takes a picture of the form with this input. */
    picture: (schema, text, path) =>
      step(async p => {
        await p.evaluate(([s, t]) => bench.show(s, t), [schema, text])
        await p.evaluate(() => document.fonts.ready)
        await p.locator('#root').screenshot({ path })
      }),
    /** Returns the uncaught errors of the page since the last call. */
    crashes: () => page?.crashes.splice(0) ?? [],
    async close() {
      await browser.close()
      server.close()
    },
  }
}
