import { describe, expect, test } from 'vitest'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { defaultLintClients, lintClients } from './lint-finding.ts'
import { countWarnings, lintTools, listWarnings } from './lint-tools.ts'

function toolOf(inputSchema: JsonSchema, name = 'tool'): Tool {
  return { ref: `s/${name}`, source: 's', index: 0, callable: true, name, inputSchema }
}

describe('lintTools', () => {
  test('names only the clients that were asked about', () => {
    const findings = lintTools([toolOf({}, 'a b')], ['anthropic'])
    expect(findings.length).toBeGreaterThan(0)
    for (const { clients } of findings) expect(clients).toEqual(['anthropic'])
  })

  test('checks strict mode only if it is asked for', () => {
    const open = toolOf({ type: 'object', properties: { a: {} } })
    expect(lintTools([open], defaultLintClients).some(({ rule }) => rule.startsWith('strict'))).toBe(false)
    expect(lintTools([open], ['openai-strict']).map(({ rule }) => rule)).toEqual([
      'strict-closed',
      'strict-required',
    ])
  })

  test('puts the worst finding of a tool first, and keeps the order of the tools', () => {
    const findings = lintTools([toolOf({ type: ['object'] }, 'z'), toolOf({}, 'a b')], lintClients)
    expect(findings.map(({ name }) => name).lastIndexOf('z')).toBeLessThan(
      findings.findIndex(({ name }) => name === 'a b'),
    )
    const severities = findings.filter(({ name }) => name === 'a b').map(({ severity }) => severity)
    expect(severities).toEqual(
      [...severities].sort((a, b) => 'ewi'.indexOf(a[0] ?? '') - 'ewi'.indexOf(b[0] ?? '')),
    )
  })

  test('judges the names that authors gave, not those that Toolscope joined', () => {
    const functionOf = (agentName: string, functionName: string): Tool => ({
      ...toolOf({ type: 'object', properties: {} }, `${agentName} ${functionName}`),
      description: 'Does it.',
      extra: { agent: true, agentName, functionName },
    })
    const tools = [functionOf('todo', 'add'), functionOf('garden', 'add'), functionOf('todo', 'is bad')]
    const found = lintTools(tools, ['openai', 'anthropic', 'gemini', 'aichat', 'mcp'])
    expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['todo is bad']))
    expect(found[0]?.message).toContain('"is bad"')
    // A tool that is not a function of an agent is reported if its name has a space.
    const joined = { ...toolOf({ type: 'object' }, 'api greet'), extra: { functionName: 'greet' } }
    expect(lintTools([joined], ['openai']).map(({ rule }) => rule)).toContain('openai-name')
  })

  test('reports at most ten locations of one rule in one tool', () => {
    const properties = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`p ${at}`, {}]))
    const found = lintTools([toolOf({ type: 'object', properties })], ['anthropic']).filter(
      ({ rule }) => rule === 'anthropic-property-name',
    )
    expect(found).toHaveLength(10)
    expect(found.at(-1)?.message).toContain('30 more locations')
  })

  test('treats keys such as __proto__ as properties like any other', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"array"},"constructor":{}}}',
    )
    const paths = lintTools([toolOf(schema)], ['openai']).map(({ path }) => path)
    expect(paths).toContain('/inputSchema/properties/__proto__')
  })
})

describe('countWarnings', () => {
  const badName = { ...toolOf({ type: 'object', properties: { a: {} } }, 'a b!'), description: 'Does it.' }

  test('counts errors and warnings for the clients of the default, without notes', () => {
    const noType = { ...badName, inputSchema: { type: ['object'] } }
    const found = lintTools([noType], defaultLintClients).filter(({ severity }) => severity !== 'info')
    expect(found.length).toBeGreaterThan(1)
    expect(listWarnings(noType)).toEqual(found)
    expect(countWarnings(noType)).toBe(found.length)
    expect(countWarnings({ ...badName, name: 'a_b' })).toBe(0)
  })

  test('counts none in a prompt or resource', () => {
    expect(countWarnings(badName)).toBe(1)
    expect(countWarnings({ ...badName, kind: 'prompt' })).toBe(0)
  })

  test('checks a tool only once', () => {
    let reads = 0
    const counted = {
      ...badName,
      get inputSchema() {
        reads += 1
        return badName.inputSchema
      },
    }
    expect([countWarnings(counted), reads > 0]).toEqual([1, true])
    reads = 0
    expect([countWarnings(counted), reads]).toEqual([1, 0])
  })
})
