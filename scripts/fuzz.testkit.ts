/** Sends changed manifests and results through the program's steps and collects the faults. For tests and bench/. */
import { summarizeFirstLine } from '../core/catalog/rows.ts'
import { Budget, defaultProofLimits } from '../core/compat/proof-limits.ts'
import { diffManifests } from '../core/diff/diff-manifests.ts'
import { AppError } from '../core/errors.ts'
import { sampleValue } from '../core/form/sample.ts'
import type { Json } from '../core/json/json.ts'
import { lintClients } from '../core/lint/lint-finding.ts'
import { lintToolsInSteps } from '../core/lint/lint-tools.ts'
import { parseManifestText } from '../core/manifest/read-manifest.ts'
import { helpJson, helpList, toolHelp } from '../core/prompt/help-formats.ts'
import { promptParts, readablePrompt } from '../core/prompt/prompt.ts'
import { promptFormats } from '../core/prompt/prompt-formats.ts'
import { nameToolCommands } from '../core/prompt/tool-commands.ts'
import { diffRenderers } from '../core/report/diff-render.ts'
import { lintRenderers } from '../core/report/lint-render.ts'
import { callerSchema } from '../core/schema/caller-schema.ts'
import { hostileSchemas } from '../core/schema/hostile-schemas.testkit.ts'
import { plainJsonText } from '../core/text/plain-text.ts'
import { type OwnSigns, terminalLine, terminalText } from '../core/text/terminal-text.ts'
import type { JsonSchema, Manifest, Tool } from '../core/tool/tool.ts'
import { pseudoRandom } from '../core/validation/random.ts'
import { createSchemaValidator } from '../core/validation/schema-validator.ts'
import { readResult } from '../server/mcp-client/read-result.ts'
import { hashManifest } from '../server/versions/describe-snapshot.ts'

/** Milliseconds of processor time for one step. */
const maxStepMs = 1_000
const maxTools = 5

interface Fault {
  readonly case: number
  readonly source: string
  readonly step: string
  readonly what: string
}

export interface FuzzReport {
  readonly cases: number
  readonly steps: number
  /** Processor time of the slowest step, and its name. */
  readonly slowest: { readonly ms: number; readonly step: string; readonly case: number }
  readonly faults: readonly Fault[]
}

/**
 * The result is the same for the same sources, count and seed.
 *
 * @param begin called before each case; a case that hangs is the last one
 */
export async function fuzz(
  sources: readonly { readonly name: string; readonly text: string }[],
  count: number,
  seed: number,
  begin: (index: number) => void = () => {},
  only?: number,
): Promise<FuzzReport> {
  const manifests = sources.map(source => ({ ...source, ...opened(source.text) }))
  const faults: Fault[] = []
  let slowest = { ms: 0, step: '', case: 0 }
  let steps = 0
  for (let index = only ?? 0; index < (only === undefined ? count : only + 1); index++) {
    begin(index)
    const random = pseudoRandom(seed * 1_000_003 + index)
    const source = manifests[Math.floor(random() * manifests.length)]
    if (source === undefined) break
    const fault = (step: string, what: string) =>
      faults.push({ case: index, source: source.name, step, what })
    let last = 'start'
    let start = process.cpuUsage()
    const take = ({ name, printed, own }: Step) => {
      const { user, system } = process.cpuUsage(start)
      const ms = (user + system) / 1_000
      steps += 1
      last = name
      if (ms > slowest.ms) slowest = { ms, step: name, case: index }
      if (ms > maxStepMs) fault(name, `took ${Math.round(ms)} ms`)
      const sign = unescaped(printed, own !== undefined)
      if (sign !== undefined) fault(name, `printed ${JSON.stringify(sign)}`)
      start = process.cpuUsage()
    }
    try {
      const part = chosenPart(source.json, random)
      const before = source.manifest
      const changed = mutate(part, random)
      const text = toText(changed)
      if (text !== undefined) {
        start = process.cpuUsage()
        for await (const step of listSteps(random() < 0.2 ? mutateText(text, random) : text, before, index))
          take(step)
      }
      const schema = before.tools[0]?.outputSchema ?? before.tools[0]?.inputSchema
      const answer = {
        content: [{ type: 'text', text: 'x' }],
        structuredContent: { a: [1, { b: null }] },
        isError: false,
      }
      start = process.cpuUsage()
      for (const step of listResultSteps(mutate(answer, random), schema)) take(step)
    } catch (thrown) {
      fault(
        `after ${last}`,
        `threw ${thrown instanceof Error ? thrown.stack?.split('\n').slice(0, 4).join(' | ') : thrown}`,
      )
    }
  }
  return { cases: only === undefined ? count : 1, steps, slowest, faults }
}

function opened(text: string): { readonly manifest: Manifest; readonly json: unknown } {
  return { manifest: parseManifestText(text), json: JSON.parse(text) }
}

