/**
 * The whole HTTP API. The server's routes, the page's client and the table in docs/api.md derive from it. The page
 * imports only its types, so zod stays out of the first load (docs/decisions/024-one-contract.md).
 */
import { z } from 'zod'
import { appEndpoints } from './apps.ts'
import { callEndpoints } from './calls.ts'
import { catalogEndpoints } from './catalog.ts'
import { clientEndpoints } from './clients.ts'
import { compareEndpoints } from './compare.ts'
import { defineEndpoints } from './endpoint.ts'
import { eventEndpoints } from './events.ts'
import { exampleEndpoints } from './examples.ts'
import { generatedCheckEndpoints } from './generated-checks.ts'
import { historyEndpoints } from './history.ts'
import { auditEndpoints } from './people.ts'
import { pinEndpoints } from './pins.ts'
import { promptEndpoints } from './prompt.ts'
import { rightEndpoints } from './rights.ts'
import { scriptEndpoints } from './scripts.ts'
import { sourceEndpoints } from './sources.ts'
import { trustEndpoints } from './trust.ts'
import { diffEndpoints, versionEndpoints } from './versions.ts'
import { wireEndpoints } from './wire.ts'

export const healthEndpoints = defineEndpoints({
  'GET /api/health': {
    right: 'read',
    about: 'Whether the server runs; needs no token. With `nonce`: a proof that the server knows its token',
    query: z.object({
      nonce: z
        .string()
        .regex(/^[\w-]{16,64}$/, 'a nonce has 16 to 64 letters, digits, - and _')
        .optional(),
    }),
    answer: z.object({
      status: z.literal('ok'),
      version: z.string(),
      node: z.string(),
      proof: z.string().exactOptional(),
    }),
  },
  'GET /api/health/ready': {
    right: 'read',
    about:
      'Whether the server takes calls and its store answers: status 200 or 503; needs no token, but only with one it says why not',
    answer: z.object({ ready: z.boolean(), reasons: z.array(z.string()).exactOptional() }),
  },
  'GET /metrics': {
    right: 'read',
    about: 'The figures of the server for Prometheus; also with the token of TOOLSCOPE_METRICS_TOKEN',
    format: 'text',
    answer: z.string(),
  },
})

export const contract = {
  ...healthEndpoints,
  ...rightEndpoints,
  ...sourceEndpoints,
  ...clientEndpoints,
  ...trustEndpoints,
  ...pinEndpoints,
  ...versionEndpoints,
  ...catalogEndpoints,
  ...callEndpoints,
  ...appEndpoints,
  ...diffEndpoints,
  ...exampleEndpoints,
  ...generatedCheckEndpoints,
  ...compareEndpoints,
  ...historyEndpoints,
  ...promptEndpoints,
  ...scriptEndpoints,
  ...wireEndpoints,
  ...auditEndpoints,
  ...eventEndpoints,
}
export type Contract = typeof contract
