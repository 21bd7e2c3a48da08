/** Keeps the secrets of a source's set-up out of what is shown of it: its log, its errors, what it prints in a call. */

import type { SessionEvent } from '../../core/call/invocation.ts'
import { AppError } from '../../core/errors.ts'
import { maskText } from '../../core/secrets/mask.ts'
import { secretValues } from '../../core/secrets/mask-words.ts'
import type { Session, SourceContext, SourceSettings } from './source.ts'

/**
 * Opens a session that shows none of its `secrets`, nor those of its settings. Results are left as they are: they are
 * what the user asked for.
 */
export async function openGuarded(
  open: (context: SourceContext) => Promise<Session>,
  context: SourceContext,
  settings: SourceSettings,
): Promise<Session> {
  const secrets = [...secretValues(settings.environment ?? {})]
  const { down } = context
  const session = await open({
    ...context,
    ...(down === undefined ? {} : { down: (error: AppError) => down(maskedError(error, secrets)) }),
  }).catch(thrown => Promise.reject(masked(thrown, secrets)))
  secrets.push(...(session.secrets ?? []))
  const { call, log } = session
  const manifest = session.manifest.bind(session)
  session.manifest = signal => manifest(signal).catch(thrown => Promise.reject(masked(thrown, secrets)))
  if (log !== undefined) session.log = () => maskText(log.call(session), secrets)
  if (call !== undefined && secrets.length > 0)
    session.call = (...given) => maskedEvents(call.apply(session, given), secrets)
  return session
}

async function* maskedEvents(
  events: AsyncIterable<SessionEvent>,
  secrets: readonly string[],
): AsyncGenerator<SessionEvent> {
  const hide = (text: string) => maskText(text, secrets)
  for await (const event of events) {
    if (event.type === 'stdout' || event.type === 'stderr') yield { ...event, text: hide(event.text) }
    else if (event.type === 'failure') {
      const { message, hint, stderr } = event
      yield {
        ...event,
        message: hide(message),
        ...(hint === undefined ? {} : { hint: hide(hint) }),
        ...(stderr === undefined ? {} : { stderr: hide(stderr) }),
      }
    } else yield event
  }
}

const masked = (thrown: unknown, secrets: readonly string[]) =>
  thrown instanceof AppError ? maskedError(thrown, secrets) : thrown

function maskedError(error: AppError, secrets: readonly string[]): AppError {
  const { hint } = error.toShape()
  return new AppError(error.code, maskText(error.detail, secrets), {
    cause: error,
    hint: maskText(hint, secrets),
    output: error.output === undefined ? undefined : maskText(error.output, secrets),
  })
}
