import { isFields } from '../../json/fields.ts'
import type { Fault } from '../finding.ts'
import type { ToolView } from '../rule.ts'
import { pointerOf, type SchemaNode } from '../schema-nodes.ts'

/** One fault for each keyword that `isKnown` denies: at its first place, with the number of places. */
export function keywordFaults(
  { nodes }: Pick<ToolView, 'nodes'>,
  isKnown: (keyword: string, node: SchemaNode) => boolean,
  say: (keyword: string) => Pick<Fault, 'message' | 'remedy'>,
): readonly Fault[] {
  const places = new Map<string, { first: SchemaNode; count: number }>()
  for (const node of nodes) {
    if (!isFields(node.schema)) continue
    for (const keyword in node.schema) {
      if (!Object.hasOwn(node.schema, keyword) || isKnown(keyword, node)) continue
      const place = places.get(keyword)
      if (place) place.count += 1
      // A schema may be made of a thousand keywords of its own invention.
      else if (places.size < 50) places.set(keyword, { first: node, count: 1 })
    }
  }
  return [...places].map(([keyword, { first, count }]) => {
    const { message, remedy } = say(keyword.length > 60 ? `${keyword.slice(0, 59)}…` : keyword)
    const where = count === 1 ? '' : ` (${count} places)`
    return { path: `${pointerOf(first)}/${keyword.slice(0, 60)}`, message: `${message}${where}`, remedy }
  })
}
