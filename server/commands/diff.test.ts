import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { reportShape } from '../../core/diff/report/json.ts'
import { ruleCatalogue } from '../../core/diff/rules/schema-rules.ts'

const docs = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')

test('docs/diff-report.schema.json is the shape of the JSON report', () => {
  const schema = { title: 'toolscope diff --json', ...z.toJSONSchema(reportShape) }
  expect(JSON.parse(docs('diff-report.schema.json'))).toEqual(schema)
})

test('docs/diff.md names every rule', () => {
  const text = docs('diff.md')
  const bounds = /^(min|max)(imum|-length|-items|-properties)-(added|removed|raised|lowered|changed)$/
  const missing = Object.keys(ruleCatalogue).filter(id => !bounds.test(id) && !text.includes(`\`${id}\``))
  expect(missing).toEqual([])
})
