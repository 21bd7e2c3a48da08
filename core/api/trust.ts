/** Workspace trust: what the configuration of the folder starts, and whether the user has agreed to it. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { audited, defineEndpoints } from './endpoint.ts'

const trustState = z.object({
  /** The full path of the configuration; null without a configuration. */
  file: z.string().nullable(),
  items: list(
    z.object({
      /** The source; `history` or `versions` if the configuration deletes those. */
      name: z.string(),
      /** The command that it starts, in one line, with secrets masked. */
      starts: z.string(),
      trusted: z.boolean(),
    }),
  ),
  /** Identifies exactly this list. */
  fingerprint: z.string(),
})
export type TrustState = z.infer<typeof trustState>

export const trustEndpoints = defineEndpoints({
  'GET /api/trust': {
    right: 'read',
    about: 'What toolscope.json starts, and whether the user has agreed to it',
    answer: trustState,
  },
  'PUT /api/trust': audited({
    right: 'sources',
    about:
      'Agrees to the list with this fingerprint, and starts what is on it. Refused if the list has changed since',
    body: z.object({ fingerprint: z.string() }),
    target: ({ body }) => `toolscope.json fingerprint=${body.fingerprint}`,
    answer: trustState,
  }),
  'DELETE /api/trust': audited({
    right: 'sources',
    about: 'Takes back what the user has agreed to, and stops it',
    target: () => 'toolscope.json',
    answer: trustState,
  }),
})
