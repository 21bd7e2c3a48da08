/** The sections of the report, one for each tool, and the rows that are rendered for them. */
import type { Change, Severity } from '../../../core/diff/change.ts'
import { severities } from '../../../core/diff/severity.ts'
import { groupBy } from '../../../core/lists.ts'

/** Opens a tool from the report, with or without an input in its form. */
export type OpenTool = (ref: string, inputText?: string) => Promise<void>

/** The groups of the outline, in order. */
export const groupTitles = {
  breaking: 'Can break callers',
  look: 'Needs review',
  compatible: 'Compatible',
  info: 'Info only',
  renamed: 'Renamed',
  added: 'Added',
} as const

export type GroupId = keyof typeof groupTitles

export const groupIds = Object.keys(groupTitles) as readonly GroupId[]

/** The changes of one tool, of the server, or the same change of several tools. */
export interface ReportSection {
  readonly key: string
  readonly kind: 'changed' | 'added' | 'removed' | 'renames' | 'shared' | 'server'
  readonly group: GroupId
  readonly title: string
  /** Absent if the section is not about one tool. */
  readonly tool?: string
  readonly renamedFrom?: string
  readonly worst: Severity
  /** All changes, the worst first. */
  readonly changes: readonly Change[]
}

/**
 * Returns the sections by group, the worst tool of a group first, and a rule of renames after the tools that it
 * renamed.
 */
export function groupIntoSections(changes: readonly Change[]): readonly ReportSection[] {
  const nameBefore = new Map(changes.flatMap(renamedNames))
  const groups = groupBy(changes, change =>
    isRenamed(change) && change.tools ? change : change.tools ? 'shared' : (change.tool ?? null),
  )
  // A tool may be named "shared", so the keys use a position and not only the name.
  const sections = [...groups.values()].map((members, at) =>
    buildSection(members, `section ${at}`, nameBefore),
  )
  return sections.toSorted(
    (a, b) =>
      groupIds.indexOf(a.group) - groupIds.indexOf(b.group) ||
      severities.indexOf(a.worst) - severities.indexOf(b.worst) ||
      Number(a.kind === 'renames') - Number(b.kind === 'renames'),
  )
}

function buildSection(
  members: readonly Change[],
  key: string,
  nameBefore: ReadonlyMap<string, string>,
): ReportSection {
  const changes = members.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  const worst = changes[0]?.severity ?? 'info'
  const [{ rule = '', tool, tools, message = '' } = {}] = members
  const base = { key, worst, changes }
  if (tools !== undefined)
    return isRenamed({ rule })
      ? { ...base, kind: 'renames', group: worst === 'breaking' ? worst : 'renamed', title: message }
      : { ...base, kind: 'shared', group: pickGroup(changes), title: 'Same change in several tools' }
  if (tool === undefined) return { ...base, kind: 'server', group: pickGroup(changes), title: 'Server' }
  const named = { ...base, tool, title: tool }
  const own = changes.find(change =>
    /^(?:tool|prompt|resource|template)-(?:added|removed)$/.test(change.rule),
  )
  if (own?.rule.endsWith('-removed')) return { ...named, kind: 'removed', group: 'breaking' }
  if (own) return { ...named, kind: 'added', group: worst === 'info' ? 'added' : pickGroup(changes) }
  const renamedFrom = nameBefore.get(tool)
  if (renamedFrom === undefined) return { ...named, kind: 'changed', group: pickGroup(changes) }
  // A team's rules may say that a rename is harmless.
  const isHarmlessRename = worst !== 'breaking' && changes.some(isRenamed)
  const group = isHarmlessRename ? 'renamed' : pickGroup(changes)
  return { ...named, kind: 'changed', group, renamedFrom }
}

/** @param changes the worst first */
function pickGroup(changes: readonly Change[]): GroupId {
  const worst = changes[0]?.severity ?? 'info'
  if (worst !== 'info') return worst === 'breaking' ? 'breaking' : 'look'
  return changes.some(isProved) ? 'compatible' : 'info'
}

/** Returns whether it is proved that no caller is affected. */
export const isProved = ({ declared, strict, breaksWith }: Change) =>
  (declared ?? strict) === 'proved' && breaksWith === undefined

/** Returns whether a tool, prompt, resource or template was renamed, or many of them by one rule. */
export const isRenamed = ({ rule }: Pick<Change, 'rule'>) =>
  /^(?:tool|prompt|resource|template)-renamed$/.test(rule)

