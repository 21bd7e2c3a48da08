/**
 * Runs the official JSON Schema Test Suite on our validator, which the server and the page share:
 * `npm run bench -- schema-suite --data DIR [--json]`. DIR is a copy of the suite (tests/, remotes/). As the suite
 * does, we treat `format` as an annotation and serve its remote schemas at localhost:1234. Exit code 1 below the bars.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadMetaSchemas, metaSchemas } from '../../core/compat/meta-schemas.ts'
import { loadPatterns } from '../../core/compat/pattern.ts'
import type { Json, UnknownObject } from '../../core/json/json.ts'
import { isObject } from '../../core/json/json.ts'
import { readJson } from '../../core/json/json-text.ts'
import { stateDialect } from '../../core/schema/dialect.ts'
import type { Dialect } from '../../core/schema/keywords.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'

interface Group {
  readonly description: string
  readonly schema: JsonSchema
  readonly tests: readonly { readonly description: string; readonly data: Json; readonly valid: boolean }[]
}

const folders: Readonly<Record<string, Dialect>> = {
  draft4: 'draft-04',
  draft6: 'draft-06',
  draft7: 'draft-07',
  'draft2019-09': '2019-09',
  'draft2020-12': '2020-12',
}
/** The server and the page use one validator; the bar of each, in per cent. */
const bars: Readonly<Record<string, number>> = { server: 99.5, page: 99 }

const { values } = parseArgs({ options: { data: { type: 'string' }, json: { type: 'boolean' } } })
if (values.data === undefined) {
  console.error('Name a copy of the suite: npm run bench -- schema-suite --data DIR [--json]')
  process.exit(2)
}
const { data, json } = values
await Promise.all([loadMetaSchemas(), loadPatterns()])
const documents = new Map([...metaSchemas(), ...remotes(join(data, 'remotes'), '')])
const rows = Object.entries(folders).flatMap(([folder, dialect]) =>
  Object.keys(bars).map(validator => runDraft(folder, dialect, validator)),
)
if (json) console.log(JSON.stringify(rows, null, 2))
else
  for (const { draft, validator, tests, passed, percent, missed } of rows) {
    console.log(`${draft.padEnd(14)} ${validator.padEnd(7)} ${passed} of ${tests}  ${percent.toFixed(2)}%`)
    for (const each of missed) console.log(`  missed: ${each}`)
  }
if (rows.some(({ validator, percent }) => percent < (bars[validator] ?? 100))) process.exitCode = 1

function runDraft(draft: string, dialect: Dialect, validator: string) {
  const missed: string[] = []
  let tests = 0
  const folder = join(data as string, 'tests', draft)
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json')))
    for (const group of readFile(join(folder, file)) as unknown as readonly Group[]) {
      const schema = isObject(group.schema) ? stateDialect(group.schema, dialect) : group.schema
      const validate = createSchemaValidator(schema, {
        documents,
        assertsFormats: false,
      })
      for (const test of group.tests) {
        tests += 1
        const { verdict, note } = validate(test.data)
        if (verdict !== (test.valid ? 'valid' : 'invalid'))
          missed.push(`${file}: ${group.description}: ${test.description}: ${note ?? verdict}`)
      }
    }
  const passed = tests - missed.length
  return { draft, validator, tests, passed, percent: (100 * passed) / tests, missed }
}

/** Returns the schemas that the suite expects to be served, by address. */
function remotes(folder: string, path: string): [string, UnknownObject][] {
  return readdirSync(join(folder, path), { withFileTypes: true }).flatMap(entry => {
    const inner = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) return remotes(folder, inner)
    const schema = readFile(join(folder, inner))
    return isObject(schema) ? [[`http://localhost:1234/${inner}`, schema as UnknownObject]] : []
  })
}

function readFile(path: string): Json {
  const reading = readJson(readFileSync(path, 'utf8'))
  if (!reading.ok || reading.value === undefined) throw new Error(`${path} is not JSON`)
  return reading.value
}
