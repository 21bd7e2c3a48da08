import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { exampleSchema, readExample, writeExample } from '../core/checks/example.ts'
import { project } from './project.mjs'

it('example schema: docs/example.schema.json is up to date (UPDATE_SCHEMAS=1 writes it)', () => {
  const text = `${JSON.stringify(z.toJSONSchema(exampleSchema, { io: 'input' }), null, 2)}\n`
  const path = project('docs/example.schema.json')
  if (process.env.UPDATE_SCHEMAS) writeFileSync(path, text)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(text))
})

it('example files: the shipped ones are written as the program writes them', () => {
  const folder = project('examples/toolscope.examples')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.json'),
  )
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) {
    const text = readFileSync(`${folder}/${file}`, 'utf8')
    const reading = readExample(text)
    expect(reading.ok && writeExample(reading.example), file).toBe(text)
  }
})