/** Returns each new name with its old one. */
function renamedNames(change: Change): (readonly [string, string])[] {
  const { tool, tools, before } = change
  if (!isRenamed(change)) return []
  if (tools === undefined) return tool === undefined ? [] : [[tool, String(before)]]
  const namesBefore: readonly unknown[] = Array.isArray(before) ? before : []
  return tools.map((name, at) => [name, String(namesBefore[at])])
}

export interface ChangeFilter {
  /** Empty: all. */
  readonly severities: readonly Severity[]
  readonly tool: string | undefined
  /** A change matches if it contains every word. */
  readonly text: string
}

/** Returns the changes that pass every filter, in their order. */
export function filterChanges(changes: readonly Change[], filter: ChangeFilter): readonly Change[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return changes.filter(
    change =>
      (filter.severities.length === 0 || filter.severities.includes(change.severity)) &&
      (filter.tool === undefined ||
        change.tool === filter.tool ||
        change.tools?.includes(filter.tool) === true) &&
      words.every(word => searchText(change).includes(word)),
  )
}

const searchTexts = new WeakMap<Change, string>()

/** Characters of one word run that are searched. */
const maxSearchedCharacters = 2_000

function searchText(change: Change): string {
  const known = searchTexts.get(change)
  if (known !== undefined) return known
  const {
    tool = '',
    tools = [],
    path,
    message,
    rule,
    fingerprint,
    reason = '',
    cues = [],
    words = [],
  } = change
  const changed = words
    .filter(run => run.kind !== 'same')
    .map(run => run.text.slice(0, maxSearchedCharacters))
  const parts = [
    tool,
    ...tools,
    change.direction,
    path,
    message,
    rule,
    fingerprint,
    reason,
    ...cues,
    ...changed,
  ]
  const text = parts.join('\n').toLowerCase()
  searchTexts.set(change, text)
  return text
}

/** One row of the report. `stop`: the number of a row that j and k reach. */
export type DiffRow = {
  readonly key: string
  readonly section: ReportSection
} /** `isOpen`: the schemas follow. */ & (
  | { readonly kind: 'heading'; readonly isOpen: boolean }
  | { readonly kind: 'schemas' }
  | { readonly kind: 'change'; readonly change: Change; readonly stop: number }
  /** The changes that affect no caller, in one line; or an added or removed tool. */
  | {
      readonly kind: 'fold' | 'tool'
      readonly folded: readonly Change[]
      readonly isOpen: boolean
      readonly stop: number
    }
)

interface RowOptions {
  /** The tool whose schemas are shown. */
  readonly schemasOf: string | undefined
  /** The keys of the unfolded sections. */
  readonly open: ReadonlySet<string>
  readonly isAllOpen: boolean
}

/** Returns a heading, the changes to read, and one line for the others; an added or removed tool is one line. */
export function buildDiffRows(sections: readonly ReportSection[], options: RowOptions): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let stop = 0
  for (const section of sections) {
    const { key, kind, tool, changes } = section
    const isOpen = options.isAllOpen || options.open.has(key)
    if (kind === 'added' || kind === 'removed') {
      rows.push({ kind: 'tool', key: `${key} tool`, section, folded: changes, isOpen, stop: stop++ })
      continue
    }
    const hasSchemas = tool !== undefined && tool === options.schemasOf
    rows.push({ kind: 'heading', key: `${key} heading`, section, isOpen: hasSchemas })
    if (hasSchemas) rows.push({ kind: 'schemas', key: `${key} schemas`, section })
    const folded = changes.filter(isFolded)
    const add = (change: Change) =>
      rows.push({
        kind: 'change',
        key: `${key} ${change.fingerprint} ${stop}`,
        section,
        change,
        stop: stop++,
      })
    for (const change of changes) if (!isFolded(change)) add(change)
    if (folded.length === 0) continue
    rows.push({ kind: 'fold', key: `${key} fold`, section, folded, isOpen, stop: stop++ })
    if (isOpen) folded.forEach(add)
  }
  return rows
}

/** Rules whose changes are never folded, because a model reads these texts first. */
const neverFolded: ReadonlySet<string> = new Set(['description-changed', 'instructions-changed'])

const isFolded = ({ severity, rule }: Change) => severity === 'info' && !neverFolded.has(rule)
