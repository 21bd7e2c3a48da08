import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ruleCatalogue } from '../../core/diff/rules/schema-rules.ts'
import { reportShape } from '../../core/report/diff-json.ts'

const file = (name: string) => new URL(`../../docs/${name}`, import.meta.url)
const docs = (name: string) => readFileSync(file(name), 'utf8')

test('toolscope diff: docs/diff-report.schema.json is the shape of the JSON report (UPDATE_SCHEMAS=1 writes it)', () => {
  const schema = { title: 'toolscope diff --json', ...z.toJSONSchema(reportShape) }
  if (process.env.UPDATE_SCHEMAS !== undefined)
    writeFileSync(file('diff-report.schema.json'), `${JSON.stringify(schema, null, 2)}\n`)
  expect(JSON.parse(docs('diff-report.schema.json'))).toEqual(schema)
})

test('toolscope diff: docs/diff.md names every rule but those of bounds', () => {
  const text = docs('diff.md')
  const bounds = /^(min|max)(imum|-length|-items|-properties)-(added|removed|raised|lowered|changed)$/
  const missing = Object.keys(ruleCatalogue).filter(id => !bounds.test(id) && !text.includes(`\`${id}\``))
  expect(missing).toEqual([])
})
