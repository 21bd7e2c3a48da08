/**
 * Decides what requests may do on this server, and writes an audit line for each request that changes or runs
 * something.
 */

import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { HttpBindings } from '@hono/node-server'
import { getConnInfo } from '@hono/node-server/conninfo'
import type { Context, MiddlewareHandler } from 'hono'
import type { Contract } from '../../core/api/contract.ts'
import type { Right } from '../../core/api/endpoint.ts'
import { describePersonRefusal, describeRightRefusal, type ServerMode } from '../../core/api/rights.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { plainJson, plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { isCallRefusal, type People, type Person } from '../people/people.ts'
import { readRequestId } from './server-activity.ts'

export interface Gate {
  readonly mode: ServerMode
  /** Receives each audit line: one JSON object without a line break. No audit lines are written if absent. */
  readonly write?: ((line: string) => void) | undefined
  /** The header in which a proxy names the user. */
  readonly userHeader?: string | undefined
  /** The people that may use the server besides the operator. */
  readonly people?: People | undefined
}

declare module 'hono' {
  interface ContextVariableMap {
    gate: Gate
    /** The person that sent the request; undefined: the operator. */
    person: Person | undefined
    /** Whether the request has a person or the operator by its cookie, or by the sign-in of a proxy. */
    isAdmitted: boolean
  }
}

/**
 * How an endpoint treats a person that is limited to some sources:
 * - `free`: it concerns no source
 * - `own`: its handler has only the person's sources, see `limitParts`: others do not exist for it
 * - `unlimited`: it is refused
 * - `operator`: it is refused to every person
 */
type EndpointReach = 'free' | 'own' | 'unlimited' | 'operator'

