/** The secrets of a source's set-up are not shown: not in its errors, not in its log, not in what it prints. */

import { AppError } from '../../core/errors.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { createMasker, mask, maskShapes, maskText } from '../../core/tool/mask.ts'
import { secretValues } from '../../core/tool/mask-words.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { Session, SourceContext, SourceSettings } from './source.ts'

interface Settings {
  readonly environment?: SourceSettings['environment'] | undefined
}

/** The secrets of an open source: those of its arguments and headers, and of its environment. */
export function secretsOfSource({ secrets = [] }: Pick<Session, 'secrets'>, { environment }: Settings) {
  return [...secretValues(environment ?? {}), ...secrets]
}

/** Opens a source. Its errors, also those that it reports later, are masked. */
export async function openMasked(
  open: (context: SourceContext) => Promise<Session>,
  context: SourceContext,
  settings: Settings,
): Promise<Session> {
  let secrets = secretsOfSource({}, settings)
  const { down } = context
  const masked: SourceContext = down
    ? { ...context, down: error => down(maskError(error, secrets)) }
    : context
  const session = await open(masked).catch(thrown => Promise.reject(maskThrown(thrown, secrets)))
  secrets = secretsOfSource(session, settings)
  return session
}

/** Reads a source's list. Rejects as the session does, masked. */
export function readManifest(session: Session, settings: Settings, signal: AbortSignal): Promise<Manifest> {
  return session
    .manifest(signal)
    .catch(thrown => Promise.reject(maskThrown(thrown, secretsOfSource(session, settings))))
}

/** The end of what a source wrote beside its answers; empty where it keeps no log. */
export function readLog(session: Session | undefined, settings: Settings): string {
  return session?.log === undefined ? '' : maskText(session.log(), secretsOfSource(session, settings))
}

/** A function that masks what a source prints and why it failed. Results stay: they are what the user asked for. */
export function eventMasker(secrets: readonly string[]): (event: SessionEvent) => SessionEvent {
  if (secrets.length === 0) return event => event
  const hideKnown = createMasker(secrets)
  const hide = (text: string) => maskShapes(hideKnown(text), () => mask)
  return event => {
    if (event.type === 'stdout' || event.type === 'stderr') return { ...event, text: hide(event.text) }
    if (event.type === 'question')
      return { ...event, question: { ...event.question, message: hide(event.question.message) } }
    if (event.type !== 'failure') return event
    const { message, hint, stderr } = event
    return {
      ...event,
      message: hide(message),
      ...(hint === undefined ? {} : { hint: hide(hint) }),
      ...(stderr === undefined ? {} : { stderr: hide(stderr) }),
    }
  }
}

const maskThrown = (thrown: unknown, secrets: readonly string[]) =>
  thrown instanceof AppError ? maskError(thrown, secrets) : thrown

function maskError(error: AppError, secrets: readonly string[]): AppError {
  const { hint } = error.toShape()
  return new AppError(error.code, maskText(error.detail, secrets), {
    cause: error,
    hint: maskText(hint, secrets),
    output: error.output === undefined ? undefined : maskText(error.output, secrets),
  })
}
