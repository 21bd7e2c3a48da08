/** The people of a team and the audit log in the store. A token is stored only as its hash. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { type Kysely, type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { AuditEntry, PersonState } from '../../core/api/people.ts'
import { personRights } from '../../core/api/rights.ts'
import { AppError } from '../../core/errors.ts'
import type { Store } from './store.ts'
import { retryWhileTaken } from './store-failure.ts'
import {
  type PeopleTable,
  seqAt,
  seqsPerMillisecond,
  storableText,
  type Tables,
  toIsoTime,
} from './tables.ts'

/** The beginning of every token of a person, by which scanners of secrets can find one. */
const tokenStart = 'tsp_'
const tokenBytes = 32
const prefixLength = 10

/** A person as the store has it. */
export interface StoredPerson extends PersonState {
  /** SHA-256 of the token, hex. */
  readonly hash: string
}

/** The settings of a person. */
export type PersonSettings = Pick<
  PersonState,
  'name' | 'rights' | 'sources' | 'callsAtATime' | 'callsAMinute'
> & {
  /** Milliseconds since 1970. */
  readonly expiresAt?: number | undefined
}

export const hashToken = (token: string) => createHash('sha256').update(token).digest('hex')

function createToken() {
  const token = `${tokenStart}${randomBytes(tokenBytes).toString('base64url')}`
  return { token, hash: hashToken(token), prefix: token.slice(0, prefixLength) }
}

/**
 * Adds a person, or a revoked one again. Returns the token, which is not stored. Throws AppError `name-taken` if a
 * person of this name is not revoked.
 */
export async function addPerson(store: Store, settings: PersonSettings, now = Date.now()): Promise<string> {
  const { token, hash, prefix } = createToken()
  const { name, rights, sources, callsAtATime, callsAMinute, expiresAt } = settings
  await change(store, name, async (work, revision) => {
    const before = await findRow(work, name)
    if (before !== undefined && before.revoked_at === null)
      throw new AppError('name-taken', `there is a person "${name}" already`, {
        hint: 'A new token for the same person: toolscope people rotate NAME. Other rights: revoke, then add.',
      })
    await work.deleteFrom('people').where('name', '=', name).execute()
    await work
      .insertInto('people')
      .values({
        name,
        hash,
        prefix,
        rights: rights.join(),
        sources: sources === undefined ? null : JSON.stringify(sources),
        calls_at_a_time: callsAtATime ?? null,
        calls_a_minute: callsAMinute ?? null,
        created_at: now,
        expires_at: expiresAt ?? null,
        revoked_at: null,
        revision,
      })
      .execute()
  })
  return token
}

/**
 * Replaces the token of a person; the one before is refused from then on. Throws as `revokePerson`, and AppError `usage` for
 * an expired person without a new `expiresAt`: its new token would be refused too.
 *
 * @param expiresAt milliseconds since 1970; undefined: as before
 */
export async function rotateToken(store: Store, name: string, expiresAt?: number): Promise<string> {
  const { token, hash, prefix } = createToken()
  const values = { hash, prefix, ...(expiresAt !== undefined && { expires_at: expiresAt }) }
  await update(store, name, values, row => {
    if (expiresAt !== undefined || row.expires_at === null || Number(row.expires_at) > Date.now()) return
    throw new AppError('usage', `"${name}" has expired, and so a new token would be refused`, {
      hint: `Give it more time: toolscope people rotate ${name} --expires 30d`,
    })
  })
  return token
}

/** Refuses a person from now on. Throws AppError `not-found` if no person of this name is left to revoke. */
export function revokePerson(store: Store, name: string, now = Date.now()): Promise<void> {
  return update(store, name, { revoked_at: now })
}

/** Returns every person, also revoked ones, by name. */
export async function listPeople(store: Store): Promise<StoredPerson[]> {
  const rows = await store.database().selectFrom('people').selectAll().orderBy('name').execute()
  return rows.map(toPerson)
}

/** Returns a number that is higher after each change of a person; 0 without people. */
export async function peopleRevision(store: Store): Promise<number> {
  const row = await store
    .database()
    .selectFrom('people')
    .select(expression => expression.fn.max('revision').as('revision'))
    .executeTakeFirst()
  return Number(row?.revision ?? 0)
}