/** The decision for each endpoint of the contract. One that is missing here is refused to every person. */
export const endpointReaches: Readonly<Record<keyof Contract, EndpointReach>> = {
  'GET /api/health': 'free',
  'GET /api/health/ready': 'free',
  'GET /metrics': 'operator',
  'GET /api/rights': 'free',
  'GET /api/store': 'free',
  'GET /api/audit': 'operator',

  'GET /api/sources': 'own',
  'POST /api/sources/{name}/refresh': 'own',
  'GET /api/sources/{name}/log': 'own',
  'POST /api/sources': 'unlimited',
  'POST /api/sources/probe': 'unlimited',
  'POST /api/sources/recognise': 'unlimited',
  'POST /api/manifests': 'unlimited',
  'POST /api/sources/{name}/restart': 'unlimited',
  'POST /api/sources/{name}/stop': 'unlimited',
  'GET /api/sources/{name}/entry': 'unlimited',
  'PUT /api/sources/{name}': 'unlimited',
  'GET /api/sources/{name}/config-change': 'unlimited',
  'POST /api/sources/{name}/config-change': 'unlimited',
  'DELETE /api/sources/{name}': 'unlimited',
  'POST /api/sources/{name}/restore': 'unlimited',
  'POST /api/sources/{name}/sign-in': 'unlimited',
  'POST /api/sources/{name}/sign-out': 'unlimited',
  'PUT /api/sources/{name}/directory': 'unlimited',
  'PUT /api/sources/{name}/call-settings': 'unlimited',
  'GET /api/clients': 'unlimited',
  'POST /api/clients/open': 'unlimited',
  'GET /api/sources/{name}/connect': 'unlimited',
  'GET /api/trust': 'own',
  'PUT /api/trust': 'unlimited',
  'GET /api/pins': 'own',
  'GET /api/sources/{name}/pin': 'own',
  'PUT /api/sources/{name}/pin': 'unlimited',
  'DELETE /api/sources/{name}/pin': 'unlimited',
  'DELETE /api/trust': 'unlimited',

  'GET /api/sources/{name}/versions': 'own',
  'GET /api/sources/{name}/changelog': 'own',
  'PUT /api/sources/{name}/versions/{number}/labels/{label}': 'own',
  'DELETE /api/sources/{name}/labels/{label}': 'own',
  'GET /api/changes': 'own',
  'GET /api/tools/{+ref}/versions': 'own',
  'GET /api/diff': 'own',
  'POST /api/diff': 'own',

  'GET /api/rows': 'own',
  'GET /api/agents': 'own',
  'POST /api/agents/{source}/{name}/instructions': 'own',
  'GET /api/tools': 'own',
  'POST /api/subscriptions': 'own',
  'POST /api/completions': 'own',
  'GET /api/tools/{+ref}': 'own',
  'POST /api/prompt': 'own',
  'POST /api/prompt/text': 'own',
  'POST /api/lint': 'own',

  'POST /api/validate': 'own',
  'POST /api/invocations': 'own',
  'POST /api/invocations/{id}/cancel': 'own',
  'POST /api/invocations/{id}/answers': 'own',
  'POST /api/apps': 'own',
  'POST /api/apps/resources': 'own',
  'GET /api/examples': 'own',
  'PUT /api/examples': 'own',
  'DELETE /api/examples': 'own',
  'POST /api/examples/run': 'own',
  'POST /api/generated-checks': 'own',
  'POST /api/generated-checks/{id}/stop': 'own',
  'GET /api/generated-checks/scores': 'own',
  'POST /api/compare': 'own',
  'GET /api/commands': 'own',
  'POST /api/commands/help': 'own',
  // A script may name the tools of every source.
  'GET /api/scripts': 'own',
  'PUT /api/scripts/{name}': 'unlimited',
  'DELETE /api/scripts/{name}': 'unlimited',

  'GET /api/history': 'own',
  'DELETE /api/history': 'own',
  'GET /api/history/export': 'own',
  'GET /api/history/{id}': 'own',
  'PATCH /api/history/{id}': 'own',
  'DELETE /api/history/{id}': 'own',
  'GET /api/tools/{ref}/stats': 'own',
  'GET /api/events': 'own',

  'GET /api/sources/{name}/wire': 'own',
  'GET /api/sources/{name}/wire/recording': 'own',
  'GET /api/sources/{name}/wire/{seq}': 'own',
  'PATCH /api/sources/{name}/wire': 'own',
  'DELETE /api/sources/{name}/wire': 'own',
  'POST /api/sources/{name}/wire/send': 'own',
  'GET /api/recordings': 'own',
  'POST /api/recordings': 'own',
  'POST /api/recordings/{id}/stop': 'own',
  'GET /api/recordings/{id}/file': 'own',
  'DELETE /api/recordings/{id}': 'own',
}

/** The endpoints without a call that start a program or ask a server: for the limits of a person they are calls. */
const countedEndpoints: ReadonlySet<string> = new Set<keyof Contract>([
  'POST /api/agents/{source}/{name}/instructions',
  'POST /api/apps/resources',
  'POST /api/sources/{name}/refresh',
])

/** Counts a request that counts as a call of its person. Throws AppError `too-many-requests`. Call the returned function at its end. */
export function beginRequest({ key }: WantedEndpoint, context: Context): () => void {
  const person = context.get('person')
  const people = context.get('gate')?.people
  const isCounted = person !== undefined && people !== undefined && countedEndpoints.has(key)
  return isCounted ? people.begin(person) : () => {}
}

/** Makes the gate available to every route. */
export const withGate =
  (gate: Gate): MiddlewareHandler =>
  (context, next) => {
    context.set('gate', gate)
    return next()
  }

/** The gate and the person of a request that is passed on to the routes of a limited person. */
export interface RequestOwner {
  readonly gate: Gate
  readonly person: Person
}

/** Takes the gate and the person from where the request was passed on. */
export const withOwner: MiddlewareHandler<{ Bindings: { owner?: RequestOwner } }> = (context, next) => {
  const owner = context.env?.owner
  if (owner !== undefined) {
    context.set('gate', owner.gate)
    context.set('person', owner.person)
  }
  return next()
}

export interface WantedEndpoint {
  /** For example `POST /api/sources`. */
  readonly key: string
  readonly right: Right
}

