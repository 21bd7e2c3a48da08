/** What the program does with a manifest and with a result, step by step; each yields what it would print. */

import { firstLine } from '../../core/catalog/summarize-tool.ts'
import { Budget, defaultLimits } from '../../core/compat/limits.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { diffRenderers } from '../../core/diff/report/render.ts'
import { AppError } from '../../core/errors.ts'
import { helpJson, helpList, toolHelp } from '../../core/help/formats.ts'
import { manText } from '../../core/help/man-text.ts'
import { nameToolCommands } from '../../core/help/tool-commands.ts'
import type { Json } from '../../core/json/json.ts'
import { callerSchema } from '../../core/json-schema/caller-schema.ts'
import { lintClients } from '../../core/lint/finding.ts'
import { lintToolsInSteps } from '../../core/lint/lint-tools.ts'
import { lintRenderers } from '../../core/lint/render.ts'
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import { pseudoRandom } from '../../core/pattern/random.ts'
import { promptFormats } from '../../core/prompt/formats.ts'
import { promptParts, readablePrompt } from '../../core/prompt/prompt.ts'
import { sampleValue } from '../../core/sample/sample.ts'
import { plainJsonText } from '../../core/text/plain-text.ts'
import { type OwnSigns, terminalLine, terminalText } from '../../core/text/terminal-text.ts'
import type { JsonSchema, Manifest, Tool } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'
import { hashManifest } from '../../server/snapshots/hash-manifest.ts'
import { readResult } from '../../server/sources/mcp-server/read-result.ts'
import { mutate } from './mutate.ts'

export interface Step {
  readonly name: string
  /** What goes to the terminal, after the gate. */
  readonly printed: string
  readonly own?: OwnSigns
}

/** For all questions of containment in one comparison. */
const diffSteps = 200_000
const maxTools = 5
const validationSteps = 200_000

/** Reads, lists, explains, checks and compares. Throws only what the program does not expect. */
export async function* stepsOf(text: string, before: Manifest, seed: number): AsyncGenerator<Step> {
  const manifest = read(text)
  if (manifest instanceof AppError) {
    yield { name: 'read', printed: terminalLine(`${manifest.message} ${manifest.toShape().detail}`) }
    return
  }
  yield {
    name: 'read',
    printed: manifest.problems.map(({ name, message }) => terminalLine(`${name}: ${message}`)).join('\n'),
  }
  const tools = manifest.tools.slice(0, maxTools).map(
    (tool, index): Tool => ({
      ...tool,
      ref: `s/${tool.name}`,
      source: 's',
      index,
      callable: true,
    }),
  )
  yield {
    name: 'list',
    printed: tools.map(tool => terminalLine(`${tool.ref}  ${firstLine(tool.description ?? '')}`)).join('\n'),
  }
  const { entries } = nameToolCommands(tools)
  yield { name: 'help --list', printed: terminalText(helpList(entries)) }
  for (const entry of entries) {
    yield { name: 'help', printed: terminalText(toolHelp(entry)) }
    yield { name: 'help --json', printed: terminalText(tryJson(() => helpJson(entry))) }
    yield { name: 'help --man', printed: terminalText(manText(entry)) }
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

/** A changed answer of an MCP server to a call. */
export function* resultSteps(answer: unknown, schema: unknown): Generator<Step> {
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

// Object.keys forgets the names.
const typedKeys = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[]

function validate(schema: unknown, value: unknown): Step {
  // The program ends the thread of a validation that takes too long: a budget stands for that here.
  const budget = new Budget({ ...defaultLimits, steps: validationSteps })
  const { note, issues } = createSchemaValidator(schema as JsonSchema, { budget })(value as Json)
  const lines = issues.map(({ path, message }) => terminalLine(`${path} ${message}`))
  return { name: 'validate', printed: [terminalLine(note ?? ''), ...lines].join('\n') }
}

/** What JSON.stringify cannot nest is refused at the edge of the program (main.ts). */
function tryJson(work: () => string): string {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof RangeError) return ''
    throw thrown
  }
}
