import type { FormNode } from '../../../core/form/form-node.ts'
import { typeLabel } from '../../../core/json-schema/describe.ts'

/** The small label at a field's right, for the level as it is drawn: references followed, `allOf` merged. */
export function nodeLabel(node: FormNode): string {
  const label = ownLabel(node)
  return node.nullable && !label.endsWith('or null') ? `${label} or null` : label
}

function ownLabel(node: FormNode): string {
  switch (node.kind) {
    case 'union':
      return `one of ${node.branches.length}`
    case 'enum':
      return `enum · ${node.options.length}`
    case 'array':
      return node.prefix.length > 0 ? `tuple of ${node.prefix.length}` : typeLabel(node.schema)
    case 'never':
      return 'not allowed'
    default:
      return typeLabel(node.schema)
  }
}