function toPerson(row: Selectable<PeopleTable>): StoredPerson {
  const iso = (time: number | null) => (time === null ? undefined : new Date(time).toISOString())
  const given = row.rights.split(',')
  return {
    name: row.name,
    hash: row.hash,
    prefix: row.prefix,
    rights: personRights.filter(right => given.includes(right)),
    sources: row.sources === null ? undefined : (JSON.parse(row.sources) as string[]),
    callsAtATime: row.calls_at_a_time ?? undefined,
    callsAMinute: row.calls_a_minute ?? undefined,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: iso(row.expires_at),
    revokedAt: iso(row.revoked_at),
  }
}

const findRow = (work: Kysely<Tables>, name: string) =>
  work.selectFrom('people').selectAll().where('name', '=', name).executeTakeFirst()

function update(
  store: Store,
  name: string,
  values: Partial<Pick<PeopleTable, 'hash' | 'prefix' | 'revoked_at' | 'expires_at'>>,
  check: (row: Selectable<PeopleTable>) => void = () => {},
): Promise<void> {
  return change(store, name, async (work, revision) => {
    const row = await findRow(work, name)
    if (row === undefined || row.revoked_at !== null)
      throw new AppError('not-found', `there is no person "${name}"`, {
        hint: 'toolscope people list names them all.',
      })
    check(row)
    await work
      .updateTable('people')
      .set({ ...values, revision })
      .where('name', '=', name)
      .execute()
  })
}

/** Runs the work with the next revision, then announces it to every replica. */
async function change(
  store: Store,
  name: string,
  act: (work: Kysely<Tables>, revision: number) => Promise<void>,
): Promise<void> {
  await retryWhileTaken(() =>
    store.write(async (work, changed) => {
      const row = await work
        .selectFrom('people')
        .select(expression => expression.fn.max('revision').as('revision'))
        .executeTakeFirst()
      // With the time in it, two commands at once hardly ever take the same number.
      await act(work, Math.max(Number(row?.revision ?? 0) + 1, Date.now()))
      changed({ kind: 'people', id: name })
    }),
  )
}

/** Only so many of the newest entries stay. */
const maxAuditEntries = 100_000
/** Fewer entries of refused requests stay: a flood of guesses must not push the changes out. */
const maxRefusedEntries = 40_000
const maxAnonymousEntries = 10_000
/** After so many new entries the oldest are deleted. */
const pruneEvery = 1_000
let addedCount = 0
let counter = randomInt(seqsPerMillisecond)

/** Adds entries to the audit log, which keeps the newest 100,000, among them 40,000 of refused requests. */
export async function addAuditEntries(store: Store, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return
  const bounded = (text: string | undefined) => (text === undefined ? null : storableText(text, 1_000))
  await retryWhileTaken(() =>
    store
      .database()
      .insertInto('audit')
      .values(
        entries.map(entry => {
          counter = (counter + 1) % seqsPerMillisecond
          return {
            seq: seqAt(Date.parse(entry.time)) + counter,
            person: bounded(entry.person),
            outcome: entry.outcome,
            needs: entry.right,
            request: entry.request,
            target: bounded(entry.target),
            address: bounded(entry.address),
            forwarded_for: bounded(entry.forwardedFor),
          }
        }),
      )
      .execute(),
  )
  addedCount += entries.length
  if (addedCount < pruneEvery) return
  addedCount = 0
  await pruneAudit(store, maxAuditEntries, sql`true`)
  await pruneAudit(store, maxRefusedEntries, sql`outcome = 'refused'`)
  await pruneAudit(store, maxAnonymousEntries, sql`outcome = 'refused' and person is null`)
}

/** Deletes the entries of a kind that are older than its newest `max`. */
async function pruneAudit(store: Store, max: number, isOfKind: RawBuilder<SqlBool>): Promise<void> {
  const newest = store.database().selectFrom('audit').select('seq').where(isOfKind)
  const beyond = await newest.orderBy('seq', 'desc').offset(max).limit(1).executeTakeFirst()
  if (beyond === undefined) return
  await store.database().deleteFrom('audit').where(isOfKind).where('seq', '<=', beyond.seq).execute()
}

/** Returns entries of the audit log, newest first. */
export async function listAudit(
  store: Store,
  { person, limit }: { readonly person?: string | undefined; readonly limit: number },
): Promise<AuditEntry[]> {
  let rows = store.database().selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(limit)
  if (person !== undefined) rows = rows.where('person', '=', person)
  return (await rows.execute()).map(row => ({
    time: toIsoTime(row.seq),
    person: row.person ?? undefined,
    // Only entries of this type were ever written.
    outcome: row.outcome as AuditEntry['outcome'],
    right: row.needs as AuditEntry['right'],
    request: row.request,
    target: row.target ?? undefined,
    address: row.address ?? undefined,
    forwardedFor: row.forwarded_for ?? undefined,
  }))
}
