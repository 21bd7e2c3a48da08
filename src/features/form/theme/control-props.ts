import type { FormNode } from '../../../../core/form/form-node.ts'
import type { Json } from '../../../../core/json/json.ts'
import type { NodeControlProps } from '../fields/node-control-props.ts'

/** What a widget gets: RJSF's widget contract, with the planned node in place of the raw schema. */
export interface ControlProps<Node extends FormNode = FormNode>
  extends Pick<NodeControlProps<Node>, 'id' | 'label' | 'labelId' | 'node' | 'required' | 'inPlace'> {
  /** `undefined`: absent. */
  readonly value: Json | undefined
  readonly onChange: (value: Json | undefined) => void
  readonly placeholder: string
  /** Ids of description and errors, space separated. */
  readonly describedBy: string | undefined
  readonly invalid: boolean
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

/** The attributes of a control that edits text. Emptied means absent. */
export function textAttributes(props: ControlProps) {
  const { value, onChange, placeholder } = props
  return {
    ...ariaOf(props),
    autoComplete: 'off',
    spellCheck: false,
    value: typeof value === 'string' ? value : '',
    placeholder,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value === '' ? undefined : target.value),
  }
}
