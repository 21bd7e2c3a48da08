/** Workspace trust over HTTP: the page asks the same question as a command on the terminal. */
import { trustEndpoints } from '../../../core/api/trust.ts'
import { AppError } from '../../../core/errors.ts'
import type { SourceRegistry } from '../../catalog/source-registry.ts'
import { serve } from '../serve-endpoints.ts'

/** The part of the configuration's trust that the routes need. */
export interface TrustKeeper {
  readonly file: string | null
  list(): readonly { readonly name: string; readonly starts: string; readonly isTrusted: boolean }[]
  fingerprint(): string
  agree(): void
  withdraw(): void
}

export function trustRoutes(trust: TrustKeeper, sources: SourceRegistry) {
  const state = () => ({
    file: trust.file,
    items: trust.list().map(({ name, starts, isTrusted }) => ({ name, starts, trusted: isTrusted })),
    fingerprint: trust.fingerprint(),
  })
  const untrusted = () => sources.list().filter(source => source.trusted === false)

  return serve(trustEndpoints, {
    'GET /api/trust': state,
    'PUT /api/trust': ({ body }) => {
      if (body.fingerprint !== trust.fingerprint())
        throw new AppError('config-untrusted', 'the configuration has changed since the question was asked', {
          hint: 'Look at the new list, and answer again.',
        })
      const waiting = untrusted()
      trust.agree()
      // A source that fails to start reports this in its own state.
      for (const { name } of waiting) void sources.restart(name).catch(() => {})
      return state()
    },
    'DELETE /api/trust': async () => {
      trust.withdraw()
      await Promise.all(untrusted().map(({ name }) => sources.stop(name)))
      return state()
    },
  })
}
