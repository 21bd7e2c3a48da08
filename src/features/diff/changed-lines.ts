/** The changed lines of a schema with a few unchanged lines around them, and the changed words in them. */
import { diffArrays, diffWordsWithSpace } from 'diff'
import type { Change } from '../../../core/diff/change.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isObject } from '../../../core/json/json.ts'
import { groupBy } from '../../../core/lists.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'

const moreLines = (left: number) => `… ${left} more lines`

export interface ChangedLine {
  readonly kind: 'same' | 'removed' | 'added' | 'gap'
  readonly parts: readonly { readonly text: string; readonly isMarked: boolean }[]
}

/** Unchanged lines that are kept before and after a changed one. */
const context = 2
/** More lines in total, and more of one kind in a row, are only in “Before and after in full”. */
const maxLines = 60
const maxRun = 10
/** Parts that differ in more lines are shown as replaced. */
const maxEdits = 400
/** Containers up to this width are written on one line. */
const maxWidth = 80
/** The least share that two lines must have in common for their words to be marked. */
const minShared = 0.3

/**
 * Returns the lines of the changed part; none if they only repeat the message, or if the part is nested too deep.
 * @param before the tool before, and `after` after: they give a keyword (`maximum`) the schema around it
 */
export function changedLines(
  change: Change,
  before: ManifestTool | undefined,
  after: ManifestTool | undefined,
): readonly ChangedLine[] {
  const sides = comparedParts(change, before, after)
  if (sides === undefined) return []
  try {
    const left = formatJsonLines(alignKeys(sides[0], sides[1]))
    return withContext(compareLines(left, formatJsonLines(sides[1])))
  } catch (thrown) {
    // The part is nested deeper than the stack allows, so only the message is shown.
    if (thrown instanceof RangeError) return []
    throw thrown
  }
}

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => isObject(value)

/** Returns both parts as objects whose members can be compared. */
function comparedParts(
  change: Change,
  before: ManifestTool | undefined,
  after: ManifestTool | undefined,
): readonly [Fields, Fields] | undefined {
  const { direction, path } = change
  if (direction !== 'input' && direction !== 'output') return undefined
  const segments = path.split('/').slice(1)
  const name = segments.at(-1)?.replace(/^\*$/, 'items') ?? ''
  const wrap = (value: unknown): Fields =>
    name === '' && isFields(value) ? value : { [name || direction]: value }
  const parts = [change.before, change.after] as const
  if (parts.every(part => part === undefined || isFields(part)) && parts.some(isFields))
    return [
      change.before === undefined ? {} : wrap(change.before),
      change.after === undefined ? {} : wrap(change.after),
    ]
  const field = direction === 'input' ? 'inputSchema' : 'outputSchema'
  const keyword = keywordsAround(
    schemaAt(before?.[field], segments),
    schemaAt(after?.[field], segments),
    change,
  )
  return keyword && [wrap(keyword[0]), wrap(keyword[1])]
}

function schemaAt(schema: unknown, segments: readonly string[]): unknown {
  let at: unknown = schema
  for (const segment of segments) {
    if (!isFields(at)) return undefined
    const name = segment.replaceAll('~1', '/').replaceAll('~0', '~')
    const properties = isFields(at.properties) ? at.properties : {}
    at = name === '*' ? at.items : Object.hasOwn(properties, name) ? properties[name] : undefined
  }
  return at
}

/** Returns the keywords that contain the change, with the unchanged simple keywords around them. */
function keywordsAround(
  before: unknown,
  after: unknown,
  change: Change,
): readonly [Fields, Fields] | undefined {
  if (!isFields(before) || !isFields(after)) return undefined
  const changed = (key: string) =>
    !jsonEquals(before[key], after[key]) &&
    jsonEquals(before[key], change.before) &&
    jsonEquals(after[key], change.after)
  const stayed = (key: string) => jsonEquals(before[key], after[key]) && typeof after[key] !== 'object'
  const keys = [...new Set([...Object.keys(after), ...Object.keys(before)])]
  if (!keys.some(changed)) return undefined
  const pick = (from: Fields) =>
    Object.fromEntries(
      keys.flatMap(key =>
        Object.hasOwn(from, key) && (changed(key) || stayed(key)) ? [[key, from[key]]] : [],
      ),
    )
  return [pick(before), pick(after)]
}

/** Returns the value with its keys in the order of `model`, because the order of keys is not a change. */
function alignKeys(value: unknown, model: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, at) => alignKeys(item, Array.isArray(model) ? model[at] : undefined))
  if (!isFields(value)) return value
  const order = isFields(model) ? Object.keys(model) : []
  const keys = [...new Set([...order.filter(key => Object.hasOwn(value, key)), ...Object.keys(value)])]
  return Object.fromEntries(
    keys.map(key => [key, alignKeys(value[key], isFields(model) ? model[key] : undefined)]),
  )
}

