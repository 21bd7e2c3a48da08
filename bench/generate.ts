/**
 * `npm run bench -- generate --data DIR [--json]`: generates test inputs for each tool of the manifests in a folder and
 * its subfolders. Exit code 1 if fewer than 98% of the tools have a valid input and an invalid one for each constraint,
 * if the two validators disagree, or if a tool takes too long.
 */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { confirmInputs } from '../core/checks/confirm-inputs.ts'
import { type GeneratedInputs, generateInputs } from '../core/checks/generate-inputs.ts'
import { loadCompat } from '../core/compat/is-subschema.ts'
import { jsonText } from '../core/json/json.ts'
import { finish } from '../core/slices.ts'
import type { Tool } from '../core/tool/tool.ts'
import { measured, printReport, quantile, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'

const wantedShare = 0.98
/** Milliseconds of processor time for one tool. */
const maxTime = 20

interface ToolResult {
  readonly ref: string
  readonly generated: GeneratedInputs
  readonly time: number
  readonly disagreements: readonly string[]
  readonly explained: number
}

/** Validates with a validator of other authors. */
const secondValidator = (schema: object, draft: '4' | '7' | '2019-09' | '2020-12') => {
  const validator = new Validator(schema, draft)
  return (value: unknown) => validator.validate(value).valid
}

async function generate({ ref, inputSchema }: Tool): Promise<ToolResult> {
  const run = () => measured(() => finish(generateInputs(inputSchema)))
  const { value: generated, cpu } = await run()
  // The collection of memory that other tools needed may fall into one run: the median of three counts.
  const time = cpu < maxTime / 2 ? cpu : quantile([cpu, (await run()).cpu, (await run()).cpu], 0.5)
  const confirmed = finish(confirmInputs(inputSchema, generated.inputs, secondValidator))
  const disagreements = confirmed.flatMap(({ isConfirmed, reason }, index) =>
    isConfirmed || reason !== undefined ? [] : [`${jsonText(generated.inputs[index])}`.slice(0, 600)],
  )
  const explained = confirmed.filter(({ isConfirmed }) => !isConfirmed).length - disagreements.length
  return { ref, generated, time, disagreements, explained }
}

function readFolders(folder: string): Tool[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return [...readCatalog(folder), ...inner.flatMap(({ name }) => readFolders(join(folder, name)))]
}

const { data, json } = readOptions({ data: null, json: false })
await loadCompat()
const tools = readFolders(data)
// The first runs compile the code and do not count.
for (const tool of tools.slice(0, 20)) await generate(tool)
const results: ToolResult[] = []
for (const tool of tools) results.push(await generate(tool))

const incomplete = results.filter(
  ({ generated: { inputs, unknowns } }) => unknowns.length > 0 || inputs.length === 0,
)
const sum = (count: (result: ToolResult) => number) => results.reduce((total, each) => total + count(each), 0)
const times = results.map(({ time }) => time)
const disagreements = results.flatMap(each => each.disagreements.map(text => `${each.ref}: ${text}`))
const share = 1 - incomplete.length / Math.max(1, results.length)
const p95 = quantile(times, 0.95)
printReport({
  json,
  tables: {
    inputs: {
      tools: results.length,
      complete: results.length - incomplete.length,
      share,
      valid: sum(({ generated }) => generated.inputs.filter(({ kind }) => kind === 'valid').length),
      invalid: sum(({ generated }) => generated.inputs.filter(({ kind }) => kind === 'invalid').length),
      constraints: sum(({ generated }) => generated.coverage.constraints.total),
      exercised: sum(({ generated }) => generated.coverage.constraints.exercised),
      branches: sum(({ generated }) => generated.coverage.branches.total),
      taken: sum(({ generated }) => generated.coverage.branches.exercised),
      'enum values': sum(({ generated }) => generated.coverage.enumValues.total),
      'enum values sent': sum(({ generated }) => generated.coverage.enumValues.exercised),
      'breaks others too': sum(
        ({ generated }) => generated.inputs.filter(({ alsoBreaks }) => alsoBreaks.length > 0).length,
      ),
      'only ours decides': sum(({ explained }) => explained),
    },
    milliseconds: { median: quantile(times, 0.5), p95, max: quantile(times, 1) },
  },
  bars: [
    { name: 'tools', value: results.length, min: 1 },
    { name: 'share of tools with all inputs', value: share, min: wantedShare },
    { name: 'disagreements of the validators', value: disagreements.length, max: 0 },
    { name: 'milliseconds for a tool, 95th percentile', value: p95, max: maxTime },
  ],
  details: { incomplete: incomplete.map(({ ref, generated }) => ({ ref, ...generated })), disagreements },
})
for (const { ref, generated } of incomplete.slice(0, 50))
  console.error(`${ref}: ${generated.problem ?? jsonText(generated.unknowns.slice(0, 3))}`.slice(0, 500))
for (const text of disagreements.slice(0, 50)) console.error(text)
