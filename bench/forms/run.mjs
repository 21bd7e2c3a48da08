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
import { checkOne } from './check-one.mjs'
import { readTools } from './read-tools.mjs'
import { bar, printTable, summarizeTool } from './report.mjs'

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
// Alone, so that nothing else of ours disturbs the times.
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
