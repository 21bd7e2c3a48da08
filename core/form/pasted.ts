/** Decides which lists can be drawn as a table, and converts text that was pasted into a list to the list's items. */

import { isObject, type Json, type JsonObject, jsonType, setOwnMember } from '../json/json.ts'
import { readJson, readNumber } from '../json/json-text.ts'
import type { ArrayNode, FormNode, FormProperty } from './form-node.ts'
import type { FormPlanner } from './form-schema.ts'
import { optionLabel } from './union-branches.ts'

/**
 * Returns the items of a pasted list: a JSON array, lines, or (for numbers and fixed values) commas. Texts stay texts
 * for string items; numbers are read for number items.
 */
export function pastedItems(text: string, item: FormNode): Json[] {
  const array = readArray(text)
  if (array) return [...array]
  const trimmed = text.trim()
  const lines = trimmed.split(/\r\n|\r|\n/).map(line => line.trim())
  const byComma = item.kind === 'number' || item.kind === 'enum'
  const parts = lines.length > 1 || !byComma ? lines : trimmed.split(/[,;\t ]+/)
  return parts.filter(part => part !== '').map(part => readValue(part, item))
}

type PastedRows =
  | { readonly ok: true; readonly rows: readonly Json[]; readonly keys: readonly string[] }
  | { readonly ok: false; readonly message: string }

/**
 * Returns the rows of a pasted table: a JSON array, or cells of a spreadsheet or CSV. The first row is a header if more
 * than half its cells name properties (or their titles). Cells under another name get a key with that name, and cells
 * without a name are left out. Without a header, cells go to the columns in order.
 *
 * @param from the first column without a header
 */
export function pastedRows(text: string, columns: readonly ListColumn[], from = 0): PastedRows {
  const array = readArray(text)
  if (array) return { ok: true, rows: array, keys: listKeys(array) }
  const cells = readDelimited(text)
  const header = readHeader(cells[0] ?? [], columns)
  const names = header ?? columns.slice(from).map(({ name }) => name)
  const rows = header ? cells.slice(1) : cells
  const widest = Math.max(0, ...rows.map(row => row.length))
  if (widest > names.length)
    return {
      ok: false,
      message: `A row has ${widest} cells; there are ${names.length} columns: ${names.join(', ')}. Take cells away, or put a row with the names of the columns on top.`,
    }
  const objects = rows.map(row => toRowObject(row, names, columns))
  return { ok: true, rows: objects, keys: listKeys(objects) }
}

/**
 * Returns the rows of a text that was pasted into the cell of column `from`; `null` if the text is for that cell only:
 * no tab, no header, and not two or more lines with the same number of cells (at least two). Plain lines are rows if
 * the column is not a text.
 */
export function pastedIntoCell(
  text: string,
  columns: readonly ListColumn[],
  from: number,
): readonly Json[] | null {
  const [first = [], ...others] = readDelimited(text)
  const isGrid = others.length > 0 && first.length > 1 && others.every(row => row.length === first.length)
  const isColumn = others.length > 0 && ['number', 'enum'].includes(columns[from]?.node.kind ?? '')
  const isTable = (text.includes('\t') && first.length > 1) || isGrid || isColumn
  if (!isTable && !(others.length > 0 && readHeader(first, columns))) return null
  const pasted = pastedRows(text, columns, from)
  return pasted.ok && pasted.rows.length > 0 ? pasted.rows : null
}

/** An item after an edit: the index of an existing item, or a value, which may replace the item at `at`. */
export type Placed = number | { readonly added: Json; readonly at?: number }

/**
 * Puts rows at `index`: merges them into the rows from there on if all their cells are absent there, so that nothing is
 * overwritten; else inserts them below the row, or replaces it if it is empty.
 */
export function mergeRows(items: readonly Json[], index: number, rows: readonly Json[]): Placed[] {
  const indexes: Placed[] = [...items.keys()]
  const pairs = rows.map((row, offset) => ({ row, at: index + offset, item: items[index + offset] }))
  const overwrites = pairs.some(({ row, item }) => item !== undefined && !areApart(row, item))
  if (overwrites) {
    const isEmpty = isObject(items[index]) && Object.keys(items[index]).length === 0
    const [first, ...others] = rows.map(added => ({ added }))
    if (!isEmpty || !first) return indexes.toSpliced(index + 1, 0, ...rows.map(added => ({ added })))
    return indexes.toSpliced(index, 1, { ...first, at: index }, ...others)
  }
  return indexes.toSpliced(
    index,
    rows.length,
    ...pairs.map(({ row, at, item }) =>
      isObject(item) && isObject(row) ? { added: { ...item, ...row }, at } : { added: row },
    ),
  )
}

/** Returns true if two objects have no key in common. */
function areApart(left: Json, right: Json): boolean {
  return isObject(left) && isObject(right) && Object.keys(left).every(key => !Object.hasOwn(right, key))
}

function readArray(text: string): readonly Json[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined
  const reading = readJson(text)
  return reading.ok && Array.isArray(reading.value) ? (reading.value as readonly Json[]) : undefined
}

function listKeys(rows: readonly Json[]): string[] {
  return [...new Set(rows.flatMap(row => (isObject(row) ? Object.keys(row) : [])))]
}

/** Returns for each cell the property with that name or title, else the cell's own text; `''` for an empty cell. */
function readHeader(row: readonly Cell[], columns: readonly ListColumn[]): string[] | undefined {
  const known = new Map<string, string>()
  for (const { name, node } of columns) {
    if (typeof node.schema.title === 'string') known.set(fold(node.schema.title), name)
  }
  for (const { name } of columns) known.set(fold(name), name)
  const found = row.map(cell => known.get(fold(cell ?? '')))
  const filled = row.filter(cell => cell !== undefined).length
  const named = new Set(found.filter(name => name !== undefined)).size
  return named * 2 > filled ? row.map((cell, index) => found[index] ?? cell?.trim() ?? '') : undefined
}

