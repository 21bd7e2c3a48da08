import type { FormNode } from '../../../../core/form/form-node.ts'
import type { Json } from '../../../../core/json/json.ts'

/** What a widget gets: RJSF's widget contract, with the planned node in place of the raw schema. */
export interface ControlProps<Node extends FormNode = FormNode> {
  readonly id: string
  /** The field's name, for widgets that name their own parts. */
  readonly label: string
  /** Id of the element that names the field: groups of radio buttons are labelled by it. */
  readonly labelId: string
  readonly node: Node
  /** `undefined`: absent. */
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly placeholder: string
  /** Ids of description and errors, space separated. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
  readonly required: boolean
  /** An item of a list or an entry of a map: it is removed by its own button, not by emptying it. */
  readonly inPlace: boolean
}

export type KindProps<Kind extends FormNode['kind']> = ControlProps<Extract<FormNode, { kind: Kind }>>

/** The attributes that every control carries. */
export function ariaOf({ id, labelId, describedBy, invalid, required }: ControlProps) {
  return {
    id,
    'aria-labelledby': labelId,
    'aria-describedby': describedBy,
    'aria-invalid': invalid || undefined,
    'aria-required': required || undefined,
  }
}
