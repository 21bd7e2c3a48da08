/** The values in the form of a source, and their conversion to an entry (core/api/source-entry.ts). */
import parseArgv from 'string-argv'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { LineKind } from '../../../core/api/sources.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { formatTimeLimit, parseTimeLimit } from '../../../core/text/duration.ts'
import { quoteForShell } from '../../../core/text/shell.ts'
import { findLimitProblem } from '../../ui/time-limit-field.tsx'

/** The field that an edited source is opened by. */
export type EntryKind = 'command' | 'url' | 'text'

/** A row of environment or headers. */
export interface NamedValue {
  readonly id: number
  readonly name: string
  readonly value: string
}

export interface EntryDraft {
  readonly kind: EntryKind
  /** A command, a directory or a file, as on the command line. */
  readonly line: string
  readonly url: string
  readonly name: string
  readonly directory: string
  readonly environment: readonly NamedValue[]
  readonly headers: readonly NamedValue[]
  /** Time limits as typed: `60s`. */
  readonly callLimit: string
  readonly listLimit: string
  /** The edited entry: fields that the form lacks are kept. */
  readonly base: SourceEntry
}

let lastId = 0
export const newPair = (name = '', value = ''): NamedValue => {
  lastId += 1
  return { id: lastId, name, value }
}

const toPairs = (record: Readonly<Record<string, string>> = {}) =>
  Object.entries(record).map(([name, value]) => newPair(name, value))

const toRecord = (pairs: readonly NamedValue[]) => {
  const named = pairs.filter(({ name }) => name.trim() !== '')
  return named.length === 0
    ? undefined
    : Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]))
}

const toLimitText = (milliseconds: number | undefined) =>
  milliseconds === undefined ? '' : formatTimeLimit(milliseconds)

export function toEntryDraft(entry: SourceEntry = {}, name = ''): EntryDraft {
  const { mcp, command, functions, manifest, recording, line, url, bridge, text } = entry
  const words = mcp !== undefined && 'command' in mcp ? mcp.command : command
  const address = mcp !== undefined && 'url' in mcp ? mcp.url : (url ?? bridge)
  return {
    kind: address !== undefined ? 'url' : text !== undefined ? 'text' : 'command',
    line: line ?? words?.map(quoteForShell).join(' ') ?? functions ?? manifest ?? recording ?? '',
    url: address ?? '',
    name,
    directory: entry.directory ?? '',
    environment: toPairs({ ...entry.environment, ...(mcp !== undefined && 'command' in mcp ? mcp.env : {}) }),
    headers: toPairs(mcp !== undefined && 'url' in mcp ? mcp.headers : entry.headers),
    callLimit: toLimitText(entry.timeoutMs),
    listLimit: toLimitText(entry.listTimeoutMs),
    base: entry,
  }
}

const toLimits = ({ callLimit, listLimit }: EntryDraft) => ({
  timeoutMs: parseTimeLimit(callLimit) ?? undefined,
  listTimeoutMs: parseTimeLimit(listLimit) ?? undefined,
})

/** Returns whether both limits can be read; an empty one can. */
export function hasValidLimits({ callLimit, listLimit }: EntryDraft): boolean {
  return [callLimit, listLimit].every(text => findLimitProblem(text) === undefined)
}

/** Returns the entry; undefined while the command, file or address is missing. */
export function toSourceEntry(draft: EntryDraft): SourceEntry | undefined {
  const { base } = draft
  const {
    line: _line,
    url: _url,
    headers: _headers,
    mcp,
    command,
    functions,
    manifest,
    recording,
    bridge,
    ...rest
  } = base
  const common = { ...rest, ...toLimits(draft) }
  if (draft.kind === 'text') return base.text === undefined ? undefined : withoutUndefined(common)
  if (draft.kind === 'url') {
    const url = draft.url.trim()
    if (url === '') return undefined
    const headers = toRecord(draft.headers)
    const way =
      mcp !== undefined && 'url' in mcp
        ? { mcp: withoutUndefined({ ...mcp, url, headers }) }
        : bridge !== undefined
          ? { bridge: url }
          : { url, headers }
    return withoutUndefined({ ...common, ...way })
  }
  const line = draft.line.trim()
  if (line === '') return undefined
  const environment = toRecord(draft.environment)
  const directory = draft.directory.trim() || undefined
  if (mcp !== undefined && 'command' in mcp) {
    const server = withoutUndefined({ command: parseArgv(line), env: environment })
    return withoutUndefined({ ...common, mcp: server, environment: undefined, directory })
  }
  const way =
    command !== undefined
      ? { command: parseArgv(line) }
      : functions !== undefined
        ? { functions: line }
        : manifest !== undefined
          ? { manifest: line }
          : recording !== undefined
            ? { recording: line }
            : { line }
  return withoutUndefined({ ...common, ...way, environment, directory })
}

/** The settings of a typed line, by what it names. The others are hidden and not sent. */
export function toLineSettings(draft: EntryDraft, kind: LineKind): Partial<SourceEntry> {
  if (kind === 'file' || kind === 'servers') return {}
  const limits = toLimits(draft)
  if (kind === 'address') return withoutUndefined({ ...limits, headers: toRecord(draft.headers) })
  const directory = draft.directory.trim() || undefined
  return withoutUndefined({ ...limits, directory, environment: toRecord(draft.environment) })
}

/** Returns the problem with a name during typing; the server proposes a name for an empty one. */
export function nameProblem(name: string, taken: ReadonlySet<string>): string | undefined {
  if (taken.has(name)) return `A source named “${name}” already exists.`
  return /[\s/,~]/.test(name) ? 'A name cannot contain spaces, “/”, “,” or “~”.' : undefined
}