const fold = (name: string) => name.trim().toLowerCase()

function toRowObject(
  row: readonly Cell[],
  names: readonly string[],
  columns: readonly ListColumn[],
): JsonObject {
  const object = {}
  for (const [index, cell] of row.entries()) {
    const name = names[index] ?? ''
    const node = columns.find(column => column.name === name)?.node
    // Only a text can be empty.
    const isAbsent = cell === '' && node !== undefined && node.kind !== 'string'
    if (cell !== undefined && name !== '' && !isAbsent) setOwnMember(object, name, readValue(cell, node))
  }
  return object
}

/** Returns a text as a value of the node's kind, or the text itself if it cannot be read as that kind. */
function readValue(text: string, node: FormNode | undefined): Json {
  const trimmed = text.trim()
  const word = trimmed.toLowerCase()
  switch (node?.kind) {
    case 'string':
      return text
    case 'enum': {
      const { options } = node
      const option =
        options.find(({ label }) => label === trimmed) ??
        options.find(({ label }) => label.toLowerCase() === word)
      return option ? option.value : text
    }
    case 'const':
      return optionLabel(node.value) === trimmed ? node.value : text
    case 'boolean':
      if (word === 'true' || word === 'false') return word === 'true'
  }
  if (word === 'null' && node && (node.nullable || node.kind === 'null')) return null
  return node?.kind === 'boolean' ? text : (readNumber(trimmed) ?? text)
}

export interface ListColumn extends FormProperty {
  readonly node: FormNode
}

interface ListTable {
  readonly columns: readonly ListColumn[]
  /** Whether a table is the default rather than cards: the columns fit, and rows need no other keys. */
  readonly isUsual: boolean
}

/** With more columns, cards are the default. */
const maxColumns = 8

/**
 * Returns the table for a list of flat objects: each property has a control of one line, and none depends on another.
 * Returns `null` for other items.
 */
export function planListTable(planner: FormPlanner, list: ArrayNode): ListTable | null {
  const item = planner.plan(list.items)
  if (list.prefix.length > 0 || item.kind !== 'object' || item.properties.length === 0) return null
  const { patterns, conditionals, dependentSchemas, dependentRequired, demands, additional } = item
  if ([patterns, conditionals, dependentSchemas, dependentRequired, demands].some(each => each.length > 0))
    return null
  const columns = item.properties.map(property => ({ ...property, node: planner.plan(property.schema) }))
  if (!columns.every(({ node }) => hasOneLine(node))) return null
  const isMap = isObject(additional) && Object.keys(additional).length > 0
  return { columns, isUsual: columns.length <= maxColumns && !isMap }
}

function hasOneLine(node: FormNode): boolean {
  if (node.notices.length > 0) return false
  if (node.kind === 'string') return node.control !== 'long' && node.control !== 'binary'
  return ['number', 'boolean', 'enum', 'const', 'null'].includes(node.kind)
}

/** Returns true if each item is an object and so can be a row. */
export function areRows(items: readonly Json[]): boolean {
  return items.every(isObject)
}

/** Returns true if no item holds an object or a list. */
export function areFlat(items: readonly Json[]): boolean {
  return items.every(item =>
    Object.values<Json>(isObject(item) ? item : {}).every(
      value => jsonType(value) !== 'object' && jsonType(value) !== 'array',
    ),
  )
}

/** Returns the keys of the items without a column, each once, in order of appearance. */
export function otherKeys(columns: readonly { readonly name: string }[], items: readonly Json[]): string[] {
  const keys = new Set(items.flatMap(item => (isObject(item) ? Object.keys(item) : [])))
  for (const { name } of columns) keys.delete(name)
  return [...keys]
}

/** The text of a cell; `undefined` if there is nothing between the delimiters, `''` for two quotes. */
type Cell = string | undefined

/**
 * Parses text copied from a spreadsheet (tabs) and CSV (RFC 4180: commas, or semicolons if the first line has more of
 * them). A quoted cell may contain delimiters, line breaks and doubled quotes. A quote that is never closed, and a
 * closing quote with text after it, are ordinary characters. Rows without text are left out. Never throws.
 */
export function readDelimited(text: string): Cell[][] {
  const source = text.replace(/^\uFEFF/, '')
  const delimiter = detectDelimiter(source)
  const ends = `${delimiter}\\r\\n`
  const cell = new RegExp(`"([^"]*(?:""[^"]*)*)"(?=[${ends}]|$)|([^${ends}]*)`, 'y')
  const rows: Cell[][] = []
  let row: Cell[] = []
  let at = 0
  while (at <= source.length) {
    cell.lastIndex = at
    const [whole = '', quoted, plain] = cell.exec(source) ?? []
    row.push(quoted === undefined ? plain || undefined : quoted.replaceAll('""', '"'))
    at += whole.length
    if (source[at] !== delimiter) {
      rows.push(row)
      row = []
      if (source.startsWith('\r\n', at)) at++
    }
    at++
  }
  return rows.filter(each => each.some(value => value !== undefined))
}

function detectDelimiter(text: string): string {
  const unquoted = text.replace(/"[^"]*"/g, '')
  if (unquoted.includes('\t')) return '\t'
  const [line = ''] = unquoted.trimStart().split(/[\r\n]/, 1)
  return line.split(';').length > line.split(',').length ? ';' : ','
}
