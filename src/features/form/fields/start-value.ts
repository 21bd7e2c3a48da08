import type { FormNode } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import type { Json } from '../../../../core/json/json.ts'

/** Unions can refer to each other in a circle. */
const maxUnionDepth = 20

/** Returns the initial value of a new item: in a list, a value cannot be absent. */
export function startValue(node: FormNode, planner: FormPlanner, depth = 0): Json {
  switch (node.kind) {
    case 'object':
      return {}
    case 'array':
      return []
    case 'boolean':
      return false
    case 'number':
      return Number(node.schema.minimum ?? 0)
    case 'const':
      return node.value
    case 'enum':
      return node.options[0]?.value ?? null
    case 'union': {
      const [first] = node.branches
      return first && depth < maxUnionDepth ? startValue(planner.plan(first.schema), planner, depth + 1) : ''
    }
    case 'null':
    case 'never':
      return null
    default:
      return ''
  }
}
