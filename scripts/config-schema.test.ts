import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { configSchema } from '../server/config/config.ts'
import { project } from './project.mjs'

it('docs/toolscope.schema.json is what the configuration really accepts (UPDATE_SCHEMAS=1 writes it)', async () => {
  const text = `${JSON.stringify(z.toJSONSchema(configSchema, { io: 'input' }), null, 2)}\n`
  const path = project('docs/toolscope.schema.json')
  if (process.env.UPDATE_SCHEMAS) (await import('node:fs')).writeFileSync(path, text)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(JSON.parse(text))
})
