import type { ValidationIssue } from '../../../../core/invocation.ts'
import type { FormNode } from '../../../../core/schema/form-node.ts'
import type { Path } from '../../../../core/schema/pointer.ts'
import type { JsonSchema } from '../../../../core/tool.ts'
import { AnyField } from './any-field.tsx'
import { ArrayField } from './array-field.tsx'
import { JsonNode } from './json-node.tsx'
import type { NodeStatus } from './node-field.tsx'
import { ObjectField } from './object-field.tsx'
import { ScalarField } from './scalar-field.tsx'
import { UnionField } from './union-field.tsx'

export interface NodeControlProps {
  readonly node: FormNode
  readonly schema: JsonSchema
  readonly path: Path
  readonly id: string
  readonly label: string
  readonly required: boolean
  readonly depth: number
  readonly status: NodeStatus
  readonly asJson: boolean
  /** A description stands above the control. */
  readonly described: boolean
  readonly issues: readonly ValidationIssue[]
}

/** The control for what is planned; for a value that does not fit the plan, a control for the value itself. */
export function NodeControl(props: NodeControlProps) {
  const { node, path, depth, status } = props
  if (props.asJson) return <JsonNode {...props} />
  if (status === 'null')
    return (
      <span className="f-in f-null" id={props.id}>
        null
      </span>
    )
  if (status === 'misfit') return <AnyField {...props} />
  switch (node.kind) {
    case 'object':
      return <ObjectField {...props} node={node} path={path} depth={depth} />
    case 'array':
      return <ArrayField {...props} node={node} />
    case 'union':
      return <UnionField {...props} node={node} />
    case 'any':
      return <AnyField {...props} />
    case 'never':
      return <p className="f-hint">The schema allows nothing here.</p>
    default:
      return <ScalarField {...props} />
  }
}
