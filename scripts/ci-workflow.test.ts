/** The workflow of the public repository: its files, scripts and versions exist, it covers the matrix, and it publishes nothing. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { project } from './project.mjs'

const step = z.strictObject({
  name: z.string().optional(),
  if: z.string().optional(),
  uses: z.string().optional(),
  with: z.record(z.string(), z.string()).optional(),
  run: z.string().optional(),
})
const workflow = z.object({
  permissions: z.strictObject({ contents: z.literal('read') }),
  jobs: z.record(
    z.string(),
    z.object({
      if: z.string().optional(),
      needs: z.array(z.string()).optional(),
      'runs-on': z.string(),
      'timeout-minutes': z.number(),
      strategy: z
        .object({ matrix: z.object({ node: z.array(z.string()), system: z.array(z.string()).optional() }) })
        .optional(),
      steps: z.array(step),
    }),
  ),
})

const document = parseDocument(readFileSync(project('.github/workflows/ci.yml'), 'utf8'), {
  strict: true,
  uniqueKeys: true,
})
const { jobs } = workflow.parse(document.toJS())
const lines = (job: string) => (jobs[job]?.steps ?? []).flatMap(({ run }) => run?.trim().split('\n') ?? [])
const packageJson = JSON.parse(readFileSync(project('package.json'), 'utf8'))

test('CI workflow: it is valid YAML, and each step either uses an action or runs a command', () => {
  expect([document.errors, document.warnings]).toEqual([[], []])
  for (const { steps } of Object.values(jobs))
    for (const { uses, run } of steps) {
      expect([uses, run].filter(each => each !== undefined)).toHaveLength(1)
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
    }
})

test('CI workflow: its actions run on Node 24, because GitHub removed Node 20 from its runners in 2026', () => {
  const first: Record<string, number> = { checkout: 5, 'setup-node': 5, 'upload-artifact': 6 }
  for (const { uses } of Object.values(jobs).flatMap(({ steps }) => steps)) {
    const [, action = '', version] = /^actions\/([\w-]+)@v(\d+)$/.exec(uses ?? '') ?? []
    if (uses !== undefined)
      expect([uses, Number(version) >= (first[action] ?? Infinity)]).toEqual([uses, true])
  }
})

test('CI workflow: the matrix has three systems and each Node, from the oldest that package.json allows', () => {
  const versions = ['20.19', '22', '24']
  expect(packageJson.engines.node).toBe(`>=${versions[0]}`)
  expect(jobs.linux?.strategy?.matrix).toMatchObject({ node: versions })
  expect(jobs['other-systems']?.strategy?.matrix).toMatchObject({
    node: versions,
    system: ['macos-latest', 'windows-latest'],
  })
})

test('CI workflow: each script and file that it runs exists, and all systems run scripts of .ci/run', () => {
  const listScripts = (job: string) =>
    lines(job).flatMap(
      line => /^npm (?:run (?:--silent )?)?(test|[\w:]+)$/.exec(line.split(' -- ')[0] ?? '')?.[1] ?? [],
    )
  for (const script of Object.keys(jobs).flatMap(listScripts))
    expect(packageJson.scripts).toHaveProperty([script])
  const ci = readFileSync(project('.ci/run'), 'utf8')
  expect(listScripts('other-systems')).toEqual(['test', 'faults'])
  for (const script of listScripts('other-systems'))
    expect(ci).toMatch(new RegExp(`^npm (run --silent )?${script}\\b`, 'm'))
  expect(lines('linux')).toContain('.ci/run')
  expect(statSync(project('.ci/run')).mode & 0o111).not.toBe(0)
  for (const [, path = ''] of ci.matchAll(/^node (scripts\/\S+)/gm))
    expect([path, existsSync(project(path))]).toEqual([path, true])
})

test('CI workflow: the release job waits for all tests, runs for tags and by hand, and publishes nothing', () => {
  expect(jobs.release?.needs).toEqual(Object.keys(jobs).filter(name => name !== 'release'))
  expect(jobs.release?.if).toBe(
    "startsWith(github.ref, 'refs/tags/v') || github.event_name == 'workflow_dispatch'",
  )
  for (const line of Object.keys(jobs).flatMap(lines))
    expect(line).not.toMatch(/\b(publish|push|login|release create)\b/)
  expect(JSON.stringify(jobs)).not.toMatch(/secrets\.|NODE_AUTH_TOKEN|id-token/)
})
