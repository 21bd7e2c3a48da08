/**
 * `npm run bench -- help --data DIR [--json]`: renders help, list and JSON of every tool in a folder of manifests, and the
 * lines that help prints for `toolscope call`, for three inputs of each tool. Exit code 1 if one throws, omits the name of a
 * declared field, prints a control character, or takes longer than a second; and if a line is read as another input, or
 * more than one input in a hundred is printed as JSON because flags cannot express it.
 */
import { parseArgs } from 'node:util'
import { sampleValue } from '../../core/form/sample.ts'
import { jsonEquals, withSortedKeys } from '../../core/json/equality.ts'
import { isObject } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import { countCategories } from '../../core/prompt/discover.ts'
import { helpJson, listLine, toolHelp } from '../../core/prompt/help-formats.ts'
import { nameToolCommands, type ToolCommand } from '../../core/prompt/tool-commands.ts'
import { readFlags } from '../../core/script/read-flags.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { formatShellCommand } from '../../core/text/shell.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { callCommand } from '../../server/commands/call.ts'
import { splitWords } from '../../server/commands/split-words.ts'
import { inputWords } from '../../server/commands/tool-usage.ts'
import { readCatalog } from './read-catalog.ts'

/* Renders all outputs of one tool's help and checks them. */

interface Checked {
  readonly command: string
  readonly ref: string
  /** Processor time: the elapsed time on an idle core. */
  readonly milliseconds: number
  /** The faults in words; empty if there are none. */
  readonly faults: readonly string[]
  /** Inputs that were typed, and how many of them as JSON. */
  readonly lines: number
  readonly asJson: number
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
  const typed = checkLines(entry)
  return { command, ref: tool.ref, milliseconds, ...typed, faults: [...faults, ...typed.faults] }
}

/** Types the input words that help prints for three inputs of a tool, and compares what `toolscope call` reads. */
function checkLines(entry: ToolCommand): Pick<Checked, 'lines' | 'asJson' | 'faults'> {
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

function declaredNames(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
}

/** Milliseconds of processor time for all outputs of one tool. */
const maxForTool = 1000
const shownSlowest = 5
/** Share of the inputs that may be printed as JSON. */
const maxAsJson = 0.01

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
const sum = (key: 'lines' | 'asJson') => checked.reduce((total, each) => total + each[key], 0)
const [lines, asJson] = [sum('lines'), sum('asJson')]
const summary = {
  tools: checked.length,
  lines,
  asJson,
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
process.exitCode = failed.length > 0 || checked.length === 0 || asJson > lines * maxAsJson ? 1 : 0
