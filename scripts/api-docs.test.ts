import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { contract } from '../core/api/contract.ts'
import type { Endpoint, Right } from '../core/api/endpoint.ts'
import { describeRightRefusal, rights, type ServerMode } from '../core/api/rights.ts'
import { manifestFormats } from '../core/manifest/manifest-formats.ts'
import { project } from './project.mjs'

const formats = { json: 'JSON', text: 'text', lines: 'NDJSON', events: 'server-sent events' } as const

function endpointTable(): string[] {
  const rows = Object.entries<Endpoint>(contract).map(
    ([key, { about, query, body, format = 'json', right }]) => {
      const fields = [
        query && `?${Object.keys(query.shape).join('&')}`,
        body && `{${Object.keys(body.shape).join(', ')}}`,
      ]
      const given = fields.flatMap(text => (text ? [`\`${text}\``] : [])).join(' ')
      return `| \`${key}\` | ${given} | ${formats[format]} | ${right} | ${about} |`
    },
  )
  return ['| endpoint | query, body | answer | right | what it does |', '|---|---|---|---|---|', ...rows]
}

function rightTable(): string[] {
  const granted = (right: Right, mode: ServerMode) =>
    describeRightRefusal(right, mode) === undefined ? 'yes' : 'no'
  const rows = (Object.keys(rights) as Right[]).map(right => {
    const readOnly = granted(right, { readOnly: true, fixedSources: false })
    const fixed = granted(right, { readOnly: false, fixedSources: true })
    return `| ${right} | ${rights[right]} | yes | ${fixed} | ${readOnly} |`
  })
  const head = '| right | allows | otherwise | `--fixed-sources` | `--read-only` |'
  return [head, '|---|---|---|---|---|', ...rows]
}

function formatTable(): string[] {
  const rows = Object.entries(manifestFormats).map(([name, form]) => `| ${name} | ${form} |`)
  return ['| format | what it looks like |', '|---|---|', ...rows]
}

/** The formatter aligns the columns of tables. */
const unaligned = (text: string) => text.replace(/-{3,}/g, '---').replace(/ *\| */g, '|')

it.each([
  ['docs/api.md', 'endpoints', endpointTable, 'core/api/contract.ts'],
  ['docs/team.md', 'rights', rightTable, 'core/api/rights.ts'],
  ['docs/sources.md', 'formats', formatTable, 'core/manifest/manifest-formats.ts'],
] as const)('API docs: %s lists the %s (UPDATE_DOCS=1 writes them)', (file, what, table, from) => {
  const begin = `<!-- ${what}: written from ${from} -->`
  const end = `<!-- end of ${what} -->`
  const path = project(file)
  const text = readFileSync(path, 'utf8')
  const [before = '', after = ''] = [text.split(begin)[0], text.split(end)[1]]
  const expected = `${before}${begin}\n${table().join('\n')}\n${end}${after}`
  if (process.env.UPDATE_DOCS) writeFileSync(path, expected)
  expect(unaligned(readFileSync(path, 'utf8'))).toBe(unaligned(expected))
})

it('API contract: each path names exactly the params of its endpoint', () => {
  for (const [key, { params }] of Object.entries<Endpoint>(contract)) {
    const named = [...key.matchAll(/\{\+?(\w+)\}/g)].map(match => match[1])
    expect([key, Object.keys(params?.shape ?? {})]).toEqual([key, named])
  }
})
