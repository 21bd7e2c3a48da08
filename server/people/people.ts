/**
 * The people that may use this server, as the store has them now: checks tokens, ends what a revoked or expired token
 * has open, and limits calls. All replicas read the same store.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AuditEntry } from '../../core/api/people.ts'
import { describePersonRefusal, type PersonRights } from '../../core/api/rights.ts'
import { AppError, type AppErrorCode, toErrorMessage } from '../../core/errors.ts'
import type { Caller } from '../calls/call.ts'
import type { ToolLookup } from '../calls/prepare-call.ts'
import type { Store } from '../store/store.ts'
import {
  addAuditEntries,
  hashToken,
  listPeople,
  peopleRevision,
  type StoredPerson,
} from '../store/stored-people.ts'

/** The store announces changes; a lost announcement is made up for after this time, and a token expires. */
const checkEveryMs = 1_000
const minuteMs = 60_000
/** A person whose change is announced and could not be read within this time is refused until it is read. */
const maxUnreadMs = 1_000
/** Refused requests, and sign-ins, of a person or of an address without one, that the audit log gets in a minute. */
const maxRepeated = 100
/** The errors by which a call of a person is refused: others are the result of a call. */
const callRefusals: readonly AppErrorCode[] = ['not-allowed', 'too-many-requests', 'tool-not-found']
/** Entries of the audit log that wait while the store does not answer. */
const maxWaitingEntries = 1_000

/** The person of a request. */
export interface Person extends PersonRights {
  readonly callsAtATime?: number | undefined
  readonly callsAMinute?: number | undefined
  /** The hash of the token; undefined for a person that a proxy signed in. */
  readonly hash?: string | undefined
}

/** The persons that a proxy signs in. */
export interface ProxyPeople {
  /** The header with the name. */
  readonly userHeader: string
  /** The header with the secret, which proves that the proxy sent the request. */
  readonly secretHeader: string
  readonly secret: string
  /** The rights of a person that is not in the list; undefined: refused. */
  readonly rights?: PersonRights['rights'] | undefined
}

interface Usage {
  running: number
  /** When calls of the last minute began, as `performance.now()`. */
  begun: number[]
}

const maxCounted = 10_000

/** Counts what a person or an address does in a minute. */
export class MinuteLimit {
  private readonly max: number
  private readonly counts = new LRUCache<string, { count: number; readonly since: number }>({
    max: maxCounted,
  })

  constructor(max: number) {
    this.max = max
  }

  /** Counts one more. Returns the seconds until the next one is within the limit; undefined if this one is. */
  add(name: string, now = performance.now()): number | undefined {
    const known = this.counts.get(name)
    const entry = known !== undefined && now - known.since < minuteMs ? known : { count: 0, since: now }
    entry.count += 1
    this.counts.set(name, entry)
    return entry.count <= this.max ? undefined : Math.ceil((entry.since + minuteMs - now) / 1_000)
  }
}

export class People {
  private readonly store: Store
  private readonly say: (line: string) => void
  private byName: ReadonlyMap<string, StoredPerson> = new Map()
  private byHash: ReadonlyMap<string, StoredPerson> = new Map()
  /** Names without their case: an identity provider may let a user write the same name in another case. */
  private byFoldedName: ReadonlyMap<string, StoredPerson> = new Map()
  /** When the first change of a person was announced that was not read yet, as `performance.now()`. */
  private readonly unread = new Map<string, number>()
  private revision = -1
  private isLoading = false
  private isStale = false
  private readonly open = new Map<object, { readonly person: Person; end(): void }>()
  private readonly usage = new Map<string, Usage>()
  private readonly signedIn = new Set<string>()
  private readonly repeated = new MinuteLimit(maxRepeated)
  private waiting: AuditEntry[] = []
  private writing: Promise<void> | undefined
  private readonly timer: NodeJS.Timeout
  private readonly stopListening: () => void
  readonly proxy: ProxyPeople | undefined

  constructor(store: Store, say: (line: string) => void, proxy?: ProxyPeople) {
    this.store = store
    this.say = say
    this.proxy = proxy
    this.stopListening = store.onChange(({ kind, id }) => {
      if (kind === 'people' && !this.unread.has(id)) this.unread.set(id, performance.now())
      if (kind === 'people' || (kind === 'status' && id === 'ready')) void this.load(true)
    })
    this.timer = setInterval(() => void this.load(false), checkEveryMs)
    this.timer.unref()
  }

  /** Whether requests can be those of a person. Without people, nothing is written to the audit log of the store. */
  get areUsed(): boolean {
    return this.proxy !== undefined || this.byName.size > 0
  }

