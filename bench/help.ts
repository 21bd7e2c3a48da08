/**
 * `npm run bench -- help --data DIR [--json]`: renders help, list and JSON of every tool in a folder of manifests, and
 * the lines that help prints for `toolscope call`, for three inputs of each tool. None may throw, omit the name of a
 * declared field, print a control character, take longer than a second, or be read as another input.
 */
import { sampleValue } from '../core/form/sample.ts'
import { jsonEquals, withSortedKeys } from '../core/json/equality.ts'
import { isObject } from '../core/json/json.ts'
import { readJson, writeJson } from '../core/json/json-text.ts'
import { countCategories } from '../core/prompt/discover.ts'
import { helpJson, listLine, toolHelp } from '../core/prompt/help-formats.ts'
import { nameToolCommands, type ToolCommand } from '../core/prompt/tool-commands.ts'
import { readFlags } from '../core/script/read-flags.ts'
import { plainLine } from '../core/text/plain-text.ts'
import { formatShellCommand } from '../core/text/shell.ts'
import { pseudoRandom } from '../core/validation/random.ts'
import { callCommand } from '../server/commands/call.ts'
import { splitWords } from '../server/commands/split-words.ts'
import { inputWords } from '../server/commands/tool-usage.ts'
import { printReport, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'

/** Milliseconds of processor time for all outputs of one tool. */
const maxForTool = 1_000
/** Share of the inputs that flags cannot express, so that they are printed as JSON. */
const maxAsJson = 0.01

/** Renders all outputs of one tool's help and checks them. */
function checkTool(entry: ToolCommand) {
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
  const milliseconds = Math.round((user + system) / 1_000)
  if (milliseconds > maxForTool) faults.push(`took ${milliseconds} ms`)
  if (!line.startsWith(command) || !line.endsWith('\n')) faults.push('the list has no line')
  if (
    faults.length === 0 &&
    JSON.stringify(JSON.parse(json).input_schema) !== JSON.stringify(withSortedKeys(tool.inputSchema))
  )
    faults.push('JSON changes the schema')
  const properties = isObject(tool.inputSchema) ? tool.inputSchema.properties : undefined
  for (const name of Object.keys(isObject(properties) ? properties : {}))
    if (!help.includes(`--${plainLine(name)} <`)) faults.push(`help does not name ${name}`)
  const typed = checkLines(entry)
  return { ref: tool.ref, milliseconds, ...typed, faults: [...faults, ...typed.faults] }
}

/** Types the input words that help prints for three inputs of a tool, and compares what `toolscope call` reads. */
function checkLines(entry: ToolCommand) {
  const { inputSchema } = entry.tool
  const faults: string[] = []
  let [lines, asJson] = [0, 0]
  for (const optional of ['none', 'some', 'all'] as const) {
    const input = sampleValue(inputSchema, { optional, random: pseudoRandom(lines) })
    if (!isObject(input)) continue
    lines++
    const words = inputWords(entry, input, callCommand)
    const { own, tool } = splitWords(['call', entry.command, 'SOURCE', ...words], callCommand)
    const at = own.indexOf('--input')
    if (at >= 0) asJson++
    const base = readJson(at < 0 ? '{}' : (own[at + 1] ?? ''))
    const reading = readFlags(inputSchema, tool, {
      base: base.ok && isObject(base.value) ? base.value : {},
      strict: { otherFlags: [] },
    })
    if (!reading.ok || !jsonEquals(reading.input, input))
      faults.push(
        `${formatShellCommand(words)} is read as another input: ${reading.ok ? writeJson(reading.input, 0) : reading.message}`,
      )
  }
  return { lines, asJson, faults }
}

const { data, json } = readOptions({ data: null, json: false })
const { entries } = nameToolCommands(readCatalog(data))
const checked = entries.map(checkTool)
const failures = checked.filter(({ faults }) => faults.length > 0)
const sum = (key: 'lines' | 'asJson') => checked.reduce((total, each) => total + each[key], 0)
const counts = {
  tools: checked.length,
  lines: sum('lines'),
  asJson: sum('asJson'),
  categories: countCategories(entries).length,
  failed: failures.length,
}
const slowest = checked.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 5)
printReport({
  json,
  tables: { help: counts, slowest: slowest.map(({ ref, milliseconds }) => ({ ref, milliseconds })) },
  bars: [
    { name: 'tools', value: checked.length, min: 1 },
    { name: 'tools with a fault', value: failures.length, max: 0 },
    { name: 'inputs as JSON', value: counts.asJson, max: counts.lines * maxAsJson },
  ],
  details: failures,
})
for (const { ref, faults } of failures.slice(0, 50)) console.error(`${ref}: ${faults.slice(0, 3).join('; ')}`)
