import type { FieldProps } from '@rjsf/utils'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import { asRjsf, useFieldLocation } from './field-location.ts'
import { JsonNode } from './json-node.tsx'

/**
 * The control for the planned node, or for the value's own kind if the value does not fit the plan. Fields come from
 * RJSF's registry, which also allows them to nest.
 */
export function NodeControl(props: FieldProps) {
  const { node, path, id, label, required, readonly, status, asJson, fold, issues } = useFieldLocation()
  if (fold?.isOpen === false) return null
  if (asJson) return <JsonNode />
  if (status === 'null')
    return (
      <span className={join(styles.input, styles.nullValue)} id={id}>
        {texts.null}
      </span>
    )
  if (node.kind === 'never' && status === 'absent')
    return <p className="note">The schema does not accept any value here.</p>
  const name = status === 'misfit' ? 'AnyField' : fieldNames[node.kind]
  const Field = props.registry.fields[name]
  if (!Field) throw new Error(`The theme has no ${name}`)
  return (
    <Field
      {...props}
      schema={asRjsf(node.schema)}
      fieldPathId={{ $id: id, path: [...path] }}
      name={label}
      required={required}
      readonly={readonly}
      rawErrors={issues.map(issue => issue.message)}
    />
  )
}

const fieldNames: Readonly<Record<FormNode['kind'], string>> = {
  object: 'ObjectField',
  array: 'ArrayField',
  union: 'UnionField',
  any: 'AnyField',
  never: 'AnyField',
  string: 'ScalarField',
  number: 'ScalarField',
  boolean: 'ScalarField',
  null: 'ScalarField',
  const: 'ScalarField',
  enum: 'ScalarField',
}
