/**
 * Checks our forms against real schemas, in Chromium, through the real InputEditor:
 *   npm run bench -- forms --data DIR [--json] [--only TEXT] [--limit N] [--keyboard N]
 * DIR holds JSON files {tools:[{name, inputSchema}]}. --keyboard also fills N tools, spread over all, by keys.
 * Exit code 1: a figure is below the bar; 2: it cannot run.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.mjs'
import { buildBench } from './build.mjs'
import { readTools } from './read-tools.mjs'

const wantedValid = 3
const wantedSpoilt = 2

/** Turns the results of all tools into the numbers, the table and the verdict. */

function summarizeTool(results, firstMs, keystroke) {
  const reports = results.flatMap(result => (result.report ? [result.report] : []))
  const sum = pick => reports.reduce((total, report) => total + pick(report), 0)
  const times = firstMs.toSorted((left, right) => left - right)
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
    medianMs: round(quantile(times, 0.5)),
    p99Ms: round(quantile(times, 0.99)),
    slowestMs: round(times.at(-1) ?? 0),
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

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

/** Returns the missed bars, one line each. */
function bar(summary) {
  const rules = [
    ['crashes', summary.crashes === 0],
    ['hangs', summary.hangs === 0],
    ['unsupported fields', summary.unsupported === 0],
    ['tools that were not rendered', summary.rendered === summary.tools],
    ['instances that did not round trip', summary.roundTripped === summary.instances],
    ['filled from empty, at least 99%', summary.filledFromEmpty >= summary.tools * 0.99],
    ['a branch was switched, unless --only leaves no union', values.only || summary.branchSwitches > 0],
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

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    limit: { type: 'string' },
    keyboard: { type: 'string', default: '0' },
  },
})
if (!values.data) {
  console.error('Name the folder with the schemas: npm run bench -- forms --data DIR')
  process.exit(2)
}
const all = await readTools(values.data)
const wanted = all.filter(tool => !values.only || `${tool.file} ${tool.name}`.includes(values.only))
const tools = wanted.slice(0, Number(values.limit ?? wanted.length))
if (tools.length === 0) {
  console.error(`No tool with a schema in ${values.data}`)
  process.exit(2)
}
const byKeyboard = Math.min(Number(values.keyboard), tools.length)
for (let index = 0; index < byKeyboard; index++)
  tools[Math.floor((index * tools.length) / byKeyboard)].byKeyboard = true
const built = await buildBench()
const results = []
const waiting = [...tools.entries()]
async function work() {
  const browser = await openBrowser(built.pageDir)
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [index, tool] = next
    results[index] = await checkOne(browser, built.compileSchema, tool, index)
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
const keystroke = await browser.keystroke730()
await browser.close()
await built.remove()

const summary = summarizeTool(results, firstMs, keystroke)
if (values.json) console.log(JSON.stringify(summary, null, 2))
else printTable(summary)
const missed = bar(summary)
for (const line of missed) console.error(`under the bar: ${line}`)
process.exit(missed.length > 0 ? 1 : 0)

/** Checks one tool: makes inputs, sorts them by the server's validator, and tries all of them in the form. */

/** @param tool with `byKeyboard`: its form is filled by keyboard too */
async function checkOne(browser, compileSchema, tool, seed) {
  const result = { file: tool.file, name: tool.name, failures: [], disagreements: [] }
  const fail = (kind, detail) => result.failures.push({ kind, detail: String(detail).slice(0, 700) })
  try {
    const made = await browser.instances(tool.schema, seed)
    const judge = buildJudge(compileSchema, tool.schema)
    const texts = [...made.valid, ...made.spoilt]
    const verdicts = texts.map(judge)
    const valid = texts.filter((_, index) => verdicts[index] !== 'invalid').slice(0, wantedValid)
    const spoilt = texts.filter((_, index) => verdicts[index] === 'invalid').slice(0, wantedSpoilt)
    const more = made.spoilt.filter(text => !spoilt.includes(text)).slice(0, wantedSpoilt - spoilt.length)
    result.valid = valid.length
    result.invalid = spoilt.length
    result.disagreements = await disagreements(browser, tool.schema, texts, verdicts)
    const target = valid[0] ?? made.valid[0] ?? '{}'
    Object.assign(result, {
      report: await browser.check(tool.schema, [...valid, ...spoilt, ...more], target),
    })
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
function buildJudge(compileSchema, schema) {
  let validate
  try {
    validate = compileSchema(schema)
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
