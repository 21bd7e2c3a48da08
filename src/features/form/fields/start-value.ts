import type { FormNode } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import type { Json } from '../../../../core/json/json.ts'

/** Unions may lead round in a circle. */
const maxUnionDepth = 20

/** What a new item is until it is filled. A list has no place for “absent”. */
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