  /**
   * Reads the people again if they changed. Never rejects: without the store, those that were read last stay. A person
   * whose change could not be read is refused: the store may be busy with the requests of the one that was revoked.
   *
   * @param isChanged the store has announced a change
   */
  async load(isChanged = true): Promise<void> {
    if (this.isLoading) {
      // A token expires also while the store does not answer.
      this.endInvalid()
      this.isStale ||= isChanged
      return
    }
    this.isLoading = true
    const startedAt = performance.now()
    try {
      const revision = await peopleRevision(this.store)
      if (isChanged || this.unread.size > 0 || revision !== this.revision) {
        const people = await listPeople(this.store)
        this.byName = new Map(people.map(person => [person.name, person]))
        this.byHash = new Map(people.map(person => [person.hash, person]))
        this.byFoldedName = new Map(people.map(person => [foldName(person.name), person]))
        this.revision = revision
        for (const [name, since] of this.unread) if (since <= startedAt) this.unread.delete(name)
      }
    } catch {
      // The store reports its own failures.
    } finally {
      this.isLoading = false
    }
    this.endInvalid()
    if (!this.isStale) return
    this.isStale = false
    await this.load()
  }

  private endInvalid(): void {
    for (const { person, end } of [...this.open.values()]) if (!this.isValid(person)) end()
  }

  /** Returns the person of a token: one hash and one lookup, whether the token is right or not. */
  byToken(token: string): Person | undefined {
    return this.asPerson(this.byHash.get(hashToken(token)))
  }

  /**
   * Returns the person that the proxy has signed in. Throws AppError `not-allowed` for a name that is revoked, expired,
   * or in no list while there is no default. There is no default for a name that differs from one of the list only in
   * its case, nor before the list was read once: it may be the name of somebody that is revoked or limited.
   */
  byProxy(name: string): Person {
    const person = this.asPerson(this.byName.get(name))
    if (person !== undefined) return { ...person, hash: undefined }
    const rights = this.proxy?.rights
    const isUnknown =
      this.revision >= 0 && !this.byFoldedName.has(foldName(name)) && !this.hasUnreadChange(name)
    if (isUnknown && rights !== undefined && isPersonName(name)) return { name, rights }
    throw new AppError(
      'not-allowed',
      `the proxy signed in "${name.slice(0, 100)}", who may not use this server`,
      {
        hint: 'The operator adds a person: toolscope people add NAME --rights read,call.',
      },
    )
  }

  /** Returns the person of a cookie; undefined if it is not the cookie of one. */
  byCookie(value: string, secret: string): Person | undefined {
    const [, encoded = ''] = /^p\.([\w-]{1,400})\.[\w-]+$/.exec(value) ?? []
    const person = this.asPerson(this.byName.get(Buffer.from(encoded, 'base64url').toString('utf8')))
    return person !== undefined && equalTexts(value, toPersonCookie(person, secret)) ? person : undefined
  }

  /** Undefined if the person is revoked, expired, or changed in a way that could not be read. */
  private asPerson(stored: StoredPerson | undefined): Person | undefined {
    if (stored === undefined || stored.revokedAt !== undefined) return undefined
    const hasExpired = stored.expiresAt !== undefined && Date.parse(stored.expiresAt) <= Date.now()
    return hasExpired || this.hasUnreadChange(stored.name) ? undefined : stored
  }

  private hasUnreadChange(name: string): boolean {
    const since = this.unread.get(name) ?? this.unread.get('*')
    return since !== undefined && performance.now() - since > maxUnreadMs
  }

  /** Whether the person still may do what it could when its request was accepted. */
  private isValid(person: Person): boolean {
    const known = this.byName.get(person.name) ?? this.byFoldedName.get(foldName(person.name))
    if (known === undefined)
      return (
        person.hash === undefined && this.proxy?.rights !== undefined && !this.hasUnreadChange(person.name)
      )
    if (known.name !== person.name) return false
    if (this.asPerson(known) === undefined) return false
    return (person.hash === undefined || person.hash === known.hash) && hasSameRights(person, known)
  }

  /**
   * Calls `end` once the person is revoked, expired or changed, unless the returned function is called before. At most
   * two seconds pass, on each replica.
   */
  whileValid(person: Person | undefined, end: () => void): () => void {
    if (person === undefined) return () => {}
    const key = {}
    this.open.set(key, { person, end })
    return () => void this.open.delete(key)
  }

  /**
   * Returns the caller of a person, which records the person. Its events throw AppError `too-many-requests` before the first one if
   * the person makes too many calls.
   *
   * @param tools those that the person sees; undefined: all
   * @param refused is called with the tool of each call that is refused
   */
  callerFor(
    call: Caller,
    person: Person | undefined,
    tools?: ToolLookup,
    refused: (ref: string) => void = () => {},
  ): Caller {
    if (person === undefined) return tools === undefined ? call : request => call({ ...request, tools })
    return request => {
      const demand = <Value>(work: () => Value): Value => {
        try {
          return work()
        } catch (thrown) {
          if (isCallRefusal(thrown)) refused(request.ref)
          throw thrown
        }
      }
      const events = demand(() => {
        const refusal = describePersonRefusal('call', person)
        if (refusal !== undefined) throw new AppError('not-allowed', refusal)
        return call({ ...request, person: person.name, tools })
      })
      return this.countCall(() => demand(() => this.begin(person)), events)
    }
  }

