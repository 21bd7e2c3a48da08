import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { configSchema } from '../server/config/config.ts'
import { project } from './project.mjs'

it('configuration schema: docs/toolscope.schema.json is up to date (UPDATE_SCHEMAS=1 writes it)', async () => {
  const text = `${JSON.stringify(z.toJSONSchema(configSchema, { io: 'input' }), null, 2)}\n`
  const path = project('docs/toolscope.schema.json')
  if (process.env.UPDATE_SCHEMAS) (await import('node:fs')).writeFileSync(path, text)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(text))
})

it('configuration schema: contains each key that a remedy in the code names', () => {
  const known = new Set(keysIn(z.toJSONSchema(configSchema, { io: 'input' })))
  const named = sources().flatMap(file =>
    readFileSync(project(file), 'utf8')
      .split('\n')
      .filter(line => /['"`].*(toolscope\.json|(of|for) (its|the|this) (source|server)\b)/.test(line))
      .flatMap(line =>
        [...line.matchAll(/"(\w+)"(?=:|,? (?:in|of|for)\b)/g)].map(([, key = '']) => `${file}: ${key}`),
      ),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter(found => !known.has(found.split(': ')[1] ?? ''))).toEqual([])
})

function sources(): string[] {
  const { stdout } = spawnSync('git', ['ls-files', 'core', 'server', 'src'], {
    cwd: project(),
    encoding: 'utf8',
  })
  return stdout.split('\n').filter(file => /\.tsx?$/.test(file) && !/\.(test|testkit|fixture)/.test(file))
}

/** The names of all properties of a JSON Schema, at every level. */
function keysIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schema).flatMap(keysIn)]
}
