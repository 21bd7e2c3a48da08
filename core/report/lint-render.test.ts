import { expect, test } from 'vitest'
import { type LintClient, lintClients } from '../lint/lint-finding.ts'
import { lintTools } from '../lint/lint-tools.ts'
import type { Tool } from '../tool/tool.ts'
import { type LintInput, lintRenderers } from './lint-render.ts'

const evil = '</testcase> ]]>\n::error::gotcha \u001b[31m'
const tools = [evil, 'no type', 'x'.repeat(200)].map(
  (name, index): Tool => ({
    ref: `s/${name}`,
    source: 's',
    index,
    callable: true,
    name,
    outputSchema: { type: 'array' },
    annotations: { readOnlyHint: true, destructiveHint: true },
    inputSchema: { properties: { 'a b': { type: ['array'], $ref: '#/nowhere', oneOf: [], format: 'uri' } } },
  }),
)
const fine: Tool = {
  ...(tools[0] as Tool),
  ref: 's/fine',
  name: 'fine',
  description: 'Is fine.',
  inputSchema: { type: 'object', additionalProperties: false },
}

function input(more: Partial<LintInput> = {}, clients: readonly LintClient[] = lintClients): LintInput {
  const listed = [...tools, fine]
  return {
    output: { toolCount: listed.length },
    clients,
    tools: listed,
    findings: lintTools(listed, clients),
    failOn: 'error',
    isComplete: false,
    fileOf: source => `${source}.json`,
    version: '1.2.3',
    ...more,
  }
}
const plain = { colour: false }

test('lint report: text has a line for each rule, at most a screenful, and says how to see more', () => {
  const lines = lintRenderers
    .text(input(), { ...plain, columns: 80 })
    .trimEnd()
    .split('\n')
  expect(lines.length).toBeLessThanOrEqual(24)
  for (const line of lines.slice(0, 18))
    expect(line).toMatch(/^(?:error {2}|warning|info {3}) {2}[a-z-]+ +\d+ tools? {2}\S/)
  for (const line of lines.slice(0, 18)) expect(line.length).toBeLessThanOrEqual(80)
  expect(lines[18]).toMatch(/^… and \d+ rules more$/)
  expect(lines.at(-1)).toContain('--all')
  const complete = lintRenderers.text(input({ isComplete: true }), plain)
  expect(complete).toContain('Add "type": "object" at the root')
  expect(complete.split('\n').length).toBeGreaterThan(60)
  const nothing = input({ tools: [fine], findings: [], clients: ['mcp'] })
  expect(lintRenderers.text(nothing, plain)).toBe(
    '0 errors, 0 warnings and 0 info in 1 tool, for mcp\n--client names other clients.\n',
  )
})

test('lint report: JUnit has a case for each tool, which fails by --fail-on', () => {
  const failures = (failOn: LintInput['failOn']) =>
    /tests="(\d+)" failures="(\d+)"/.exec(lintRenderers.junit(input({ failOn }, ['mcp', 'openai'])))?.slice(1)
  expect(failures('error')).toEqual(['4', '3'])
  expect(failures('never')).toEqual(['4', '0'])
  expect(lintRenderers.junit(input())).not.toContain(evil.slice(0, 14))
  expect(lintRenderers.junit(input())).not.toContain('\u001b')
})

test('lint report: SARIF and GitLab have each finding, GitHub has one command on each line', () => {
  const { findings } = input()
  const [run] = JSON.parse(lintRenderers.sarif(input())).runs
  expect(run.results).toHaveLength(findings.length)
  expect(run.tool.driver.rules.find((rule: { id: string }) => rule.id === 'input-root').helpUri).toMatch(
    /^https/,
  )
  expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('s.json')
  const quality: { fingerprint: string; severity: string }[] = JSON.parse(lintRenderers.gitlab(input()))
  expect(new Set(quality.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length)
  for (const line of lintRenderers.github(input()).trimEnd().split('\n'))
    expect(line).toMatch(/^::(?:error|warning|notice) title=[^:]*::/)
})
