/**
 * References to a manifest: a source, a version of one (`acme@3`, `acme@latest`, `acme@2026-11-21`, `acme@label`), a file
 * in git, a file, an address, a command.
 */
import { AppError } from '../errors.ts'
import { shorten } from '../text/wording.ts'
import type { Snapshot } from './snapshot.ts'

export type Selector =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'latest' }
  /** The version before the newest. */
  | { readonly kind: 'previous' }
  /** The last version at or before a time, in milliseconds since 1970. */
  | { readonly kind: 'time'; readonly until: number }
  | { readonly kind: 'label'; readonly label: string }

export interface SnapshotReference {
  readonly source: string
  readonly selector: Selector
}

/** A reference that was checked by its form. What it names may still be missing. */
export type ManifestReference = { readonly text: string } & (
  | { readonly kind: 'source' | 'file' | 'address' | 'command' }
  | { readonly kind: 'version'; readonly version: SnapshotReference }
  /** The staged file has the revision `:0`, as in gitrevisions(7). */
  | { readonly kind: 'git'; readonly revision: string; readonly path: string }
)

/** A command may be long; a longer text is a mistake. */
const maxReferenceCharacters = 10_000

/**
 * Parses a reference where it enters the program. Throws AppError `source-not-found` for a text that is too long, and for
 * `git:…` without a revision or path, or with a revision that git would read as something else.
 *
 * @param known returns whether the text is the name of a source, or of a file
 */
export function parseReference(
  text: string,
  known: { isSource(name: string): boolean; isFile(path: string): boolean },
): ManifestReference {
  if (text.length > maxReferenceCharacters)
    throw new AppError(
      'source-not-found',
      `the reference has ${text.length} characters, at most ${maxReferenceCharacters} are read: ${shorten(text, 80)}`,
    )
  // Before the names: a toolscope.json that a pull request changes must not give `git:…` another meaning.
  if (text.startsWith('git:')) return { text, kind: 'git', ...parseGitReference(text) }
  if (known.isSource(text)) return { text, kind: 'source' }
  if (known.isFile(text)) return { text, kind: 'file' }
  const version = parseSnapshotReference(text)
  if (version !== null) return { text, kind: 'version', version }
  return { text, kind: /^(?:mcp:|bridge:)?https?:\/\//i.test(text) ? 'address' : 'command' }
}

function parseGitReference(text: string): { readonly revision: string; readonly path: string } {
  const [, revision = '', path = ''] = /^git:(:0|[^:]*)(?::(.*))?$/s.exec(text) ?? []
  const hint = 'Write git:REVISION:path, such as git:HEAD:tools.json. The staged file is git::0:tools.json.'
  const invalid = (what: string) =>
    new AppError('source-not-found', `${JSON.stringify(text)} ${what}`, { hint })
  if (revision === '') throw invalid('has no revision. A variable in it may be empty.')
  if (path === '') throw invalid('has no path after the revision.')
  const problem = findRevisionProblem(revision)
  if (problem !== undefined) throw invalid(problem)
  return { revision, path }
}

/** Returns why a text must not be passed to git as a revision; undefined if it may. */
export function findRevisionProblem(revision: string): string | undefined {
  if (revision === '') return 'is empty; name a commit, branch or tag.'
  if (revision.startsWith('-')) return 'has a revision that begins with "-", which is an option of git.'
  if (/\p{Cc}/u.test(revision)) return 'has a line break or another control character in its revision.'
  return undefined
}

const moment = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/

/** Returns null if the text is not such a reference: it has no `@`, or the parts around it are not valid. */
export function parseSnapshotReference(text: string): SnapshotReference | null {
  const at = text.lastIndexOf('@')
  const source = text.slice(0, at)
  const word = text.slice(at + 1)
  if (at < 1 || /[/,~]|:\/\/|\p{Cc}/u.test(source) || word === '') return null
  if (/^\d{1,9}$/.test(word)) return { source, selector: { kind: 'number', number: Number(word) } }
  if (word === 'latest' || word === 'previous') return { source, selector: { kind: word } }
  const until = parseMomentEnd(word)
  if (until !== null) return { source, selector: { kind: 'time', until } }
  return isLabel(word) ? { source, selector: { kind: 'label', label: word } } : null
}

/**
 * Returns whether a word is a valid label: letters, digits, `.`, `_`, `+` and `-`, at most 64, and no other kind of
 * reference.
 */
export function isLabel(text: string): boolean {
  return (
    /^\w[\w.+-]{0,63}$/.test(text) &&
    !/^\d+$/.test(text) &&
    !moment.test(text) &&
    text !== 'latest' &&
    text !== 'previous'
  )
}

/** Returns the end of a day or minute, or the exact time if seconds are given. Without a zone it is local time. */
function parseMomentEnd(word: string): number | null {
  const match = moment.exec(word)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, zone = ''] = match
  const date = `${year}-${month}-${day}`
  const start = Date.parse(`${date}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}${zone}`)
  if (Number.isNaN(start)) return null
  if (second !== undefined) return start
  if (hour !== undefined) return start + 59_999
  const next = new Date(start)
  next.setDate(next.getDate() + 1)
  return next.getTime() - 1
}

/** @param snapshots of one source, newest first */
export function selectSnapshot(snapshots: readonly Snapshot[], selector: Selector): Snapshot | undefined {
  switch (selector.kind) {
    case 'latest':
      return snapshots[0]
    case 'previous':
      return snapshots[1]
    case 'number':
      return snapshots.find(each => each.number === selector.number)
    case 'label':
      return snapshots.find(each => each.labels.includes(selector.label))
    case 'time':
      return snapshots.find(each => Date.parse(each.time) <= selector.until)
  }
}

export function formatReference({ source, number }: Pick<Snapshot, 'source' | 'number'>): string {
  return `${source}@${number}`
}

/** Returns which references exist, as the end of a sentence. */
export function describeReferences(source: string, snapshots: readonly Snapshot[]): string {
  const [newest] = snapshots
  const oldest = snapshots.at(-1)
  if (newest === undefined || oldest === undefined) return `there are no versions of ${source}`
  const labels = snapshots.flatMap(each => each.labels)
  const range = newest === oldest ? `${newest.number}` : `${oldest.number} to ${newest.number}`
  return [
    `there are ${source}@${range} (${oldest.time.slice(0, 16)}Z to ${newest.time.slice(0, 16)}Z)`,
    ...(labels.length > 0 ? [`labels ${labels.slice(0, 20).join(', ')}`] : []),
  ].join(', ')
}