/** Returns why the server's mode, or the person's rights, refuse the endpoint; undefined if they grant it. */
export function describeRefusal({ key, right }: WantedEndpoint, context: Context): string | undefined {
  const mode = context.get('gate')?.mode ?? { readOnly: false, fixedSources: false }
  const person = context.get('person')
  const refusal = describeRightRefusal(right, mode)
  return refusal ?? (person && (describePersonRefusal(right, person) ?? describeReach(key, person)))
}

/** Closes the connection of an answer when the person of the request is revoked, expired or changed before its end. */
export function endWithPerson(context: Context, people = context.get('gate')?.people): void {
  const { outgoing }: Partial<HttpBindings> = context.env ?? {}
  const person = context.get('person')
  if (outgoing === undefined || people === undefined || person === undefined) return
  const stop = people.whileValid(person, () => outgoing.destroy())
  outgoing.once('close', stop)
}

function describeReach(key: string, { name, sources }: Person): string | undefined {
  const reach: EndpointReach = Object.hasOwn(endpointReaches, key)
    ? endpointReaches[key as keyof Contract]
    : 'operator'
  if (reach === 'operator') return `This is only for the operator of this server, not for ${name}.`
  return reach === 'unlimited' && sources !== undefined
    ? `This concerns more sources than ${sources.join(', ')}, to which ${name} is limited.`
    : undefined
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
  const person = context.get('person')?.name
  // A person that is refused what only the operator reads has a line; other requests that only read have none.
  const isOnlyRead = right === 'read' && (outcome === 'accepted' || person === undefined)
  if (gate === undefined || isOnlyRead) return
  const { write, people } = gate
  if (write === undefined && people?.areUsed !== true) return
  const target = outcome === 'accepted' ? describe() : describeOrPath(describe, context)
  const bounded = (text: string | undefined, most = maxCharacters) => (text ? shorten(text, most) : undefined)
  const shared = {
    time: new Date().toISOString(),
    outcome,
    right,
    request: key,
    target: bounded(target, maxTargetCharacters),
    ...readSender(context),
  }
  // Accepted calls are in History; a message that a person writes itself is not.
  const isInHistory =
    right === 'call' && outcome === 'accepted' && key !== 'POST /api/sources/{name}/wire/send'
  if (!isInHistory) people?.record({ ...shared, person })
  // Without its secret, the header only names a user.
  const named =
    people?.proxy === undefined ? gate.userHeader && context.req.header(gate.userHeader) : undefined
  const { address, forwardedFor, ...facts } = shared
  const requestId = readRequestId(context)
  try {
    write?.(plainJson({ ...facts, requestId, user: bounded(person ?? named), address, forwardedFor }, 0))
  } catch (thrown) {
    throw new AppError('not-allowed', `the audit line could not be written: ${toErrorMessage(thrown)}`)
  }
}

/**
 * Adds an entry to the audit log for a call of a person that is refused although its request was accepted: its tool does not
 * exist for the person, or it makes too many calls.
 */
export function auditCallRefusal(
  { key, right }: WantedEndpoint,
  context: Context,
  thrown: unknown,
  describe: () => string | undefined,
): void {
  const person = context.get('person')
  const people = context.get('gate')?.people
  if (right !== 'call' || person === undefined || !isCallRefusal(thrown)) return
  people?.record({
    time: new Date().toISOString(),
    person: person.name,
    outcome: 'refused',
    right,
    request: key,
    target: shorten(describeOrPath(describe, context), maxTargetCharacters),
    ...readSender(context),
  })
}

function describeOrPath(describe: () => string | undefined, context: Context): string {
  try {
    return describe() ?? plainLine(context.req.path)
  } catch {
    return plainLine(context.req.path)
  }
}

/** Returns what is known of where a request comes from. */
export function readSender(context: Context) {
  const forwardedFor = context.req.header('x-forwarded-for')
  return {
    address: readRemoteAddress(context),
    forwardedFor: forwardedFor === undefined ? undefined : shorten(forwardedFor, maxCharacters),
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
  people?: People,
): Gate {
  const usual = isLocal ? undefined : say
  const write = audit === undefined ? usual : auditFile(resolve(directory, audit))
  return { mode: { readOnly, fixedSources }, userHeader, write, people }
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
