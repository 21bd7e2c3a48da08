/** What it costs. */

import { regions } from './data.mjs'
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

/** Euro an hour. */
const prices = { compute: 0.042, memory: 0.0061, storage: 0.0004, traffic: 0.011 }
const service = z.enum(['compute', 'memory', 'storage', 'traffic'])
const rates = { EUR: 1, USD: 1.09, GBP: 0.86 }

const estimate = tool({
  description: 'Estimate a monthly bill from what will run',
  input: z.object({
    items: z
      .array(
        z.object({
          service,
          units: z.number().positive().describe('Cores, gigabytes, or gigabytes an hour'),
          hours: z.number().min(0).max(744).default(730),
        }),
      )
      .min(1)
      .max(50),
    currency: z.enum(['EUR', 'USD', 'GBP']).default('EUR'),
    discount: z
      .number()
      .min(0)
      .max(0.5)
      .nullable()
      .optional()
      .describe('Share taken off; null is the contract’s own'),
  }),
  output: z.object({
    currency: z.string(),
    lines: z.array(z.object({ service: z.string(), cost: z.number() })),
    total: z.number(),
  }),
  run: input => {
    const rate = rates[input.currency] * (1 - (input.discount ?? 0))
    const round = amount => Math.round(amount * 100) / 100
    const lines = input.items.map(item => ({
      service: item.service,
      cost: round(prices[item.service] * item.units * item.hours * rate),
    }))
    return { currency: input.currency, lines, total: round(lines.reduce((sum, line) => sum + line.cost, 0)) }
  },
})

const exportUsage = tool({
  description: 'Export every metered hour of a month: about 5 MB of rows',
  input: z.object({
    month: z
      .string()
      .regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/)
      .describe('Such as 2026-11'),
    rows: z.int().min(1).max(200_000).default(40_000).describe('Stop after so many'),
  }),
  output: z.object({
    month: z.string(),
    rows: z.array(
      z.object({
        hour: z.int(),
        region: z.string(),
        service: z.string(),
        units: z.number(),
        cost: z.number(),
      }),
    ),
  }),
  run: ({ month, rows }) => ({
    month,
    rows: Array.from({ length: rows }, (_, at) => ({
      hour: Math.floor(at / 12) % 744,
      region: regions[at % regions.length],
      service: service.options[at % service.options.length],
      units: (at * 37) % 1000,
      cost: ((at * 37) % 1000) / 100,
    })),
  }),
})

export const billing = group({ description: 'What it costs' }, { estimate, export: exportUsage })
