/** One place of the draft as it is drawn: what a field, its frame and its widget know beyond RJSF's props. */
import type { RJSFSchema, UiSchema } from '@rjsf/utils'
import { createContext, type ReactNode, use } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import type { FieldAction } from './field-menu.tsx'
import type { NodeStatus } from './node-status.ts'

export interface Place {
  readonly node: FormNode
  /** As its author wrote it; RJSF's `schema` is the level as it was flattened. */
  readonly schema: JsonSchema
  readonly path: Path
  readonly id: string
  /** Id of the element that names this place. */
  readonly labelId: string
  /** The field's name, for controls that name their own parts. */
  readonly label: string
  readonly required: boolean
  /** Levels of objects and lists above this one. */
  readonly depth: number
  /** Keys whose only value is told by the chosen branch already. */
  readonly settled?: readonly (readonly [string, Json])[]
  readonly status: NodeStatus
  /** What stands for the place while nothing is set: `default: high`. */
  readonly preset: string | undefined
  /** Edited as JSON text. */
  readonly asJson: boolean
  readonly onJson: (asJson: boolean) => void
  /** Absent where the place cannot be folded. */
  readonly fold?: { readonly isOpen: boolean; readonly onToggle: () => void }
  /** An item of a list or an entry of a map: emptied is not left out. */
  readonly inPlace: boolean
  /** May be read, not edited. */
  readonly readonly: boolean
  /** Ids of what explains the control, space separated. */
  readonly describedBy: string | undefined
  readonly holder: Holder
  readonly issues: readonly ValidationIssue[]
}

/** What the holder of a place says of it beside RJSF's props, which have room for more. */
export interface Holder {
  /** Levels of objects and lists above. */
  readonly depth?: number
  /** Shares its line with another field. */
  readonly half?: boolean
  readonly inPlace?: boolean
  /** The control comes first, what belongs to it at its right: Tab goes on from a key to its value. */
  readonly inLine?: boolean
  /** The schema does not know this key. */
  readonly unknown?: boolean
  /** Starts folded, to be opened on demand. */
  readonly folded?: boolean
  /** What the holder offers for this place besides: remove, move … */
  readonly holderMenu?: (() => readonly FieldAction[]) | undefined
  /** A cell of a table, whose column says name, type and description once for all. */
  readonly column?: { readonly describedBy: string | undefined }
  /** An item of a list: these buttons stand in place of “leave out”. */
  readonly holderActions?: ReactNode
}

export const PlaceContext = createContext<Place | null>(null)

/** The place whose field, frame or widget this is. */
export function usePlace(): Place {
  const place = use(PlaceContext)
  if (!place) throw new Error('Only a SchemaField can hold this')
  return place
}

/** Where the user's uiSchema says nothing. */
export const noUi: UiSchema = {}

/** The uiSchema of a part; of the item at `index` where there is one for each position. */
export function uiOf(uiSchema: UiSchema | undefined, key: string, index = 0): UiSchema {
  const member: unknown = uiSchema && Object.hasOwn(uiSchema, key) ? uiSchema[key] : undefined
  const part: unknown = Array.isArray(member) ? member[index] : member
  return isObject(part) ? part : noUi
}

const anySchema: RJSFSchema = {}
const noSchema: RJSFSchema = { not: {} }

/** A schema as RJSF's props have it, which know no `true` and no `false`. */
export function asRjsf(schema: JsonSchema): RJSFSchema {
  if (isObject(schema)) return schema as RJSFSchema
  return schema ? anySchema : noSchema
}
