/** When something goes wrong. */

import { incidentList, regions } from './data.mjs'
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

const severity = z.int().min(1).max(4).describe('1 is worst')

const incident = z.object({
  id: z.string(),
  title: z.string(),
  severity,
  state: z.enum(['open', 'resolved']),
  opened_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
})

const open = tool({
  description: 'Open an incident and call the people on duty',
  input: z.object({
    title: z
      .string()
      .min(5)
      .max(120)
      .meta({ examples: ['Checkout is slow in eu-west'] }),
    severity: severity.default(3),
    affected: z
      .array(
        z.object({
          service: z.enum(['checkout', 'search', 'billing', 'log-in']),
          region: z.enum(regions).nullable().describe('null is everywhere'),
          customers: z.int().min(0).optional().describe('How many notice, if known'),
        }),
      )
      .min(1)
      .describe('What is hit'),
    commander: z.email().nullable().default(null).describe('Who leads; null asks whoever is on duty'),
    reach: z
      .union([z.object({ channel: z.string() }), z.object({ phone: z.string().regex(/^\+[0-9]{6,15}$/) })])
      .optional()
      .describe('Where the commander is to be found'),
    timeline: z.array(z.object({ at: z.iso.datetime(), what: z.string() })).optional(),
  }),
  output: z.object({ incident, paged: z.array(z.email()) }),
  run: input => ({
    incident: {
      id: 'inc-319',
      title: input.title,
      severity: input.severity,
      state: 'open',
      opened_at: input.timeline?.[0]?.at ?? '2026-11-21T18:45:00Z',
      resolved_at: null,
    },
    paged: [input.commander ?? 'grace@acme.example', ...(input.severity === 1 ? ['ada@acme.example'] : [])],
  }),
})

const list = tool({
  description: 'List incidents, newest first',
  input: z.object({
    states: z.array(z.enum(['open', 'resolved'])).optional(),
    worst: severity.optional().describe('Leave out what is graver'),
  }),
  output: z.object({ incidents: z.array(incident) }),
  run: input => ({
    incidents: incidentList.filter(
      one => (input.states?.includes(one.state) ?? true) && one.severity >= (input.worst ?? 1),
    ),
  }),
})

export const incidents = group({ description: 'When something goes wrong' }, { open, list })
