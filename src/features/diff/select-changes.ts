import type { Change, Direction } from '../../../core/diff/change.ts'
import { type ChangeKind, kindsOf, rankOf } from './change-kind.ts'

export interface ChangeFilter {
  /** Empty: all. */
  readonly kinds: readonly ChangeKind[]
  readonly direction: Direction | undefined
  readonly tool: string | undefined
  /** A change matches when it contains every word. */
  readonly text: string
}

/** The changes that pass every filter, in their order. */
export function filterChanges(changes: readonly Change[], filter: ChangeFilter): readonly Change[] {
  const words = filter.text.toLowerCase().split(/\s+/).filter(Boolean)
  return changes.filter(
    change =>
      (filter.kinds.length === 0 || kindsOf(change).some(kind => filter.kinds.includes(kind))) &&
      (filter.direction === undefined || change.direction === filter.direction) &&
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
  const { tool = '', path, message, rule, fingerprint, reason = '', cues = [], words = [] } = change
  const changed = words
    .filter(run => run.kind !== 'same')
    .map(run => run.text.slice(0, maxSearchedCharacters))
  const parts = [tool, change.direction, path, message, rule, fingerprint, reason, ...cues, ...changed]
  const text = parts.join('\n').toLowerCase()
  searchTexts.set(change, text)
  return text
}

/** Changes that belong together: of one tool, of the manifest itself, or one that was found across many tools. */
export interface ChangeGroup {
  /** Absent where the group is no tool. */
  readonly tool?: string
  readonly title: string
  readonly changes: readonly Change[]
}

/** One line of the list as it is drawn. */
export type DiffRow =
  | { readonly kind: 'heading'; readonly key: string; readonly group: ChangeGroup }
  | { readonly kind: 'schemas'; readonly key: string; readonly tool: string }
  | { readonly kind: 'change'; readonly key: string; readonly change: Change; readonly ordinal: number }

/** By tool, the group with the worst change first; what was folded across tools comes last. */
export function groupChanges(changes: readonly Change[]): readonly ChangeGroup[] {
  const byTool = new Map<string | undefined, Change[]>()
  const folded: ChangeGroup[] = []
  for (const change of changes) {
    if (change.tools !== undefined) {
      const count = change.tools.length.toLocaleString('en')
      folded.push({ title: `Across ${count} ${count === '1' ? 'tool' : 'tools'}`, changes: [change] })
      continue
    }
    const group = byTool.get(change.tool)
    if (group) group.push(change)
    else byTool.set(change.tool, [change])
  }
  const groups = [...byTool].map(([tool, members]): ChangeGroup => {
    const sorted = members.sort((left, right) => rankOf(left) - rankOf(right))
    if (tool === undefined) return { title: 'The manifest itself', changes: sorted }
    return { tool, title: tool, changes: sorted }
  })
  const worst = (group: ChangeGroup) => (group.changes[0] ? rankOf(group.changes[0]) : 9)
  return [...groups.sort((left, right) => worst(left) - worst(right)), ...folded]
}

/** The groups as lines: a heading, the open schemas, the changes. */
export function rowsOf(groups: readonly ChangeGroup[], schemasOf: string | undefined): readonly DiffRow[] {
  const rows: DiffRow[] = []
  let ordinal = 0
  for (const [at, group] of groups.entries()) {
    rows.push({ kind: 'heading', key: `heading ${at}`, group })
    if (group.tool !== undefined && group.tool === schemasOf)
      rows.push({ kind: 'schemas', key: `schemas ${group.tool}`, tool: group.tool })
    for (const change of group.changes) {
      rows.push({ kind: 'change', key: `change ${change.fingerprint} ${ordinal}`, change, ordinal })
      ordinal += 1
    }
  }
  return rows
}
