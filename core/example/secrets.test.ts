import { describe, expect, it } from 'vitest'
import { type Json, readJson } from '../json/json-text.ts'
import { leaveOutSecrets, maskValues, resolveVariables } from './secrets.ts'

const json = (text: string) => (readJson(text) as { value: Json }).value
const variable = (name: string) => `\${env:${name}}`

describe('what is left out', () => {
  it('is each secret member, by name or by the schema, but for a variable', () => {
    const value = json(
      JSON.stringify({
        user: 'ada',
        password: 'hunter2',
        nested: [{ api_key: variable('KEY'), pin: '1234', token: `x${variable('KEY')}` }],
      }),
    )
    expect(leaveOutSecrets(value, new Set(['pin']))).toEqual({
      value: { user: 'ada', nested: [{ api_key: variable('KEY') }] },
      leftOut: ['/password', '/nested/0/pin', '/nested/0/token'],
    })
  })
})

describe('variables', () => {
  const environment: Record<string, string> = { KEY: 's3cr3t"x' }
  const lookUp = (name: string) => environment[name]

  it('take the place of whole strings only', () => {
    const value = json(
      JSON.stringify({ a: variable('KEY'), b: [variable('KEY')], c: `is ${variable('KEY')}` }),
    )
    expect(resolveVariables(value, lookUp)).toMatchObject({
      ok: true,
      value: { a: 's3cr3t"x', b: ['s3cr3t"x'], c: `is ${variable('KEY')}` },
    })
  })

  it('that are not set are named', () => {
    expect(resolveVariables(json(`["${variable('NOPE')}"]`), lookUp)).toEqual({
      ok: false,
      missing: ['NOPE'],
    })
  })

  it('are masked in what is told', () => {
    const values = new Map([['KEY', 's3cr3t"x']])
    expect(maskValues('got s3cr3t"x and {"a":"s3cr3t\\"x"}', values)).toBe(
      `got ${variable('KEY')} and {"a":"${variable('KEY')}"}`,
    )
  })
})
