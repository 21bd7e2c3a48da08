/**
 * Checks our forms against real schemas, in Chromium, through the real InputEditor:
 *   npm run corpus:forms -- --data DIR [--json] [--only TEXT] [--limit N]
 * DIR holds JSON files {tools:[{name, inputSchema}]}. Exit 1 under the bar, 2 when it cannot run.
 */
import { parseArgs } from 'node:util'
import { openBrowser } from './browser.mjs'
import { buildBench } from './build.mjs'
import { checkOne } from './check-one.mjs'
import { readTools } from './read-tools.mjs'
import { bar, printTable, summarise } from './report.mjs'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    limit: { type: 'string' },
  },
})
if (!values.data) {
  console.error('Name the folder with the schemas: npm run corpus:forms -- --data DIR')
  process.exit(2)
}
const all = await readTools(values.data)
const wanted = all.filter(tool => !values.only || `${tool.file} ${tool.name}`.includes(values.only))
const tools = wanted.slice(0, Number(values.limit ?? wanted.length))
if (tools.length === 0) {
  console.error(`No tool with a schema in ${values.data}`)
  process.exit(2)
}
const built = await buildBench()
const browser = await openBrowser(built.pageDir)
const results = []
for (const [index, tool] of tools.entries()) {
  results.push(await checkOne(browser, built.compileSchema, tool, index))
  if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${index + 1}/${tools.length}`)
}
const keystroke = await browser.run(page => page.keystroke730())
await browser.close()
await built.remove()

const summary = summarise(results, keystroke)
if (values.json) console.log(JSON.stringify(summary, null, 2))
else printTable(summary)
const missed = bar(summary)
for (const line of missed) console.error(`under the bar: ${line}`)
process.exit(missed.length > 0 ? 1 : 0)