/** Returns only a few of the tools, because each step runs for every tool. */
function chosenPart(json: unknown, random: () => number): unknown {
  const list = Array.isArray(json) ? json : (json as { readonly tools?: unknown }).tools
  if (!Array.isArray(list)) return json
  const from = Math.floor(random() * Math.max(1, list.length - maxTools))
  const some = list.slice(from, from + maxTools)
  return Array.isArray(json) ? some : { ...(json as object), tools: some }
}

/** Returns undefined if the value is nested too deep for JSON.stringify: a program writes it in other ways. */
function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined
    throw thrown
  }
}

/** Returns the first character in a printed text that controls a terminal, or the first command for a CI system. */
function unescaped(text: string, hasCommands: boolean): string | undefined {
  const steering = /(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|##\w*\[/u.exec(text)
  if (steering) return steering[0]
  return hasCommands ? undefined : /^[^\S\n]*::.{0,40}/m.exec(text)?.[0]
}

/* Changes to values and texts. */

type Random = () => number
type Holder = Record<string | number, unknown>

const steering =
  '\u001b]0;owned\u0007\u009b31m\u202eevil\u2066\u061c\ufeff ##[error]owned\n::error::owned\r\u2028'

/** Values that replace others. Functions, because some are large. */
const strangers: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => 1e-300,
  () => 2 ** 64,
  () => '',
  () => steering,
  () => 'x'.repeat(100_000),
  () => '\ud800',
  () => '__proto__',
  () => 'toString',
  () => [],
  () => ({}),
  () => ({ $ref: '#' }),
  () => ({ type: 'string', pattern: '^(a+)+$', minLength: 40 }),
  () => ({ pattern: '(' }),
  () => ({ enum: Array.from({ length: 3_000 }, (_, index) => `value ${index}`) }),
  () => ({ anyOf: [{ $ref: '#' }, { allOf: [{ $ref: '#' }, { not: { $ref: '#' } }] }] }),
  () => ({ type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } }),
  () => ({ multipleOf: 1e-300, minimum: 1e300 }),
  () => nested(10_000, inner => [inner]),
  () => nested(10_000, inner => ({ properties: { a: inner } })),
  () => nested(300, inner => ({ anyOf: [inner, { type: 'null' }] })),
  () => Array.from({ length: 10_000 }, (_, index) => index),
]

const names = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  steering,
  'n'.repeat(100_000),
  '$ref',
  'type',
  'enum',
]

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = wrap(value)
  return value
}

/** Returns a changed copy: one to four changes, each at a location of its own. */
function mutate(value: unknown, random: Random): unknown {
  const root: Holder = { value: structuredClone(value) }
  const count = 1 + Math.floor(random() * 4)
  for (let change = 0; change < count; change++) changeOne(root, random)
  return root.value
}

function changeOne(root: Holder, random: Random): void {
  const [holder, key] = placeIn(root, random)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  switch (Math.floor(random() * 6)) {
    case 0:
      if (holder !== root) delete holder[key]
      return
    case 1: {
      // Copies the value to another name; defined, so that `__proto__` becomes a property.
      const held = holder[key]
      if (Array.isArray(holder)) holder.push(held)
      else
        Object.defineProperty(holder, pick(names), {
          value: held,
          enumerable: true,
          configurable: true,
          writable: true,
        })
      return
    }
    case 2:
      holder[key] = structuredClone(pick(small))
      return
    case 3:
      holder[key] = { anyOf: [holder[key], holder[key]] }
      return
    default:
      holder[key] = pick(strangers)()
  }
}

/** Hostile schemas that are small: the large ones have tests of their own. */
const small = Object.entries(hostileSchemas()).flatMap(([name, schema]) =>
  /doubling|catastrophic|itself|circle|300 deep|lists/.test(name) ? [schema] : [],
)

/** Returns a random member of the value; deep locations are as likely as shallow ones. */
function placeIn(root: Holder, random: Random): readonly [Holder, string | number] {
  let place: readonly [Holder, string | number] = [root, 'value']
  for (let depth = 0; depth < 40; depth++) {
    const inner = place[0][place[1]]
    if (typeof inner !== 'object' || inner === null) return place
    const keys = Object.keys(inner)
    const key = keys[Math.floor(random() * keys.length)]
    if (key === undefined || (depth > 1 && random() < 0.2)) return place
    place = [inner as Holder, key]
  }
  return place
}

/** Returns the text of a value as a broken program might write it. */
function mutateText(text: string, random: Random): string {
  const at = Math.floor(random() * text.length)
  switch (Math.floor(random() * 5)) {
    case 0:
      return text.slice(0, at)
    case 1:
      return `${text.slice(0, at)}${steering}${text.slice(at)}`
    case 2:
      return `\ufeff${text}`
    case 3:
      return `${text.slice(0, at)}${'['.repeat(50_000)}${text.slice(at)}`
    default:
      return `${text.slice(0, at)}NaN${text.slice(at + 1)}`
  }
}