/** Prints JSON as lines, without the outermost braces. */
function formatJsonLines(value: unknown): string[] {
  const lines: string[] = []
  const write = (item: unknown, indent: string, prefix: string) => {
    const text = JSON.stringify(item) ?? 'null'
    if (typeof item !== 'object' || item === null || text.length <= maxWidth) {
      lines.push(`${indent}${prefix}${typeof item === 'object' ? spaced(text) : text}`)
      return
    }
    const isList = Array.isArray(item)
    lines.push(`${indent}${prefix}${isList ? '[' : '{'}`)
    for (const [key, member] of Object.entries(item))
      write(member, `${indent}  `, isList ? '' : `${JSON.stringify(key)}: `)
    lines.push(`${indent}${isList ? ']' : '}'}`)
  }
  if (isFields(value))
    for (const [key, member] of Object.entries(value)) write(member, '', `${JSON.stringify(key)}: `)
  return lines
}

/** Adds spaces, `{"a":1,"b":2}` → `{ "a": 1, "b": 2 }`, but not inside strings. */
const spaced = (text: string) =>
  text.replaceAll(/"(?:[^"\\]|\\.)*"|[:,]|\{(?!\})|(?<!\{)\}/g, token =>
    token.length > 1 ? token : token === '}' ? ' }' : `${token} `,
  )

function compareLines(before: string[], after: string[]): ChangedLine[] {
  const parts = diffArrays(before, after, { maxEditLength: maxEdits })
  if (parts === undefined)
    return [...before.map(text => plain('removed', text)), ...after.map(text => plain('added', text))]
  const lines: ChangedLine[] = []
  for (const [at, { value, added, removed }] of parts.entries()) {
    if (added && parts[at - 1]?.removed) continue
    const next = parts[at + 1]
    if (removed && next?.added) lines.push(...pairLines(value, next.value))
    else lines.push(...value.map(text => plain(added ? 'added' : removed ? 'removed' : 'same', text)))
  }
  return lines
}

const plain = (kind: ChangedLine['kind'], text: string): ChangedLine => ({
  kind,
  parts: [{ text, isMarked: false }],
})

/** Replaced lines: if two lines have the same key and are alike, only the different words are marked. */
function pairLines(removed: readonly string[], added: readonly string[]): ChangedLine[] {
  const partners = groupBy(added.entries(), ([, text]) => readLineKey(text))
  const after = added.map(text => plain('added', text))
  const before = removed.map(text => {
    const [at, other] = partners.get(readLineKey(text))?.shift() ?? []
    if (at === undefined || other === undefined) return plain('removed', text)
    const runs = diffWordsWithSpace(text, other)
    const shared = runs
      .filter(run => !run.added && !run.removed)
      .reduce((sum, run) => sum + run.value.trim().length, 0)
    if (shared < minShared * Math.max(text.length, other.length)) return plain('removed', text)
    const side = (kind: 'removed' | 'added') => ({
      kind,
      parts: runs
        .filter(run => run[kind] || !(run.added || run.removed))
        .map(run => ({ text: run.value, isMarked: run[kind] === true })),
    })
    after[at] = side('added')
    return side('removed')
  })
  return [...before, ...after]
}

/** Returns the indentation of a line, and its key. */
const readLineKey = (line: string) => /^\s*(?:"(?:[^"\\]|\\.)*": )?/.exec(line)?.[0] ?? ''

/** Returns the changed lines with their unchanged neighbours; long runs are cut. */
function withContext(lines: readonly ChangedLine[]): readonly ChangedLine[] {
  const runs: ChangedLine[][] = []
  for (const line of lines) {
    const run = runs.at(-1)
    if (run?.[0]?.kind === line.kind) run.push(line)
    else runs.push([line])
  }
  const isSame = (run: readonly ChangedLine[]) => run[0]?.kind === 'same'
  if (runs.every(isSame)) return []
  const visible = runs.flatMap((run, at) => {
    const last = isSame(run) && at < runs.length - 1 ? context : 0
    const first = !isSame(run) ? maxRun : at > 0 ? context : 0
    const left = run.length - first - last
    // A line that says that one line is omitted would save no line.
    if (left <= (isSame(run) ? 0 : 2)) return run
    const gap = plain('gap', isSame(run) ? '…' : moreLines(left))
    return [...run.slice(0, first), gap, ...run.slice(run.length - last)]
  })
  if (visible.length <= maxLines) return visible
  return [...visible.slice(0, maxLines), plain('gap', moreLines(visible.length - maxLines))]
}
