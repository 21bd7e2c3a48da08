/** Reads a pasted text as items for a list of values, or as rows for a list of objects. */
import type { FormNode } from '../../../../core/form/form-node.ts'
import {
  mergeRows,
  type Placed,
  pastedIntoCell,
  pastedItems,
  pastedRows,
} from '../../../../core/form/pasted.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { type Path, pointerSegments } from '../../../../core/json/pointer.ts'
import type { TableLayout } from './table-field.tsx'

type Items = readonly Json[]

export interface ListPasting {
  readonly buttonText: string
  readonly placeholder: string
  /** Returns the items in the text and a summary; no items if the text cannot be read. */
  readonly read: (text: string) => { readonly items: Items; readonly summary: string }
  /** Returns the list with items added at its end; an empty last item is filled first. */
  readonly add: (items: Items, added: Items) => Placed[]
  /** Returns the list after a paste into one of its empty controls; `null` if only that control takes the text. */
  readonly paste: (items: Items, text: string, control: Element) => Placed[] | null
}

export function valuePasting(item: FormNode): ListPasting {
  const read = (text: string) => {
    const items = pastedItems(text, item)
    return { items, summary: count(items, 'item') }
  }
  const add = (items: Items, added: Items) => {
    const filled = items.at(-1) === '' ? items.slice(0, -1) : items
    return [...filled.keys(), ...added.map(each => ({ added: each }))]
  }
  return {
    buttonText: 'Paste items',
    placeholder: 'one item per line, or a JSON array',
    read,
    add,
    paste: (items, text) => {
      const pasted = read(text).items
      return pasted.length < 2 ? null : add(items, pasted)
    },
  }
}

/** @param path the list's path */
export function rowPasting({ columns, isTableUsed }: TableLayout, path: Path): ListPasting {
  return {
    buttonText: 'Paste rows',
    placeholder: `cells of a spreadsheet or CSV (${columns.map(({ name }) => name).join(', ')}), or a JSON array`,
    read: text => {
      const pasted = pastedRows(text, columns)
      if (!pasted.ok) return { items: [], summary: pasted.message }
      const { rows, keys } = pasted
      return { items: rows, summary: `${count(rows, 'row')}: ${keys.join(', ')}` }
    },
    add: (items, added) => {
      const last = items.at(-1)
      const isEmpty = isObject(last) && Object.keys(last).length === 0
      return mergeRows(items, items.length - (isEmpty ? 1 : 0), added)
    },
    paste: (items, text, control) => {
      const pointer = control.closest<HTMLElement>('td [data-path]')?.dataset.path
      if (!isTableUsed || pointer === undefined) return null
      const [index, key] = pointerSegments(pointer).slice(path.length)
      const from = columns.findIndex(({ name }) => name === key)
      const rows = from < 0 ? null : pastedIntoCell(text, columns, from)
      return rows && mergeRows(items, Number(index), rows)
    },
  }
}

const count = (items: Items, word: string) => `${items.length} ${word}${items.length === 1 ? '' : 's'}`
