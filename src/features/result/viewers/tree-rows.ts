import { isLosslessNumber } from 'lossless-json'
import { pointerSegments, pointerStep, pointersAbove } from '../../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import type { TreeFilter } from './tree-search.ts'

/** One rendered row of the tree. */
export interface TreeRow {
  /** A JSON Pointer, with `#start` for a slice of a long list. Unique in the tree. */
  readonly id: string
  readonly depth: number
  /** Property name or position; undefined for the root. */
  readonly label: string | number | undefined
  readonly value: unknown
  readonly kind: 'object' | 'array' | 'slice' | 'string' | 'number' | 'boolean' | 'null'
  /** The number of members; for a string its length. */
  readonly size: number
  readonly openable: boolean
  readonly open: boolean
  readonly issues: readonly ValidationIssue[]
}

/** Members rendered directly under one node; longer lists open as slices. */
export const sliceSize = 100
/** Strings longer than this open on demand. */
export const previewStringLength = 300
/** The most rows; only the raw view shows the rest. */
export const maxRows = 50_000

function getValueKind(value: unknown): TreeRow['kind'] {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number' || isLosslessNumber(value)) return 'number'
  return 'object'
}

interface Pending {
  readonly id: string
  readonly pointer: string
  readonly depth: number
  readonly label: string | number | undefined
  readonly value: unknown
  /** For a slice: the members it contains. */
  readonly slice?: { readonly start: number; readonly end: number }
}

/** Issues by the id of the row that shows them: their own node, or its nearest existing ancestor. */
export type IssuesById = ReadonlyMap<string, readonly ValidationIssue[]>

/**
 * Returns the visible rows of a value. Not recursive, so that a deep value does not overflow the stack.
 *
 * @param opened ids of open rows
 * @param filter the part of the tree that a search shows
 */
export function treeRows(
  value: unknown,
  opened: ReadonlySet<string>,
  issues: IssuesById,
  filter?: TreeFilter,
): TreeRow[] {
  const rows: TreeRow[] = []
  const pending: Pending[] = [{ id: '', pointer: '', depth: 0, label: undefined, value }]
  while (rows.length < maxRows) {
    const node = pending.pop()
    if (!node) break
    const row = buildRow(node, opened, issues)
    rows.push(row)
    const matching = filter?.members.get(node.id)
    if (row.open && matching) pushMatching(node, matching, pending)
    else if (row.open) pushMembers(node, pending)
  }
  return rows
}

function buildRow(node: Pending, opened: ReadonlySet<string>, issues: IssuesById): TreeRow {
  const { id, depth, label, value, slice } = node
  const kind = slice ? 'slice' : getValueKind(value)
  const size = slice ? slice.end - slice.start : measureSize(value, kind)
  const openable =
    kind === 'string' ? size > previewStringLength : kind !== 'number' && kind !== 'boolean' && size > 0
  const open = openable && opened.has(id)
  return { id, depth, label, value, kind, size, openable, open, issues: issues.get(id) ?? [] }
}

function measureSize(value: unknown, kind: TreeRow['kind']): number {
  if (kind === 'string' || kind === 'array') return (value as string | unknown[]).length
  return kind === 'object' ? Object.keys(value as object).length : 0
}

/** Adds the members that a search shows: without slices, because they are few. */
function pushMatching(node: Pending, keys: readonly (string | number)[], pending: Pending[]): void {
  for (const key of keys.toReversed()) pending.push(buildMember(node, key))
}

function buildMember({ value, pointer, depth }: Pending, key: string | number): Pending {
  const at = `${pointer}${pointerStep(key)}`
  const child = (value as Record<string | number, unknown>)[key]
  return { id: at, pointer: at, depth: depth + 1, label: key, value: child }
}

