import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

const legal = /^[a-zA-Z0-9_.-]{1,64}$/

/** Only the root's own properties are held to it, as people who met the limit found. */
export const anthropicPropertyName: ToolRule = {
  scope: 'tool',
  id: 'anthropic-property-name',
  title: 'Top-level properties are named with 1 to 64 letters, digits and _ . -',
  severity: 'error',
  sources: { anthropic: documents.anthropicProperty },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(
        ({ parent, keyword, name }) =>
          parent !== undefined &&
          parent.parent === undefined &&
          keyword === 'properties' &&
          !legal.test(name ?? ''),
      ),
      node => ({
        path: pointerOf(node),
        message: `the property name ${quoted(node.name ?? '')} does not match ^[a-zA-Z0-9_.-]{1,64}$`,
        remedy: 'Rename the property, and map it back in the tool.',
      }),
    ),
}
