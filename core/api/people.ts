/** The people of a team, and the audit log of what they changed. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { defineEndpoints } from './endpoint.ts'
import { personRights } from './rights.ts'

/** A person as `toolscope people list` shows it. Times are ISO 8601, UTC. */
export const personState = z.object({
  name: z.string(),
  /** The beginning of the token. */
  prefix: z.string(),
  rights: list(z.enum(personRights)),
  /** The only sources that exist for the person; absent: all. */
  sources: list(z.string()).optional(),
  callsAtATime: z.number().optional(),
  callsAMinute: z.number().optional(),
  createdAt: z.string(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
})
export type PersonState = z.infer<typeof personState>

/** One entry of the audit log: a sign-in, or a request that changes something. Calls are in History. */
export const auditEntry = z.object({
  /** ISO 8601, UTC. */
  time: z.string(),
  /** Absent: the operator. */
  person: z.string().optional(),
  outcome: z.enum(['accepted', 'refused']),
  /** The right that the request needs. */
  right: z.enum([...personRights, 'sign-in']),
  request: z.string(),
  /** The thing that the request concerns, without secrets. */
  target: z.string().optional(),
  /** The address of the connection. */
  address: z.string().optional(),
  forwardedFor: z.string().optional(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditEndpoints = defineEndpoints({
  'GET /api/audit': {
    right: 'read',
    about: 'Who signed in, and who changed what, newest first; only with the token of the server',
    query: z.object({
      person: z.string().max(200).optional(),
      limit: z.coerce.number<string | number>().int().min(1).max(1_000).default(100),
    }),
    answer: z.object({ entries: list(auditEntry) }),
  },
})
