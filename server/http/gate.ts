/**
 * Decides what requests may do on this server, and writes an audit line for each request that changes or runs
 * something.
 */

import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, MiddlewareHandler } from 'hono'
import type { Right } from '../../core/api/endpoint.ts'
import { describeRightRefusal, type ServerMode } from '../../core/api/rights.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { plainJson, plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { readRequestId } from './server-activity.ts'

export interface Gate {
  readonly mode: ServerMode
  /** Receives each audit line: one JSON object without a line break. No audit lines are written if absent. */
  readonly write?: ((line: string) => void) | undefined
  /** The header in which a proxy names the user. */
  readonly userHeader?: string | undefined
}

declare module 'hono' {
  interface ContextVariableMap {
    gate: Gate
  }
}

/** Makes the gate available to every route. */
export const withGate =
  (gate: Gate): MiddlewareHandler =>
  (context, next) => {
    context.set('gate', gate)
    return next()
  }

export interface WantedEndpoint {
  /** For example `POST /api/sources`. */
  readonly key: string
  readonly right: Right
}

/** Returns why the server's mode refuses the right; undefined if it grants it, or if there is no gate. */
export function describeRefusal({ right }: WantedEndpoint, context: Context): string | undefined {
  return describeRightRefusal(right, context.get('gate')?.mode ?? { readOnly: false, fixedSources: false })
}

const maxCharacters = 300
/** A name of 200 characters must not hide the command after it. */
const maxTargetCharacters = 1000

/**
 * Writes an audit line. `describe` returns the target, which must not contain a secret: references, names or a masked
 * command; for a refused request that does not name it, the path is the target. Throws AppError `not-allowed` if the
 * line cannot be written: a request that cannot be audited is refused.
 */
export function audit(
  { key, right }: WantedEndpoint,
  context: Context,
  outcome: 'accepted' | 'refused',
  describe: () => string | undefined,
): void {
  const gate = context.get('gate')
  if (gate?.write === undefined || right === 'read') return
  const target = outcome === 'accepted' ? describe() : describeOrPath(describe, context)
  const bounded = (text: string | undefined, most = maxCharacters) => (text ? shorten(text, most) : undefined)
  const line = plainJson(
    {
      time: new Date().toISOString(),
      outcome,
      right,
      request: key,
      target: bounded(target, maxTargetCharacters),
      requestId: readRequestId(context),
      user: bounded(gate.userHeader && context.req.header(gate.userHeader)),
      address: readRemoteAddress(context),
      forwardedFor: bounded(context.req.header('x-forwarded-for')),
    },
    0,
  )
  try {
    gate.write(line)
  } catch (thrown) {
    throw new AppError('not-allowed', `the audit line could not be written: ${toErrorMessage(thrown)}`)
  }
}

function describeOrPath(describe: () => string | undefined, context: Context): string {
  try {
    return describe() ?? plainLine(context.req.path)
  } catch {
    return plainLine(context.req.path)
  }
}

/** Undefined if the request has no socket (in tests). */
function readRemoteAddress(context: Context): string | undefined {
  try {
    return getConnInfo(context).remote.address
  } catch {
    return undefined
  }
}

/**
 * Creates the gate. A server that is not local writes audit lines by default. Throws AppError `usage` if the audit file
 * cannot be written.
 */
export function createGate(
  {
    readOnly,
    fixedSources,
    audit,
    userHeader,
  }: ServerMode & { readonly audit?: string | undefined; readonly userHeader?: string | undefined },
  isLocal: boolean,
  { directory, say }: { readonly directory: string; say(line: string): void },
): Gate {
  const usual = isLocal ? undefined : say
  const write = audit === undefined ? usual : auditFile(resolve(directory, audit))
  return { mode: { readOnly, fixedSources }, userHeader, write }
}

/** Appends lines to a file that only its owner can read. Throws AppError `usage` if the file cannot be written. */
function auditFile(path: string): (line: string) => void {
  const append = (text: string) => appendFileSync(path, text, { mode: 0o600 })
  try {
    append('')
  } catch (thrown) {
    throw new AppError('usage', `--audit ${path} cannot be written: ${toErrorMessage(thrown)}`)
  }
  return line => append(`${line}\n`)
}