  private async *countCall<Event>(
    begin: () => () => void,
    events: AsyncGenerator<Event>,
  ): AsyncGenerator<Event> {
    const end = begin()
    try {
      yield* events
    } finally {
      end()
    }
  }

  /**
   * Counts a call of a person, or what counts as one. Throws AppError `too-many-requests` if the person makes too many.
   * Returns a function that ends it; call it once.
   */
  begin({ name, callsAtATime, callsAMinute }: Person): () => void {
    const usage = this.usage.get(name) ?? { running: 0, begun: [] }
    this.usage.set(name, usage)
    const now = performance.now()
    usage.begun = usage.begun.filter(time => now - time < minuteMs)
    const refuse = (detail: string, retryAfterS: number) => {
      throw new AppError('too-many-requests', `${name} may make ${detail}`, { retryAfterS })
    }
    if (callsAtATime !== undefined && usage.running >= callsAtATime)
      refuse(`${callsAtATime} calls at a time`, 1)
    const [first = now] = usage.begun
    if (callsAMinute !== undefined && usage.begun.length >= callsAMinute)
      refuse(`${callsAMinute} calls a minute`, Math.ceil((first + minuteMs - now) / 1_000))
    usage.running += 1
    if (callsAMinute !== undefined) usage.begun.push(now)
    return () => {
      usage.running -= 1
      if (usage.running === 0 && usage.begun.length === 0) this.usage.delete(name)
    }
  }

  /** Records the first request of a person on this replica, and each of its entries by a link. */
  recordSignIn(person: Person, entry: Pick<AuditEntry, 'address' | 'forwardedFor'>, how: string): void {
    const key = `${how} ${person.name} ${person.hash}`
    if (how !== 'page' && this.signedIn.has(key)) return
    this.signedIn.add(key)
    const time = new Date().toISOString()
    this.record({ time, person: person.name, outcome: 'accepted', right: 'sign-in', request: how, ...entry })
  }

  /** Writes an entry of the audit log soon; of what anybody can repeat without a right, only some in a minute. */
  record(entry: AuditEntry): void {
    if (!this.areUsed || this.waiting.length >= maxWaitingEntries) return
    const { outcome, right, person, address } = entry
    const by = person === undefined ? `from ${address}` : `by ${person}`
    const needsNoRight = outcome === 'refused' || right === 'sign-in'
    if (needsNoRight && this.repeated.add(`${outcome} ${by}`) !== undefined) return
    this.waiting.push(entry)
    void this.writeEntries()
  }

  private writeEntries(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined
    })
    return this.writing
  }

  private async writeAll(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        const entries = this.waiting.slice(0, 100)
        await addAuditEntries(this.store, entries)
        this.waiting = this.waiting.slice(entries.length)
      }
    } catch (thrown) {
      // The next entry tries again.
      if (this.store.status().state === 'ready')
        this.say(`The audit log could not be written: ${toErrorMessage(thrown)}`)
    }
  }

  /** Resolves when the waiting entries are written, or cannot be. */
  async close(): Promise<void> {
    clearInterval(this.timer)
    this.stopListening()
    await this.writing
    await this.writeEntries()
  }
}

/** Reads the people of a store and follows their changes. Never rejects. */
export async function openPeople(
  store: Store,
  say: (line: string) => void,
  proxy?: ProxyPeople,
): Promise<People> {
  const people = new People(store, say, proxy)
  await people.load()
  return people
}

/** Returns the value of a person's cookie, which a new token makes invalid. */
export function toPersonCookie({ name, hash = '' }: Person, secret: string): string {
  const proof = createHmac('sha256', secret).update(`person ${name} ${hash}`).digest('base64url')
  return `p.${Buffer.from(name).toString('base64url')}.${proof}`
}

/** Whether the error refuses a call of a person: it lacks the right, the tool does not exist for it, or it made too many. */
export const isCallRefusal = (thrown: unknown): boolean =>
  thrown instanceof AppError && callRefusals.includes(thrown.code)

/** A name can be an address of mail. */
export const isPersonName = (name: string) => /^[\p{L}\p{N}][\p{L}\p{N}._@+-]{0,99}$/u.test(name)

const foldName = (name: string) => name.normalize('NFKC').toLowerCase()

const hasSameRights = (one: Person, other: Person) =>
  one.rights.join() === other.rights.join() && one.sources?.join('\n') === other.sources?.join('\n')

function equalTexts(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}
