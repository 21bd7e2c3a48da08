import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { contract } from '../core/api/contract.ts'
import type { Endpoint } from '../core/api/endpoint.ts'
import { project } from './project.mjs'

const begin = '<!-- endpoints: written from core/api/contract.ts -->'
const end = '<!-- end of endpoints -->'
const formats = { json: 'JSON', text: 'text', lines: 'NDJSON', events: 'server-sent events' } as const

function table(): string {
  const rows = Object.entries<Endpoint>(contract).map(([key, { about, query, body, format = 'json' }]) => {
    const fields = [
      query && `?${Object.keys(query.shape).join('&')}`,
      body && `{${Object.keys(body.shape).join(', ')}}`,
    ]
    const given = fields.flatMap(text => (text ? [`\`${text}\``] : [])).join(' ')
    return `| \`${key}\` | ${given} | ${formats[format]} | ${about} |`
  })
  return ['| endpoint | query, body | answer | what it does |', '|---|---|---|---|', ...rows].join('\n')
}

/** The formatter aligns the columns of tables. */
const unaligned = (text: string) => text.replace(/-{3,}/g, '---').replace(/ *\| */g, '|')

it('docs/api.md lists the endpoints of the contract (UPDATE_DOCS=1 writes it)', () => {
  const path = project('docs/api.md')
  const text = readFileSync(path, 'utf8')
  const [before = '', after = ''] = [text.split(begin)[0], text.split(end)[1]]
  const expected = `${before}${begin}\n${table()}\n${end}${after}`
  if (process.env.UPDATE_DOCS) writeFileSync(path, expected)
  expect(unaligned(readFileSync(path, 'utf8'))).toBe(unaligned(expected))
})

it('a path names exactly the params of its endpoint', () => {
  for (const [key, { params }] of Object.entries<Endpoint>(contract)) {
    const named = [...key.matchAll(/\{\+?(\w+)\}/g)].map(match => match[1])
    expect([key, Object.keys(params?.shape ?? {})]).toEqual([key, named])
  }
})
