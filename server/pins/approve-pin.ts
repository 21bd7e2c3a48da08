/** Approves what was shown of a source, removes pins, and describes both for the page and the command. */
import type { PinList, PinReview, ReviewItem, SourcePin } from '../../core/api/pins.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { type PinClass, pinActions } from '../../core/pin/pin.ts'
import { freeName } from '../../core/text/free-name.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { findPin } from './find-pin.ts'
import type { RatedDifference, SourceComparison } from './find-refusal.ts'
import { updateLock } from './lock-file.ts'
import type { Pins } from './source-pins.ts'

/** The part that a person saw: the hashes of some differences, or the fingerprint of all. */
export interface ReviewedDifferences {
  readonly hashes?: readonly string[] | undefined
  readonly fingerprint?: string | undefined
}

/**
 * Approves the differences that were reviewed. Throws AppError `pin-changed` if one of them is no longer there, and then
 * approves nothing; `source-failed` and the like if the list of the source could not be read; `pin-unreadable`;
 * `files-failed`.
 *
 * @param by the confirmed person who approves
 */
export async function approvePin(
  pins: Pins,
  source: string,
  reviewed: ReviewedDifferences,
  by?: string,
): Promise<void> {
  const { catalog, file } = pins.parts
  const connection = catalog.sources.get(source)
  const { error } = catalog.sources.stateOf(connection)
  if (error !== undefined) throw new AppError(error.code, `${source}: ${error.detail}`, { hint: error.hint })
  const comparison = await pins.compare(source)
  const { pinned, pinnedAs, stamp, differences } = comparison
  const changed = () => new AppError('pin-changed', `${source} has changed since it was shown`)
  const approved = chooseReviewed(comparison, reviewed)
  if (approved === undefined) throw changed()
  const replaced = new Set([...approved].flatMap(({ before }) => before ?? []))
  const approvedAt = new Date().toISOString()
  const added = [...approved].flatMap(({ after }) =>
    after === undefined ? [] : [{ ...after, approvedAt, ...withoutUndefined({ by }) }],
  )
  const items = [...pinned.filter(item => !replaced.has(item)), ...added]
  const server = differences.find(({ kind }) => kind === 'server')
  const isOther = server !== undefined && approved.has(server) && server.classes.includes('other-server')
  // A typed source may be another server of the same name, and two sources may have one address: both stay pinned.
  const isSeparate =
    pinnedAs === undefined ||
    (connection.spec.origin === undefined ? isOther : pinnedAs !== source && isKnown(pins, pinnedAs))
  await updateLock(file, contents => {
    const written = pinnedAs === undefined ? [] : (contents.pins.get(pinnedAs) ?? [])
    if (canonicalJson(written) !== canonicalJson(pinned) || pins.observe(source).stamp !== stamp)
      throw changed()
    const next = new Map(contents.pins)
    return { ...contents, pins: next.set(isSeparate ? freeName(source, next) : pinnedAs, items) }
  })
  pins.changes.emit({ source })
}

const isKnown = ({ parts: { catalog, configured } }: Pins, source: string) =>
  catalog.sources.find(source) !== undefined || configured.has(source)

/** Returns undefined if one of the shown differences is no longer there, or the first approval lacks the server. */
function chooseReviewed(
  { differences, fingerprint, pinnedAs }: SourceComparison,
  reviewed: ReviewedDifferences,
): ReadonlySet<RatedDifference> | undefined {
  const approvable = differences.filter(({ hash }) => hash !== undefined)
  if (reviewed.hashes === undefined)
    return reviewed.fingerprint === fingerprint ? new Set(approvable) : undefined
  const byHash = new Map(approvable.map(each => [each.hash, each]))
  const chosen = reviewed.hashes.flatMap(hash => byHash.get(hash) ?? [])
  if (chosen.length < reviewed.hashes.length) return undefined
  // A pin always names its server, and an approval covers only what was shown.
  const server = pinnedAs === undefined ? differences.find(({ kind }) => kind === 'server') : undefined
  return server === undefined || chosen.includes(server) ? new Set(chosen) : undefined
}

/**
 * Removes the pin of a source, or an unused pin by its name. Throws AppError `not-found`, or `request-invalid` if the pin is
 * that of another source, whose calls would no longer be checked either.
 */