function pushMembers(node: Pending, pending: Pending[]): void {
  const { value, pointer, depth, slice } = node
  if (typeof value !== 'object' || value === null) return
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const length = keys?.length ?? (value as unknown[]).length
  const { start, end } = slice ?? { start: 0, end: length }
  if (!slice && length > sliceSize) {
    const last = Math.floor((length - 1) / sliceSize) * sliceSize
    for (let from = last; from >= 0; from -= sliceSize) {
      const to = Math.min(from + sliceSize, length)
      const label = `${from} … ${to - 1}`
      pending.push({
        id: sliceId(pointer, from),
        pointer,
        depth: depth + 1,
        label,
        value,
        slice: { start: from, end: to },
      })
    }
    return
  }
  for (let index = end - 1; index >= start; index -= 1) {
    pending.push(buildMember(node, keys ? (keys[index] ?? '') : index))
  }
}

function sliceId(pointer: string, start: number): string {
  return `${pointer}#${start}`
}

/** Finds the row for each issue, and the rows that must be open for it to be visible. */
export function locateIssues(
  value: unknown,
  issues: readonly ValidationIssue[],
): { readonly byId: IssuesById; readonly opened: ReadonlySet<string> } {
  const byId = new Map<string, ValidationIssue[]>()
  const opened = new Set<string>()
  for (const issue of issues) {
    const id = nearestNode(value, issue.path, opened)
    byId.set(id, [...(byId.get(id) ?? []), issue])
  }
  return { byId, opened }
}

/** Returns the pointer if it leads to a node, else the last node on its path. Adds the ancestors to `opened`. */
export function nearestNode(root: unknown, pointer: string, opened: Set<string>): string {
  let value = root
  let at = ''
  for (const next of [...pointersAbove(pointer), pointer].slice(1)) {
    if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return at
    const [key = ''] = pointerSegments(next.slice(at.length))
    if (!Object.hasOwn(value, key)) return at
    opened.add(at)
    const keys = Object.keys(value)
    if (keys.length > sliceSize) {
      const position = Array.isArray(value) ? Number(key) : keys.indexOf(key)
      opened.add(sliceId(at, Math.floor(position / sliceSize) * sliceSize))
    }
    value = (value as Record<string, unknown>)[key]
    at = next
  }
  return at
}

/** Returns the rows that are open at first: level by level while they fit, and at most two levels of a long list. */
export function firstOpened(value: unknown, room = 120): Set<string> {
  const opened = new Set<string>()
  let level: { pointer: string; value: unknown }[] = [{ pointer: '', value }]
  let left = room
  while (level.length > 0 && left > 0) {
    const next: { pointer: string; value: unknown }[] = []
    for (const node of level) {
      const kind = getValueKind(node.value)
      if (kind !== 'object' && kind !== 'array') continue
      const entries = Object.entries(node.value as object).slice(0, sliceSize)
      if (measureSize(node.value, kind) > sliceSize) {
        opened.add(node.pointer)
        opened.add(sliceId(node.pointer, 0))
        left -= sliceSize
        continue
      }
      if (entries.length > left) continue
      left -= entries.length
      opened.add(node.pointer)
      for (const [key, child] of entries)
        next.push({ pointer: `${node.pointer}${pointerStep(key)}`, value: child })
    }
    level = next
  }
  return opened
}

/** The most members and characters of a preview. */
const maxMembers = 4
const maxLength = 90

function scalarText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 30 ? `${value.slice(0, 30)}…` : value)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return value.length === 0 ? '[]' : '[…]'
  if (typeof value === 'object' && value !== null) return '{…}'
  return String(value)
}

/** Summarizes a folded object or list: `id: 1, name: "eu-west", …`. */
export function closedPreview(value: object): string {
  const isList = Array.isArray(value)
  const keys: string[] = []
  let more = false
  // Not Object.keys: it would list a million names although four are enough.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue
    if (keys.length === maxMembers) {
      more = true
      break
    }
    keys.push(key)
  }
  const parts = keys.map(key => {
    const text = scalarText((value as Record<string, unknown>)[key])
    return isList ? text : `${key.slice(0, 30)}: ${text}`
  })
  const joined = parts.join(', ')
  if (joined.length > maxLength) return `${joined.slice(0, maxLength)}…`
  return more ? `${joined}, …` : joined
}
