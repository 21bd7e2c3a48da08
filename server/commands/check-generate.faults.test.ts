/** `toolscope check --generate` over a server with 41 planted faults, and over its twin without them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, vi } from 'vitest'
import type { GeneratedFinding, GeneratedReport } from '../../core/checks/generated-checks.ts'
import { project } from '../../scripts/project.mjs'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

vi.setConfig({ testTimeout: 600_000 })

const server = project('server/testing/faulty-server.mjs')

interface Generated {
  readonly report: GeneratedReport
  readonly findings: readonly GeneratedFinding[]
}

async function generate(directory: string, source: string, ...args: string[]): Promise<Generated> {
  const environment = { TOOLSCOPE_DATA_DIR: directory }
  const all = ['check', '--generate', source, '--format', 'json', '--timeout', '2s', ...args]
  const { stdout } = await runCommandLine(all, { directory, environment })
  return JSON.parse(stdout).generated
}

/** The verdicts that find a fault, by the beginning of the tool's name; `accepted-silently` for ignored keywords. */
const verdicts: Readonly<Record<string, readonly GeneratedFinding['verdict'][]>> = {
  ignores: ['accepted-silently'],
  crash: ['crash'],
  hang: ['hang'],
  busy: ['hang'],
  output: ['output-invalid'],
  stack: ['stack-trace'],
  field: ['field-not-named'],
  ends: ['crash'],
  internal: ['protocol-error'],
  refuses: ['refused-valid'],
  answer: ['protocol-error'],
}

test('check --generate: finds 39 of 40 planted faults in at most 2,000 calls', async ({ folder }) => {
  const { report, findings } = await generate(folder, `mcp:node ${server}`, '--max-calls', '2000')
  const missed = report.tools.flatMap(({ ref }) => {
    const [, name = ''] = ref.split('/')
    const [kind = '', keyword = ''] = name.split('_')
    const isFound = findings.some(
      ({ ref: found, verdict, constraint }) =>
        found === ref &&
        verdicts[kind]?.includes(verdict) &&
        (kind !== 'ignores' || constraint.keyword === keyword),
    )
    return isFound ? [] : [name]
  })
  expect(report.tools.length).toBeGreaterThanOrEqual(40)
  expect(report.calls).toBeLessThanOrEqual(2_000)
  expect(report.ending).toBe('done')
  expect(missed.length, missed.join(', ')).toBeLessThanOrEqual(1)
})

test('check --generate: finds nothing in the fixed twin', async ({ folder }) => {
  const { report, findings } = await generate(folder, `mcp:node ${server} --fixed`)
  expect(findings).toEqual([])
  expect(report.coveragePercent).toBeGreaterThanOrEqual(98)
})

test('check --generate: finds status 500 over HTTP', async ({ folder }) => {
  const found = async (args: readonly string[]) => {
    const child = spawn(process.execPath, [server, '--http', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [address] = await once(child.stdout, 'data')
      return (await generate(folder, String(address).trim())).findings.map(({ verdict }) => verdict)
    } finally {
      child.kill()
      await once(child, 'exit')
    }
  }
  expect(new Set(await found([]))).toEqual(new Set(['server-error']))
  expect(await found(['--fixed'])).toEqual([])
})
