/**
 * The pins of a catalog: compares each pinned source with its lock, and refuses calls of what was not approved. Every call
 * asks `admit` (calls/call.ts). approve-pin.ts approves what was shown.
 */
import { AppError, toAppError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { describeClasses, type PinItem, type PinnedItem, type PinPolicy } from '../../core/pin/pin.ts'
import { toToolCommand } from '../../core/prompt/tool-commands.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import type { AgentDefinition } from '../../core/tool/agent.ts'
import type { Manifest, Tool } from '../../core/tool/tool.ts'
import { Emitter } from '../process/events.ts'
import { type FailureEvent, notApproved } from '../sources/run-failure.ts'
import { compareSource, type Observation } from './compare-source.ts'
import { type AddressBase, sha256 } from './describe-address.ts'
import {
  describeAgent,
  describeEntries,
  describePresent,
  hashDefinition,
  hashItem,
} from './describe-present.ts'
import { findPin, type KnownSources, listApproved, toAddressBase } from './find-pin.ts'
import {
  changedMeanwhile,
  findRefusal,
  markNameParts,
  type RatedDifference,
  type Refusal,
  type SourceComparison,
  unreadList,
} from './find-refusal.ts'
import { type LockContents, LockReader } from './lock-file.ts'
import { RenamedTools } from './renamed-tools.ts'

/** A list that was read longer ago than so many times the duration of a reading is read again before a call. */
const ageOfDuration = 20
const maxListAgeMs = 10_000
/**
 * Hexadecimal digits that name a difference. A server can find two of its definitions with the same first 16 digits within
 * hours, and show one of them.
 */
export const minHashDigits = 32
/** How often a comparison begins again because the list changed meanwhile. */
const maxTries = 5

export interface PinsParts extends KnownSources {
  readonly policy: PinPolicy
  /** Says once what differs and is allowed. */
  say(line: string): void
}

export class Pins {
  readonly parts: PinsParts
  private readonly reader: LockReader
  private readonly base: AddressBase
  private readonly renamed: RenamedTools
  private readonly compared = new Map<string, SourceComparison>()
  private readonly accepted: string[] = []
  private readonly said = new Set<string>()
  private readonly ids = new WeakMap<object, number>()
  private nextId = 0
  private readonly hashes = new WeakMap<readonly PinnedItem[], string>()
  /** Emits the source whose pin may have changed. */
  readonly changes = new Emitter<{ readonly source: string }>()

  constructor(parts: PinsParts) {
    this.parts = parts
    this.reader = new LockReader(parts.file)
    this.base = toAddressBase(parts)
    this.renamed = new RenamedTools(parts)
    parts.catalog.tools.approvals = {
      revision: () => this.readSafely(),
      list: () => listApproved(this.readSafely().pins, parts),
    }
    parts.catalog.sources.onManifest(({ source }) => this.changes.emit({ source }))
  }

  /** Throws AppError `pin-unreadable`. */
  read(): LockContents {
    return this.reader.read()
  }

  /** Returns the lock, the same object until the file changes. One that cannot be read has no pins, and refuses every call. */
  private readSafely(): Pick<LockContents, 'pins'> {
    try {
      return this.read()
    } catch {
      return unreadLock
    }
  }

  /** Whether a source of this name has an approved tool that may be called by a name. */
  mayHaveApproved(source: string, called: string): boolean {
    const items = this.readSafely().pins.get(source) ?? nothing
    return items.some(
      ({ kind, name }) => kind === 'tool' && (name === called || toToolCommand(name) === called),
    )
  }

  /**
   * Accepts these differences until the program ends, if the policy is to ask.
   *
   * @param hashes or their first digits, `minHashDigits` at least
   */
  accept(hashes: readonly string[]): void {
    this.accepted.push(...hashes.filter(hash => hash.length >= minHashDigits))
  }

  /**
   * Decides whether a tool, prompt, resource or skill may be called: compares the newest list of its source with the pin,
   * and reads the list again if it is not new. Returns the ending of a refused call; undefined if it may run. Never rejects.
   *
   * @param mustRead reads the list again in any case: the source was connected again
   * @param accepted hashes of differences that are accepted for this call, if the policy is to ask
   * @param found refused if it is neither in the newest list nor approved: its caller saw it, and the list may be another
   */
  async admit(
    entry: CalledEntry,
    { mustRead = false, accepted = none, found }: AdmitOptions = {},
  ): Promise<FailureEvent | undefined> {
    const { source } = entry
    try {
      if (!this.isChecked(source)) return undefined
      const comparison = await this.compareNewest(source, mustRead)
      const refusal = this.refusalOf(entry, comparison, accepted, found)
      return refusal && notApproved(refusal.reason, source)
    } catch (thrown) {
      return notApproved(toAppError(thrown).detail, source)
    }
  }

  /** Throws AppError `not-approved`, as `admit` refuses. */
  async demand(entry: CalledEntry): Promise<void> {
    const refused = await this.admit(entry)
    if (refused !== undefined) throw new AppError('not-approved', refused.message, { hint: refused.hint })
  }

  /** Throws AppError `not-approved` if the agent is refused, or if another definition of it is compared than this one. */
  async demandAgent(source: string, agent: AgentDefinition | undefined): Promise<void> {
    const text = agent && canonicalJson(describeAgent(agent).definition)
    let isCompared = !this.isChecked(source)
    await this.demandItems(source, item => {
      const isMeant = item.kind === 'agent' && item.name === agent?.name
      isCompared ||= isMeant && canonicalJson(item.definition) === text
      return isMeant
    })
    if (!isCompared) throw new AppError('not-approved', `${source}: an agent changed meanwhile`)
  }

  /** Throws AppError `not-approved` if the server or an item that is meant is refused. */
  async demandItems(source: string, isMeant: (item: PinItem) => boolean): Promise<void> {
    if (!this.isChecked(source)) return
    const { present, byItem } = await this.compareNewest(source, false)
    for (const item of present.items) {
      if (item.kind !== 'server' && !isMeant(item)) continue
      const refused =
        this.refused(byItem.get(item)) ?? (present.unread.has(item.kind) ? unreadList : undefined)
      if (refused !== undefined) throw new AppError('not-approved', `${source}: ${refused.reason}`)
    }
  }

  /**
   * Returns what `read` reads of the catalog, which must not wait: its lists are those that were compared. Reads no list again.
   * A list that changes during the comparison is compared again; one that keeps changing is refused.
   *
   * @param read receives why entries are refused, by their references; its errors are passed on
   */
  async readCompared<Read>(read: (refusals: ReadonlyMap<string, Refusal>) => Read): Promise<Read> {
    const { sources } = this.parts.catalog
    const known = new Map<string, RefusalsWithList>()
    const findChanged = () =>
      sources
        .list()
        .map(({ name }) => name)
        .filter(name => !known.has(name) || known.get(name)?.manifest !== sources.find(name)?.manifest)
    for (let tries = 0; tries < maxTries; tries++)
      for (const name of findChanged()) {
        const manifest = sources.find(name)?.manifest
        known.set(name, { manifest, refusals: await this.refusalsOf(name) })
      }
    for (const name of findChanged()) {
      const reason = 'Its list changes too often to be compared with its pin.'
      known.set(name, { manifest: undefined, refusals: this.refuseEntries(name, () => ({ reason })) })
    }
    return read(new Map([...known.values()].flatMap(({ refusals }) => [...refusals])))
  }

  /** Returns why entries of a source are refused, by their references: every entry if the lock cannot be read. */
  async refusalsOf(source: string): Promise<ReadonlyMap<string, Refusal>> {
    try {
      if (!this.isChecked(source)) return new Map()
      const comparison = await this.compare(source)
      return this.refuseEntries(source, entry => this.refusalOf(entry, comparison))
    } catch (thrown) {
      const reason = toAppError(thrown).detail
      return this.refuseEntries(source, () => ({ reason }))
    }
  }

  private refuseEntries(
    source: string,
    decide: (entry: CalledEntry) => Refusal | undefined,
  ): ReadonlyMap<string, Refusal> {
    const { tools } = this.parts.catalog
    const found = new Map<Tool, Refusal>()
    // A person that does not see the other source sees a tool that is hidden here.
    for (const entry of tools.listedBy(source)) {
      const refusal = decide(entry)
      if (refusal !== undefined) found.set(entry, refusal)
    }
    return markNameParts(found)
  }

  /** Returns the refusal of a difference by the policy; undefined if it is allowed or accepted. */
  refused(difference: RatedDifference | undefined, acceptedNow = none): Refusal | undefined {
    if (difference === undefined) return undefined
    const { action, hash, classes, kind } = difference
    if (action === 'allow') {
      this.sayOnce(difference)
      return undefined
    }
    const isAccepted =
      hash !== undefined &&
      (acceptedNow.includes(hash) || this.accepted.some(given => hash.startsWith(given)))
    if (action === 'ask' && isAccepted) return undefined
    return { reason: describeClasses(classes, kind), difference }
  }

  private refusalOf(
    { ref, source }: CalledEntry,
    comparison: SourceComparison,
    accepted = none,
    found?: FoundEntry,
  ): Refusal | undefined {
    const { sources, tools } = this.parts.catalog
    const { manifest, session } = sources.get(source)
    const isOther = found?.manifest !== undefined && found.manifest !== manifest
    const called = isOther ? describeEntries(source, found.manifest, session)[found.index] : undefined
    const wanted = { index: tools.findListed(ref)?.index, isOther, called, uri: found?.uri }
    return (
      findRefusal(wanted, comparison, each => this.refused(each, accepted)) ??
      (this.isKnown(found?.seen, ref, comparison) ? undefined : changedMeanwhile)
    )
  }

  /** Whether what the caller saw is the newest definition of an entry, or an approved one of a tool. */
  private isKnown(seen: FoundEntry['seen'], ref: string, { pinned }: SourceComparison): boolean {
    const { sources, tools } = this.parts.catalog
    const newest = tools.findListed(ref)
    if (seen === undefined || newest === undefined || seen === newest) return true
    const { session } = sources.get(newest.source)
    const hash = typeof seen === 'string' ? seen : hashDefinition(seen, session)
    return hash === hashDefinition(newest, session) || pinned.some(item => hashItem(item) === hash)
  }

  private sayOnce({ kind, name, classes, hash = '' }: RatedDifference): void {
    // Without a pin, everything is new and nothing is said.
    if (classes[0] === 'new' || this.said.has(hash)) return
    this.said.add(hash)
    const label = kind === 'server' ? 'the server' : `the ${kind} ${plainLine(name).slice(0, 200)}`
    this.parts.say(`Not as it was approved, but allowed (${classes.join(', ')}): ${label}.`)
  }

  /** Whether calls of the source are compared with a pin. Throws AppError `pin-unreadable`. */
  isChecked(source: string): boolean {
    if (this.parts.policy.unpinned !== 'allow') return true
    const { pins } = this.read()
    if (pins.size === 0) return false
    return findPin(this.parts.catalog.sources.get(source), pins, this.parts) !== undefined
  }

  /** Compares the newest list. One in which a change is missing that was reported meanwhile is read again. */
  private async compareNewest(source: string, mustRead: boolean): Promise<SourceComparison> {
    for (let tries = 0; tries < maxTries; tries++) {
      await this.readList(source, mustRead && tries === 0)
      const comparison = await this.compare(source)
      if (!this.parts.catalog.sources.get(source).changes.isUnread) return comparison
    }
    throw changesTooOften(source)
  }

  /** Reads the list of a source again unless it is new. Throws its error: without its list nothing can be compared. */
  async readList(source: string, mustRead: boolean): Promise<void> {
    const { sources } = this.parts.catalog
    const connection = sources.get(source)
    if (mustRead) connection.changes.add()
    const { status } = sources.stateOf(connection)
    const { at = 0, durationMs = 0 } = connection.readAt ?? {}
    const age = Date.now() - at
    const isNew = age >= 0 && age < Math.min(maxListAgeMs, durationMs * ageOfDuration)
    const { isUnread, isReading } = connection.changes
    const isCurrent = isNew && status === 'ready' && !isUnread && !isReading
    const state = isCurrent ? undefined : await sources.refresh(source)
    if (state?.error === undefined) return
    const { code, detail } = state.error
    throw new AppError(code, `Its list could not be read, so it cannot be compared with its pin: ${detail}`)
  }

  /**
   * Compares the newest list with the pin. Throws AppError `pin-unreadable`, and `not-approved` if there is no list or it
   * keeps changing.
   */
  async compare(source: string): Promise<SourceComparison> {
    for (let tries = 0; tries < maxTries; tries++) {
      const now = this.observe(source)
      const known = this.compared.get(source)
      if (known?.stamp === now.stamp) return known
      const comparison = await compareSource(source, now, this.parts.policy, this.renamed)
      // The list, or the lock, may have changed during the comparison.
      if (this.observe(source).stamp !== now.stamp) continue
      this.compared.set(source, comparison)
      return comparison
    }
    throw changesTooOften(source)
  }

  /** Returns what a comparison depends on. Throws AppError `pin-unreadable` or `not-approved`. */
  observe(source: string): Observation {
    const connection = this.parts.catalog.sources.get(source)
    const { manifest, spec, session } = connection
    if (manifest === undefined)
      throw new AppError('not-approved', `${source} has no list that could be compared.`)
    const lock = this.read()
    const pinnedAs = findPin(connection, lock.pins, this.parts)
    const pinned = (pinnedAs === undefined ? undefined : lock.pins.get(pinnedAs)) ?? nothing
    const present = describePresent(source, spec, session, manifest, this.base)
    const list = { source, pinned, pinnedAs, entries: present.entries, lock }
    const stamp = JSON.stringify([
      this.idOf(manifest),
      this.hashOf(pinned),
      pinnedAs,
      canonicalJson([
        present.server,
        present.agents,
        [...present.environmentValues.values()],
        [...present.unread],
      ]),
      this.renamed.stampOf(list),
    ])
    return { pinned, pinnedAs, present, list, stamp }
  }

  private idOf(object: object): number {
    const id = this.ids.get(object) ?? this.nextId++
    this.ids.set(object, id)
    return id
  }

  /** The lock is read again after the approval of another source, which changes nothing here. */
  private hashOf(pinned: readonly PinnedItem[]): string {
    const hash = this.hashes.get(pinned) ?? sha256(pinned)
    this.hashes.set(pinned, hash)
    return hash
  }
}

type CalledEntry = Pick<Tool, 'ref' | 'source'>

/** The entry of a call, in the list in which its caller found it. */
interface FoundEntry extends Pick<Tool, 'index'> {
  readonly manifest: Manifest | undefined
  /** The address that a resource or an expanded template reads. */
  readonly uri?: string | undefined
  /**
   * The definition by which its caller decided before, or its hash (`hashDefinition`). The server chooses the list that
   * a caller sees: it may have called a tool read-only.
   */
  readonly seen?: Tool | string | undefined
}

interface AdmitOptions {
  readonly mustRead?: boolean
  readonly accepted?: readonly string[]
  readonly found?: FoundEntry
}

interface RefusalsWithList {
  /** The list that they are about. */
  readonly manifest: object | undefined
  readonly refusals: ReadonlyMap<string, Refusal>
}

const nothing: readonly PinnedItem[] = []
const unreadLock: Pick<LockContents, 'pins'> = { pins: new Map() }
const none: readonly string[] = []

const changesTooOften = (source: string) =>
  new AppError('not-approved', `The list of ${source} changes too often to be compared with its pin.`)
