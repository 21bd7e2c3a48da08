/** Masks the secrets of a source's configuration in its errors, its log and its output. */

import { AppError } from '../../core/errors.ts'
import { isObject, parseJson, withoutUndefined } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { LogLine } from '../../core/tool/log-line.ts'
import { createMasker, mask, maskJson, maskShapes, maskText, secretValues } from '../../core/tool/mask.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { ListScope, ServerNotification, Session, SourceContext, SourceSettings } from './source.ts'

interface Settings {
  readonly environment?: SourceSettings['environment'] | undefined
}

/** Returns the secrets of an open source: those of its arguments, headers and environment. */
export function secretsOfSource({ secrets = [] }: Pick<Session, 'secrets'>, { environment }: Settings) {
  return [...secretValues(environment ?? {}), ...secrets]
}

/** Opens a source. Its errors are masked, including those that it reports later, and its notifications. */
export async function openMasked(
  open: (context: SourceContext) => Promise<Session>,
  context: SourceContext,
  settings: Settings,
): Promise<Session> {
  let secrets = secretsOfSource({}, settings)
  const { down, notified } = context
  const masked: SourceContext = {
    ...context,
    ...(down && { down: (error: AppError) => down(maskError(error, secrets)) }),
    ...(notified && { notified: notification => notified(maskNotification(notification, secrets)) }),
  }
  const session = await open(masked).catch(thrown => Promise.reject(maskThrown(thrown, secrets)))
  secrets = secretsOfSource(session, settings)
  return session
}

/** Reads a source's list. Rejects with the session's error, masked. */
export function readMaskedManifest(
  session: Session,
  settings: Settings,
  signal: AbortSignal,
  scope?: ListScope,
): Promise<Manifest> {
  return session
    .manifest(signal, scope)
    .catch(thrown => Promise.reject(maskThrown(thrown, secretsOfSource(session, settings))))
}

/** Returns the last lines of the log that a source writes; empty if it keeps no log. */
export function readLogLines(session: Session | undefined, settings: Settings): readonly LogLine[] {
  const lines = session?.logLines?.() ?? []
  const [first] = lines
  if (session === undefined || first === undefined) return []
  const secrets = secretsOfSource(session, settings)
  // A secret may have several lines, such as a private key.
  const texts = maskText(lines.map(({ text }) => text).join('\n'), secrets).split('\n')
  const counts = lines.map(({ text }) => text.split('\n').length)
  if (texts.length !== counts.reduce((sum, count) => sum + count, 0))
    return [{ number: first.number, time: first.time, origin: 'output', text: texts.join('\n') }]
  let at = 0
  return lines.map((line, index) => {
    const start = at
    at += counts[index] ?? 1
    const logger = line.logger === undefined ? undefined : maskText(line.logger, secrets)
    return { ...line, ...withoutUndefined({ logger }), text: texts.slice(start, at).join('\n') }
  })
}

/**
 * Returns a function that masks output, questions and failures of a source. Results are not masked: the user asked for
 * them.
 */
export function eventMasker(secrets: readonly string[]): (event: SessionEvent) => SessionEvent {
  if (secrets.length === 0) return event => event
  const hideKnown = createMasker(secrets)
  const hide = (text: string) => maskShapes(hideKnown(text), () => mask)
  return event => {
    if (event.type === 'stdout' || event.type === 'stderr') return { ...event, text: hide(event.text) }
    if (event.type === 'question')
      return { ...event, question: { ...event.question, message: hide(event.question.message) } }
    if (event.type === 'task' && event.task.statusMessage !== undefined)
      return { ...event, task: { ...event.task, statusMessage: hide(event.task.statusMessage) } }
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

function maskNotification(notification: ServerNotification, secrets: readonly string[]): ServerNotification {
  const masked = parseJson(maskJson(notification.params, text => maskText(text, secrets)))
  return { ...notification, params: isObject(masked) ? masked : {} }
}

function maskError(error: AppError, secrets: readonly string[]): AppError {
  return error.with({
    detail: maskText(error.detail, secrets),
    hint: maskText(error.toShape().hint, secrets),
    output: error.output === undefined ? undefined : maskText(error.output, secrets),
  })
}
