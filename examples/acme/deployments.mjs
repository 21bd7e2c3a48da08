/** Builds and the releases made of them. */

import { regions, releaseList } from './data.mjs'
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

export const environment = z.enum(['dev', 'staging', 'prod'])
const buildName = z
  .string()
  .regex(/^b-[0-9]+$/)
  .meta({ examples: ['b-1842'] })

const strategy = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rolling'),
    batch: z.int().min(1).max(100).default(25).describe('Percent of the replicas to replace at a time'),
  }),
  z.object({
    kind: z.literal('canary'),
    percent: z.int().min(1).max(50).describe('Share of the traffic that meets the new build first'),
    minutes: z.int().min(5).max(1440).default(30).describe('How long to watch before the rest follows'),
    abort_on: z
      .array(z.object({ metric: z.enum(['errors', 'latency', 'saturation']), above: z.number().min(0) }))
      .optional()
      .describe('Go back when any of these is exceeded'),
  }),
])

export const deploy = tool({
  description:
    'Roll a build out to an environment. Waits until every region reports healthy, then returns the release with its checks.',
  input: z.object({
    build: buildName.describe('The build to roll out'),
    environment: environment.describe('Where it goes'),
    replicas: z.int().min(1).max(50).default(3).describe('Copies in each region'),
    not_before: z.iso.datetime().optional().describe('Wait until then (UTC)'),
    strategy: strategy.optional().describe('How to replace what runs; all at once when left out'),
    labels: z.record(z.string(), z.string()).optional().describe('Free labels, kept with the release'),
    notify: z.array(z.email()).max(10).optional().describe('Who hears of the outcome'),
    note: z
      .string()
      .max(280)
      .optional()
      .meta({ description: 'A line for the release log', examples: ['Faster checkout'] }),
  }),
  output: z.object({
    release: z.string(),
    environment,
    regions: z.array(z.object({ name: z.string(), healthy: z.boolean(), replicas: z.int() })),
    checks: z.array(z.object({ name: z.string(), passed: z.boolean(), detail: z.string().nullable() })),
    labels: z.record(z.string(), z.string()),
    started_at: z.iso.datetime(),
  }),
  run: input => ({
    release: 'r-2292',
    environment: input.environment,
    regions: regions.map(name => ({ name, healthy: true, replicas: input.replicas })),
    checks: [
      { name: 'image signed', passed: true, detail: null },
      {
        name: 'health',
        passed: true,
        detail: `${regions.length * input.replicas} of ${regions.length * input.replicas} replicas answer`,
      },
      { name: 'rollout', passed: true, detail: input.strategy?.kind ?? 'all at once' },
    ],
    labels: input.labels ?? {},
    started_at: input.not_before ?? '2026-11-21T18:42:10Z',
  }),
})

const release = z.object({
  release: z.string(),
  build: z.string(),
  environment,
  by: z.email(),
  at: z.iso.datetime(),
  state: z.enum(['live', 'replaced', 'rolled back']),
})

export const releases = tool({
  description: 'List releases, newest first',
  input: z.object({
    environment: environment.optional().describe('Only this one'),
    since: z.iso.datetime().optional().describe('Only releases made after (UTC)'),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ releases: z.array(release), more: z.boolean() }),
  run: input => {
    const found = releaseList.filter(
      one => one.environment === (input.environment ?? one.environment) && one.at > (input.since ?? ''),
    )
    return { releases: found.slice(0, input.limit), more: found.length > input.limit }
  },
})

const scan = tool({
  description: 'Look for known vulnerabilities in a build',
  input: z.object({
    build: buildName.describe('The build to look into'),
    fail_at: z.enum(['low', 'medium', 'high', 'critical']).default('high'),
    ignore: z.array(z.string().regex(/^CVE-[0-9]{4}-[0-9]{4,}$/)).optional(),
  }),
  output: z.object({
    passed: z.boolean(),
    findings: z.array(
      z.object({
        id: z.string(),
        package: z.string(),
        severity: z.string(),
        fixed_in: z.string().nullable(),
      }),
    ),
  }),
  run: input => {
    // The scanner's library talks on stdout and cannot be silenced.
    console.log('scanner 4.2: loading 182 rules')
    console.log(`scanner 4.2: unpacking ${input.build} {"layers": 7}`)
    const findings = [
      { id: 'CVE-2026-21043', package: 'libpng', severity: 'medium', fixed_in: '1.6.51' },
      { id: 'CVE-2025-58767', package: 'tar', severity: 'low', fixed_in: null },
    ].filter(finding => !input.ignore?.includes(finding.id))
    const order = ['low', 'medium', 'high', 'critical']
    const passed = findings.every(finding => order.indexOf(finding.severity) < order.indexOf(input.fail_at))
    return { passed, findings }
  },
})

export const builds = group({ description: 'What can be rolled out' }, { scan })
