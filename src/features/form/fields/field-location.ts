/** The context of one field: what it, its frame and its widget know in addition to RJSF's props. */
import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import { createContext, type ReactNode, use } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import type { FieldAction } from './buttons.tsx'
import type { NodeStatus } from './node-status.ts'

export interface FieldLocation {
  readonly node: FormNode
  /** The schema as its author wrote it; RJSF's `schema` prop is flattened. */
  readonly schema: JsonSchema
  readonly path: Path
  readonly id: string
  /** Id of the element that names the field. */
  readonly labelId: string
  /** The field's name, for controls that name their own parts. */
  readonly label: string
  readonly required: boolean
  /** Number of objects and lists above the field. */
  readonly depth: number
  /** Keys whose value the chosen branch already determines. */
  readonly settled?: readonly (readonly [string, Json])[]
  readonly status: NodeStatus
  /** The text for an absent value: `default: high`. */
  readonly preset: string | undefined
  /** Whether the field is edited as JSON text. */
  readonly asJson: boolean
  readonly onJson: (asJson: boolean) => void
  /** Absent if the field cannot be folded. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void }
  /** An item of a list or an entry of a map: emptying it does not remove it. */
  readonly isItem: boolean
  /** The value can be read but not edited. */
  readonly readonly: boolean
  /** Ids of the elements that describe the control, separated by spaces. */
  readonly describedBy: string | undefined
  readonly holder: Holder
  readonly issues: readonly ValidationIssue[]
}

/** Props that a field gets from its parent, in addition to RJSF's. */
export interface Holder {
  /** Number of objects and lists above the field. */
  readonly depth?: number
  /** The field shares its line with another one. */
  readonly half?: boolean
  readonly isItem?: boolean
  /** The control comes before its row: Tab moves from a key to its value. */
  readonly inLine?: boolean
  /** The schema does not name this key. */
  readonly unknown?: boolean
  /** The field starts folded. */
  readonly folded?: boolean
  /** Menu entries of the parent: remove, move … */
  readonly holderMenu?: (() => readonly FieldAction[]) | undefined
  /** Set in a table cell: the column shows name, type and description for all its cells. */
  readonly column?: { readonly describedBy: string | undefined }
  /** Buttons of a list item, in place of the Clear button. */
  readonly holderActions?: ReactNode
}

export const FieldLocationContext = createContext<FieldLocation | null>(null)

/** Returns the context of the enclosing SchemaField. */
export function useFieldLocation(): FieldLocation {
  const location = use(FieldLocationContext)
  if (!location) throw new Error('Only a SchemaField can hold this')
  return location
}

/** Used for a field without a uiSchema. */
export const noUi: UiSchema = {}

/** Returns the uiSchema of a part; that of the item at `index` if each position has its own. */
export function pickUiSchema(uiSchema: UiSchema | undefined, key: string, index = 0): UiSchema {
  const member: unknown = uiSchema && Object.hasOwn(uiSchema, key) ? uiSchema[key] : undefined
  const part: unknown = Array.isArray(member) ? member[index] : member
  return isObject(part) ? part : noUi
}

const anySchema: RJSFSchema = {}
const noSchema: RJSFSchema = { not: {} }

/** Returns a schema for RJSF's props, which do not allow `true` and `false`. */
export function asRjsf(schema: JsonSchema): RJSFSchema {
  if (isObject(schema)) return schema as RJSFSchema
  return schema ? anySchema : noSchema
}
