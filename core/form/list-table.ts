/** Decides which lists can be drawn as a table: one column for each property, one row for each item. */

import { isObject, type Json, jsonType } from '../json/json.ts'
import type { ArrayNode, FormNode, FormProperty } from './form-node.ts'
import type { FormPlanner } from './form-schema.ts'

export interface ListColumn extends FormProperty {
  readonly node: FormNode
}

export interface ListTable {
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
