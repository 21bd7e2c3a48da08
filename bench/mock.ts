/**
 * `npm run bench -- mock --data DIR [--json]`: the made-up answers of every tool in a folder of manifests, with several
 * seeds. Exit code 1 if Ajv or @cfworker/json-schema refuses one, or if the folder has no tool.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@cfworker/json-schema'
import { loadCompatFor } from '../core/compat/is-subschema.ts'
import { jsonText } from '../core/json/json.ts'
import { mockAnswer } from '../core/mock/mock-answer.ts'
import { detectDialect } from '../core/schema/dialect.ts'
import { compileSchema } from '../core/validation/ajv.testkit.ts'
import { loadMatchersFor } from '../core/validation/safe-pattern.ts'
import { printReport, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'

const seeds = [undefined, 1, 2, 3]

const { data, json } = readOptions({ data: null, json: false })
/** A folder of manifests may hold one folder for each server, with its versions. */
const folders = readdirSync(data, { withFileTypes: true })
  .filter(entry => entry.isDirectory())
  .map(({ name }) => join(data, name))
const tools = [data, ...folders].flatMap(readCatalog)
const counts = { tools: tools.length, structured: 0, answers: 0, valid: 0, equalAgain: 0 }
const faults: string[] = []
for (const tool of tools) {
  const { outputSchema, ref } = tool
  if (outputSchema === undefined) continue
  counts.structured += 1
  await Promise.all([loadMatchersFor(JSON.stringify(outputSchema)), loadCompatFor(outputSchema)])
  const ajv = compileSchema(outputSchema)
  const dialect = detectDialect(outputSchema)
  // The package knows these four.
  const draft = dialect === '2020-12' ? dialect : dialect === '2019-09' ? dialect : '7'
  const other = new Validator(outputSchema as never, draft, false)
  for (const seed of seeds) {
    counts.answers += 1
    const answer = mockAnswer(tool, {}, { seed })
    if (jsonText(answer) === jsonText(mockAnswer(tool, {}, { seed }))) counts.equalAgain += 1
    const { value } = answer
    if (value === undefined) faults.push(`${ref}: ${answer.problem}`)
    else if (!ajv(value)) faults.push(`${ref}, Ajv: ${jsonText(value)} ${jsonText(ajv.errors)}`)
    else if (!other.validate(value).valid) faults.push(`${ref}, cfworker: ${jsonText(value)}`)
    else counts.valid += 1
  }
}
printReport({
  json,
  tables: { mock: counts },
  bars: [
    { name: 'tools', value: counts.tools, min: 1 },
    { name: 'answers that a validator refuses', value: faults.length, max: 0 },
    { name: 'answers that differ for the same seed', value: counts.answers - counts.equalAgain, max: 0 },
  ],
  details: { faults },
})
for (const fault of faults.slice(0, 20)) console.error(fault.slice(0, 500))
