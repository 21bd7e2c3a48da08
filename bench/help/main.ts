/**
 * `npm run bench -- help --data DIR [--json]`: renders help, list and JSON of every tool in a folder of manifests. Exit
 * code 1 if one throws, omits the name of a declared field, prints a control character, or takes longer than a second.
 */
import { parseArgs } from 'node:util'
import { isObject } from '../../core/json/json.ts'
import { withSortedKeys } from '../../core/json/sort-keys.ts'
import { countCategories } from '../../core/prompt/discover.ts'
import { helpJson, listLine, toolHelp } from '../../core/prompt/help-formats.ts'
import { nameToolCommands, type ToolCommand } from '../../core/prompt/tool-commands.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { readCatalog } from './read-catalog.ts'

/* Renders all outputs of one tool's help and checks them. */

interface Checked {
  readonly command: string
  readonly ref: string
  /** Processor time: the elapsed time on an idle core. */
  readonly milliseconds: number
  /** The faults in words; empty if there are none. */
  readonly faults: readonly string[]
}

function checkEntry(entry: ToolCommand): Checked {
  const { command, tool } = entry
  const started = process.cpuUsage()
  const faults: string[] = []
  const render = (what: string, make: () => string) => {
    try {
      const text = make()
      if (/(?!\n)\p{Cc}/u.test(text)) faults.push(`${what} holds a control character`)
      return text
    } catch (thrown) {
      faults.push(`${what} throws: ${thrown}`)
      return ''
    }
  }
  const help = render('help', () => toolHelp(entry))
  const line = render('the list', () => listLine(entry))
  const json = render('JSON', () => helpJson(entry))
  const { user, system } = process.cpuUsage(started)
  const milliseconds = (user + system) / 1000
  if (!line.startsWith(command) || !line.endsWith('\n')) faults.push('the list has no line')
  if (
    faults.length === 0 &&
    JSON.stringify(JSON.parse(json).input_schema) !== JSON.stringify(withSortedKeys(tool.inputSchema))
  )
    faults.push('JSON changes the schema')
  for (const name of declaredNames(tool.inputSchema)) {
    if (!help.includes(`--${plainLine(name)} <`)) faults.push(`help does not name ${name}`)
  }
  return { command, ref: tool.ref, milliseconds, faults }
}

function declaredNames(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
}

/** Milliseconds of processor time for all outputs of one tool. */
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
