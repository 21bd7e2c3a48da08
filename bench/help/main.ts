/**
 * `npm run bench -- help --data DIR [--json]`: renders help, list and JSON of every tool in a folder of
 * manifests. Ends with 1 where one throws, leaves a declared field unnamed, lets a control character through, or
 * takes longer than a second.
 */
import { parseArgs } from 'node:util'
import { countCategories } from '../../core/prompt/discover.ts'
import { nameToolCommands } from '../../core/prompt/tool-commands.ts'
import { checkEntry } from './check-entry.ts'
import { readCatalog } from './read-catalog.ts'

/** Milliseconds of the processor for all faces of one tool. */
const maxForTool = 1000
const shownSlowest = 5

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
if (values.data === undefined) {
  console.error('Name the folder of manifests: npm run bench -- help --data DIR')
  process.exit(2)
}
const { entries } = nameToolCommands(await readCatalog(values.data))
const started = performance.now()
const checked = entries.map(checkEntry)
const seconds = (performance.now() - started) / 1000
const bySlowness = [...checked].sort((a, b) => b.milliseconds - a.milliseconds)
const slowest = bySlowness.slice(0, shownSlowest).map(({ ref, milliseconds }) => ({
  ref,
  milliseconds: Math.round(milliseconds),
}))
const failed = checked.filter(({ faults, milliseconds }) => faults.length > 0 || milliseconds > maxForTool)
const summary = {
  tools: checked.length,
  rendered: checked.filter(({ faults }) => faults.length === 0).length,
  categories: countCategories(entries).length,
  seconds: Number(seconds.toFixed(1)),
  failed: failed.length,
}
if (values.json) console.log(JSON.stringify({ ...summary, slowest, failures: failed }, null, 2))
else {
  console.table([summary])
  console.table(slowest)
}
for (const { ref, faults, milliseconds } of failed.slice(0, 50))
  console.error(`${ref}: ${faults.slice(0, 3).join('; ') || `took ${Math.round(milliseconds)} ms`}`)
process.exitCode = failed.length > 0 || checked.length === 0 ? 1 : 0
