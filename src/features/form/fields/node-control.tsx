import type { FormNode } from '../../../../core/form/form-node.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { fromRegistry, useFormScope } from '../form-scope.ts'
import { JsonNode } from './json-node.tsx'
import type { NodeControlProps } from './node-control-props.ts'

/**
 * The control for what is planned; for a value that does not fit the plan, a control for the value itself.
 * Fields come from RJSF's registry, which also lets them hold one another.
 */
export function NodeControl(props: NodeControlProps) {
  const { registry } = useFormScope()
  const { node, status } = props
  if (props.asJson) return <JsonNode {...props} />
  if (status === 'null')
    return (
      <span className={join(styles.input, styles.nullValue)} id={props.id}>
        null
      </span>
    )
  if (node.kind === 'never' && status === 'absent')
    return <p className="note">The schema allows nothing here.</p>
  const name = status === 'misfit' ? 'AnyField' : fieldNames[node.kind]
  const Field = fromRegistry<NodeControlProps>(registry.fields[name])
  return <Field {...props} />
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
