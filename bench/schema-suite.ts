/**
 * Runs the official JSON Schema Test Suite on our validator, which the server and the page share:
 * `npm run bench -- schema-suite --data DIR [--json]`. DIR is a copy of the suite (tests/, remotes/). As the suite
 * does, we treat `format` as an annotation and serve its remote schemas at localhost:1234. Exit code 1 below the bars.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadMetaSchemas, metaSchemas } from '../core/compat/meta-schemas.ts'
import { loadPatterns } from '../core/compat/pattern.ts'
import type { Json, UnknownObject } from '../core/json/json.ts'
import { isObject } from '../core/json/json.ts'
import { readJson } from '../core/json/json-text.ts'
import { stateDialect } from '../core/schema/dialect.ts'
import type { Dialect } from '../core/schema/keywords.ts'
import type { JsonSchema } from '../core/tool/tool.ts'
import { createSchemaValidator } from '../core/validation/schema-validator.ts'
import { printReport, readOptions } from './harness.mjs'

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
/** Per cent of each draft. */
const minPercent = 99.5

const { data, json } = readOptions({ data: null, json: false })
await Promise.all([loadMetaSchemas(), loadPatterns()])
const documents = new Map([...metaSchemas(), ...remotes(join(data, 'remotes'), '')])
const rows = Object.entries(folders).map(([folder, dialect]) => runDraft(folder, dialect))
printReport({
  json,
  tables: { suite: rows.map(({ missed: _, ...row }) => row) },
  bars: rows.map(({ draft, percent }) => ({ name: `${draft}, per cent`, value: percent, min: minPercent })),
  details: rows,
})
for (const each of rows.flatMap(({ missed }) => missed)) console.error(`missed: ${each}`)

function runDraft(draft: string, dialect: Dialect) {
  const missed: string[] = []
  let tests = 0
  const folder = join(data, 'tests', draft)
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json')))
    for (const group of readFile(join(folder, file)) as unknown as readonly Group[]) {
      const schema = isObject(group.schema) ? stateDialect(group.schema, dialect) : group.schema
      const validate = createSchemaValidator(schema, { documents, assertsFormats: false })
      tests += group.tests.length
      for (const test of group.tests) {
        const { verdict, note } = validate(test.data)
        if (verdict !== (test.valid ? 'valid' : 'invalid'))
          missed.push(`${file}: ${group.description}: ${test.description}: ${note ?? verdict}`)
      }
    }
  const passed = tests - missed.length
  return { draft, tests, passed, percent: (100 * passed) / tests, missed }
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