export async function removePin(pins: Pins, source: string): Promise<void> {
  const { file, catalog } = pins.parts
  const connection = catalog.sources.find(source)
  await updateLock(file, contents => {
    const found = connection && findPin(connection, contents.pins, pins.parts)
    if (found !== undefined && found !== source && isKnown(pins, found))
      throw new AppError('request-invalid', `${source} has the pin of ${found}`, {
        hint: `Remove that of ${plainLine(found)}: then neither is checked.`,
      })
    const next = new Map(contents.pins)
    if (!next.delete(found ?? source))
      throw new AppError('not-found', `${file} has no pin of ${source}`, {
        hint:
          next.size === 0 ? 'Nothing is approved there.' : `It has pins of ${listNames([...next.keys()])}.`,
      })
    return { ...contents, pins: next }
  })
  pins.changes.emit({ source })
}

const maxNames = 10

function listNames(names: readonly string[]): string {
  const first = names.slice(0, maxNames).map(plainLine).join(', ')
  return names.length > maxNames ? `${first} and ${names.length - maxNames} more` : first
}

/** Returns what of a source is not as approved, for a person to look at. Throws as `Pins.compare`. */
export async function reviewPin(pins: Pins, source: string): Promise<PinReview> {
  const { pinnedAs, differences, sameCount, fingerprint, present } = await pins.compare(source)
  const { tools } = pins.parts.catalog
  const refs = new Map(
    [...tools.ofSource(source), ...tools.surfaceOf(source)]
      .filter(entry => entry.source === source)
      .map(({ ref, index }) => [present.entries[index], ref]),
  )
  const items = differences.map((each): ReviewItem => {
    const { kind, name, pinnedName, classes, action, hash, refusal, changes, before, after } = each
    return {
      kind,
      name,
      classes,
      action,
      changes,
      ...withoutUndefined({
        hash,
        refusal,
        pinnedName,
        ref: after && refs.get(after),
        before: before && { ...before.definition },
        after: after && { ...after.definition },
        approvedAt: before?.approvedAt,
        by: before?.by,
      }),
    }
  })
  const rank = ({ action }: ReviewItem) => -pinActions.indexOf(action)
  return {
    source,
    pinned: pinnedAs !== undefined,
    ...(pinnedAs !== undefined && pinnedAs !== source && { pinnedAs }),
    items: items.toSorted((a, b) => rank(a) - rank(b)),
    sameCount,
    fingerprint,
  }
}

/** Returns the state of every source. Never rejects. */
export async function listPins(pins: Pins): Promise<PinList> {
  const { file, policy, catalog } = pins.parts
  const names = catalog.sources.list().map(({ name }) => name)
  const states: SourcePin[] = []
  for (const name of names) states.push(await describeSourcePin(pins, name))
  try {
    const { pins: locked } = pins.read()
    const used = new Set(names.map(name => findPin(catalog.sources.get(name), locked, pins.parts)))
    return {
      file,
      policy: { ...policy },
      sources: states,
      unused: [...locked.keys()].filter(key => !used.has(key)),
    }
  } catch (thrown) {
    return { file, problem: toAppError(thrown).toShape(), policy: { ...policy }, sources: states, unused: [] }
  }
}

async function describeSourcePin(pins: Pins, source: string): Promise<SourcePin> {
  const blocked = [...(await pins.refusalsOf(source))]
    .filter(([ref]) => pins.parts.catalog.tools.has(ref))
    .map(([ref, { reason, difference }]) => ({
      ref,
      reason,
      ...(difference && { class: difference.classes[0] }),
    }))
  try {
    if (!pins.isChecked(source)) return { source, state: 'unpinned', counts: {}, blocked }
    const { pinned, pinnedAs, differences } = await pins.compare(source)
    // A list that could not be read has no difference, and its entries are refused.
    const isBlocked = blocked.length > 0 || differences.some(each => pins.refused(each) !== undefined)
    if (pinnedAs === undefined) {
      const reason = 'It has no pin, and toolscope.json requires one.'
      return {
        source,
        state: isBlocked ? 'blocked' : 'unpinned',
        counts: {},
        blocked,
        ...(isBlocked && { reason }),
      }
    }
    const counts: Partial<Record<PinClass, number>> = {}
    for (const { classes } of differences) counts[classes[0]] = (counts[classes[0]] ?? 0) + 1
    const newest = pinned.toSorted((a, b) => (a.approvedAt < b.approvedAt ? 1 : -1))[0]
    const { approvedAt, by } = newest ?? {}
    const state = isBlocked ? 'blocked' : differences.length > 0 ? 'differs' : 'same'
    return { source, state, counts, blocked, ...withoutUndefined({ approvedAt, by }) }
  } catch (thrown) {
    return { source, state: 'unread', counts: {}, blocked, reason: toAppError(thrown).detail }
  }
}