interface Step {
  readonly name: string
  /** The text for the terminal, after escaping. */
  readonly printed: string
  readonly own?: OwnSigns
}

/** For all containment checks of one comparison. */
const diffSteps = 200_000
const validationSteps = 200_000

/** Reads, lists, explains, checks and compares. Throws only errors that the program does not expect. */
async function* listSteps(text: string, before: Manifest, seed: number): AsyncGenerator<Step> {
  const manifest = read(text)
  if (manifest instanceof AppError) {
    yield { name: 'read', printed: terminalLine(`${manifest.message} ${manifest.toShape().detail}`) }
    return
  }
  yield {
    name: 'read',
    printed: manifest.problems.map(({ name, message }) => terminalLine(`${name}: ${message}`)).join('\n'),
  }
  const tools = manifest.tools
    .slice(0, maxTools)
    .map((tool, index): Tool => ({ ...tool, ref: `s/${tool.name}`, source: 's', index, callable: true }))
  yield {
    name: 'list',
    printed: tools
      .map(tool => terminalLine(`${tool.ref}  ${summarizeFirstLine(tool.description ?? '')}`))
      .join('\n'),
  }
  const { entries } = nameToolCommands(tools)
  yield { name: 'help --list', printed: terminalText(helpList(entries)) }
  for (const entry of entries) {
    yield { name: 'help', printed: terminalText(toolHelp(entry)) }
    yield { name: 'help --json', printed: terminalText(tryJson(() => helpJson(entry))) }
  }
  const lint = lintToolsInSteps(tools, lintClients)
  let step = lint.next()
  for (; !step.done; step = lint.next()) yield { name: 'lint', printed: '' }
  const findings = step.value
  for (const isComplete of [false, true]) {
    const report = {
      tools,
      findings,
      isComplete,
      clients: lintClients,
      failOn: 'error',
      version: '1',
    } as const
    const input = { ...report, output: {}, fileOf: (source: string) => source }
    for (const format of typedKeys(lintRenderers))
      yield printed('lint', format, lintRenderers[format](input, plain))
  }
  for (const format of promptFormats) {
    const prompt = tryJson(() => readablePrompt(promptParts(tools, { format, compact: false, set: 's' })))
    yield {
      name: `prompt --format ${format}`,
      printed: terminalText(format === 'text' ? prompt : plainJsonText(prompt)),
    }
  }
  await hashManifest({ ...manifest, tools })
  yield { name: 'snapshot', printed: '' }
  yield* compare({ ...before, tools: before.tools.slice(0, maxTools) }, { ...manifest, tools })
  const random = pseudoRandom(seed)
  for (const { inputSchema } of tools.slice(0, 3)) {
    const schema = callerSchema(inputSchema)
    const value = sampleValue(schema)
    yield { name: 'sample', printed: '' }
    yield validate(schema, mutate(value, random))
  }
}

/** Reads a changed answer of an MCP server to a call. */
function* listResultSteps(answer: unknown, schema: unknown): Generator<Step> {
  const ending = readResult(answer)
  yield { name: 'result', printed: ending.type === 'failure' ? terminalLine(ending.message) : '' }
  if ('structuredContent' in ending && ending.structuredContent !== undefined)
    yield validate(schema, ending.structuredContent)
}

function read(text: string): Manifest | AppError {
  try {
    return parseManifestText(text)
  } catch (thrown) {
    if (thrown instanceof AppError) return thrown
    throw thrown
  }
}

async function* compare(before: Manifest, after: Manifest): AsyncGenerator<Step> {
  const report = await diffManifests(before, after, { steps: diffSteps })
  yield { name: 'diff', printed: '' }
  const input = { a: 'a', b: 'b', report, failOn: 'breaking', version: '1' } as const
  for (const format of typedKeys(diffRenderers))
    yield printed(
      'diff',
      format,
      tryJson(() => diffRenderers[format](input, plain)),
    )
}

const plain = { colour: false }

function printed(command: string, format: string, text: string): Step {
  const own = format === 'github' ? ({ own: 'workflow commands' } as const) : {}
  return { name: `${command} --format ${format}`, printed: terminalText(text, own.own), ...own }
}

// Object.keys loses the types of the names.
const typedKeys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[]

function validate(schema: unknown, value: unknown): Step {
  // The program ends the thread of a validation that takes too long: a budget replaces that here.
  const budget = new Budget({ ...defaultProofLimits, steps: validationSteps })
  const { note, issues } = createSchemaValidator(schema as JsonSchema, { budget })(value as Json)
  const lines = issues.map(({ path, message }) => terminalLine(`${path} ${message}`))
  return { name: 'validate', printed: [terminalLine(note ?? ''), ...lines].join('\n') }
}

/** A value that JSON.stringify cannot nest is refused at the edge of the program (main.ts). */
function tryJson(work: () => string): string {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof RangeError) return ''
    throw thrown
  }
}
