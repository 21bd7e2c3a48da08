/** Running releases. */
import { setTimeout as wait } from 'node:timers/promises'
import { findRelease, regions } from './data.mjs'
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

const releaseName = z
  .string()
  .regex(/^r-[0-9]+$/)
  .meta({ description: 'A release, as `api releases` lists them', examples: ['r-2291'] })

const rollback = tool({
  description: 'Undo a deployment: bring back what ran before a release',
  input: z.object({
    release: releaseName,
    reason: z
      .string()
      .min(10)
      .max(500)
      .meta({ description: 'Stands in the audit log', examples: ['Errors doubled after the rollout'] }),
    dry_run: z.boolean().default(false).describe('Only say what would happen'),
  }),
  output: z.object({ undone: z.string(), restored: z.string().nullable(), dry_run: z.boolean() }),
  run: input => {
    const { release, environment } = findRelease(input.release)
    if (environment === 'dev') throw new Error('dev keeps no earlier release to go back to')
    return { undone: release, restored: environment === 'prod' ? 'r-2289' : null, dry_run: input.dry_run }
  },
})

const logs = tool({
  description: 'Stream logs of a deployment for a while, then return them',
  input: z.object({
    release: releaseName,
    seconds: z.number().min(0).max(3600).default(5).describe('How long to listen'),
    level: z
      .enum(['debug', 'info', 'warning', 'error'])
      .default('info')
      .describe('Leave out what is less grave'),
  }),
  output: z.object({
    release: z.string(),
    lines: z.array(z.object({ second: z.number(), level: z.string(), text: z.string() })),
  }),
  run: async input => {
    const { release } = findRelease(input.release)
    const steps = Math.max(1, Math.ceil(input.seconds * 2))
    const levels = ['debug', 'info', 'warning', 'error']
    const lines = []
    for (let step = 1; step <= steps; step += 1) {
      await wait((input.seconds * 1000) / steps)
      const level = step % 7 === 0 ? 'warning' : step % 3 === 0 ? 'debug' : 'info'
      process.stderr.write(`listening to ${release}: ${Math.round((100 * step) / steps)}%\n`)
      if (levels.indexOf(level) >= levels.indexOf(input.level))
        lines.push({
          second: (input.seconds * step) / steps,
          level,
          text: `GET /checkout 200 in ${20 + ((step * 13) % 40)} ms`,
        })
    }
    return { release, lines }
  },
})

const health = tool({
  description:
    'Ask a region how it is. The probe in ap-south has an old agent, whose answer breaks the schema.',
  input: z.object({
    region: z.enum(regions),
    deep: z.boolean().optional().describe('Also ask the databases'),
  }),
  output: z.object({
    region: z.string(),
    healthy: z.boolean(),
    probes: z.array(z.object({ name: z.string(), milliseconds: z.number().nullable() })),
  }),
  run: input => ({
    region: input.region,
    healthy: input.region === 'ap-south' ? 'yes' : true,
    probes: [
      { name: 'gateway', milliseconds: 12 },
      { name: 'queue', milliseconds: 3.5 },
      ...(input.deep ? [{ name: 'database', milliseconds: null }] : []),
    ],
  }),
})

export const ops = group({ description: 'What runs, and how it does' }, { rollback, logs, status: health })
