/** Decides whether a list is drawn as a table, and with which columns. */
import { descriptionId, type FieldProps, getUiOptions, type UiSchema } from '@rjsf/utils'
import { useMemo, useRef, useState } from 'react'
import type { ArrayNode } from '../../../../core/form/form-node.ts'
import { extraSchema } from '../../../../core/form/object-fields.ts'
import { areFlat, areRows, type ListColumn, otherKeys, planListTable } from '../../../../core/form/pasted.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { type Path, toPointer } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { useDraftSelector, useFormScope } from '../form-scope.ts'
import { type FieldLocation, pickUiSchema } from './field-location.ts'
import { readNonBlankText } from './node-status.ts'
import { inOrder } from './object-field.tsx'

export interface TableColumn extends ListColumn {
  readonly title: string
  readonly description?: string
  /** Set if only values have this key: `unknown` to the schema, or `added` if the schema allows other keys. */
  readonly other?: 'unknown' | 'added'
  /** Props of each cell in the column. */
  readonly cell: { readonly describedBy: string | undefined }
}

export interface TableLayout {
  readonly columns: readonly TableColumn[]
  readonly isTableUsed: boolean
  /** Switches between table and cards; absent if the items cannot be rows. */
  readonly onSwitch?: () => void
}

/** The user's choice for each list, by schema and pointer. It outlives the form, which the JSON tab removes. */
const choices = new WeakMap<object, Map<string, boolean>>()

/** Returns undefined if the schema does not allow a table. */
export function useListTable(
  field: FieldProps,
  { path, id }: Pick<FieldLocation, 'path' | 'id'>,
  list: ArrayNode,
): TableLayout | undefined {
  const { planner } = useFormScope()
  const pointer = toPointer(path)
  const chosen = getOrCreateChoices(planner.root)
  const [isChosen, setChosen] = useState(() => chosen.get(pointer))
  const table = useMemo(() => planListTable(planner, list), [planner, list])
  const others = useOtherKeys(path, table?.columns)
  const uiSchema = pickUiSchema(field.uiSchema, 'items')
  const columns = useMemo(() => {
    const item = planner.plan(list.items)
    if (!table || item.kind !== 'object') return undefined
    const added = (JSON.parse(others ?? '[]') as readonly string[]).map(name => {
      const { schema, known } = extraSchema(item, name)
      return { name, schema, required: false, node: planner.plan(schema), other: addedOr(known) }
    })
    return [...inOrder(table.columns, uiSchema), ...added]
      .filter(column => getUiOptions(pickUiSchema(uiSchema, column.name)).widget !== 'hidden')
      .map((column, index) => asTableColumn(column, uiSchema, `${id}-column${index}`))
  }, [table, others, planner, list, uiSchema, id])
  if (!table || !columns) return undefined
  if (others === undefined) return { columns, isTableUsed: false }
  const isTableUsed = isChosen ?? table.isUsual
  const onSwitch = () => {
    chosen.set(pointer, !isTableUsed)
    setChosen(!isTableUsed)
  }
  return { columns, isTableUsed, onSwitch }
}

function getOrCreateChoices(schema: JsonSchema): Map<string, boolean> {
  const known = isObject(schema) ? choices.get(schema) : undefined
  const chosen = known ?? new Map<string, boolean>()
  if (isObject(schema)) choices.set(schema, chosen)
  return chosen
}

const addedOr = (known: boolean) => (known ? 'added' : 'unknown') as 'added' | 'unknown'

function asTableColumn(column: ListColumn, uiSchema: UiSchema, id: string): TableColumn {
  const options = getUiOptions(pickUiSchema(uiSchema, column.name))
  const description =
    readNonBlankText(options.description) ?? readNonBlankText(column.node.schema.description)
  return {
    ...column,
    title: readNonBlankText(options.title) ?? column.name,
    ...(description !== undefined && { description }),
    cell: { describedBy: description === undefined ? undefined : descriptionId(id) },
  }
}

/**
 * Returns the item keys without a column, as JSON; undefined if the items cannot be rows. Items with objects or lists
 * are drawn as cards, unless the user entered those in the table: an edit must not turn it into cards.
 */
function useOtherKeys(path: Path, columns: readonly ListColumn[] | undefined): string | undefined {
  const seen = useRef<{ readonly value: Json | undefined; readonly answer: string | undefined }>(undefined)
  const decided = useRef<{ readonly epoch: number; readonly length: number; readonly isFlat: boolean }>(
    undefined,
  )
  return useDraftSelector(draft => {
    if (!columns) return undefined
    const value = draft.get(path)
    if (seen.current && seen.current.value === value) return seen.current.answer
    const items: readonly Json[] = Array.isArray(value) ? value : []
    const { epoch } = draft
    if (decided.current?.epoch !== epoch || decided.current.length !== items.length)
      decided.current = { epoch, length: items.length, isFlat: areFlat(items) }
    const isTable = decided.current.isFlat && areRows(items)
    const answer = isTable ? JSON.stringify(otherKeys(columns, items)) : undefined
    seen.current = { value, answer }
    return answer
  })
}
