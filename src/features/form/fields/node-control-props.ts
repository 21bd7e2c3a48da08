import type { ValidationIssue } from '../../../../core/call/invocation.ts'
import type { FormNode } from '../../../../core/form/form-node.ts'
import type { Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import type { NodeStatus } from './node-status.ts'

/** What the control of one place gets. */
export interface NodeControlProps<Node extends FormNode = FormNode> {
  readonly node: Node
  readonly schema: JsonSchema
  readonly path: Path
  readonly id: string
  /** Id of the element that names this place. */
  readonly labelId: string
  /** The field's name, for controls that name their own parts. */
  readonly label: string
  readonly required: boolean
  readonly depth: number
  /** Keys whose only value is told by the chosen branch already. */
  readonly settled?: readonly (readonly [string, Json])[]
  readonly status: NodeStatus
  readonly asJson: boolean
  /** An item of a list or an entry of a map: emptied is not left out. */
  readonly inPlace: boolean
  /** A description stands above the control. */
  readonly described: boolean
  readonly issues: readonly ValidationIssue[]
}
