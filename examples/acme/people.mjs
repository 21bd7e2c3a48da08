/** Who works here. */

import { peopleList } from './data.mjs'
import { z } from './libraries.mjs'
import { group, tool } from './llms-program.mjs'

const role = z.enum(['owner', 'maintainer', 'developer', 'auditor'])
const team = z.enum(['payments', 'platform', 'search'])

export const greet = tool({
  description: 'Greet someone politely',
  input: z.object({
    name: z
      .string()
      .min(1)
      .meta({ description: 'Whom to greet', examples: ['Ada'] }),
  }),
  output: z.object({ greeting: z.string() }),
  run: ({ name }) => ({ greeting: `Good day, ${name}, and welcome to Acme Cloud.` }),
})

const find = tool({
  description: 'Find people by name or address',
  input: z.object({ query: z.string().default(''), role: role.optional(), team: team.optional() }),
  output: z.object({
    people: z.array(
      z.object({
        email: z.email(),
        name: z.string(),
        role,
        teams: z.array(team),
        manager: z.email().nullable(),
      }),
    ),
  }),
  run: input => {
    const wanted = input.query.toLowerCase()
    return {
      people: peopleList.filter(
        person =>
          `${person.name} ${person.email}`.toLowerCase().includes(wanted) &&
          person.role === (input.role ?? person.role) &&
          (input.team === undefined || person.teams.includes(input.team)),
      ),
    }
  },
})

const invite = tool({
  description: 'Invite someone by mail',
  input: z.object({
    email: z.email(),
    name: z
      .string()
      .min(1)
      .max(80)
      .meta({ examples: ['Katherine Johnson'] }),
    role: role.default('developer'),
    teams: z.array(team).max(3).default([]),
    until: z.iso.date().nullable().optional().describe('Last day of access; null is without end'),
    address: z
      .object({
        street: z.string(),
        city: z.string(),
        country: z.string().length(2),
        floor: z.int().optional(),
      })
      .optional()
      .describe('Where the laptop goes'),
  }),
  output: z.object({ invited: z.email(), role, expires: z.iso.date().nullable() }),
  run: input => {
    if (peopleList.some(person => person.email === input.email))
      throw new Error(`${input.email} is already a member`)
    return { invited: input.email, role: input.role, expires: input.until ?? null }
  },
})

const suspend = tool({
  description: 'Take away someone’s access. Refuses the last owner, so ada@acme.example always fails.',
  input: z.object({
    email: z.email().meta({ examples: ['grace@acme.example'] }),
    hand_over_to: z.email().optional(),
  }),
  output: z.object({ suspended: z.email(), handed_over_to: z.email().nullable() }),
  run: input => {
    const person = peopleList.find(({ email }) => email === input.email)
    if (person === undefined) throw new Error(`Nobody here has the address ${input.email}`)
    if (person.role === 'owner') throw new Error(`${person.name} is the last owner and cannot be suspended`)
    return { suspended: person.email, handed_over_to: input.hand_over_to ?? person.manager }
  },
})

export const people = group({ description: 'Who works here' }, { find, invite, suspend })
