import { describe, expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import { resolveVariables, variableMasker } from './variables.ts'

const json = (text: string) => (readJson(text) as { value: Json }).value
const variable = (name: string) => `\${env:${name}}`

describe('example variables', () => {
  const environment: Record<string, string> = { KEY: 's3cr3t"x' }
  const lookUp = (name: string) => environment[name]

  it('replace whole strings only', () => {
    const value = json(
      JSON.stringify({ a: variable('KEY'), b: [variable('KEY')], c: `is ${variable('KEY')}` }),
    )
    expect(resolveVariables(value, lookUp)).toMatchObject({
      ok: true,
      value: { a: 's3cr3t"x', b: ['s3cr3t"x'], c: `is ${variable('KEY')}` },
    })
  })

  it('are named if they are not set', () => {
    expect(resolveVariables(json(`["${variable('NOPE')}"]`), lookUp)).toEqual({
      ok: false,
      missing: ['NOPE'],
    })
  })

  it('are masked in a text, also inside JSON', () => {
    const values = new Map([['KEY', 's3cr3t"x']])
    expect(variableMasker(values)('got s3cr3t"x and {"a":"s3cr3t\\"x"}')).toBe(
      `got ${variable('KEY')} and {"a":"${variable('KEY')}"}`,
    )
  })
})
