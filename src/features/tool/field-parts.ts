/** What lies one level below a part of a schema: the fields of an object, the items of a list, the variants of a union. */

import type { FormNode } from '../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../core/form/form-schema.ts'
import { nodeOf } from '../../../core/prompt/tool-fields.ts'
import { plainLine, visibleName } from '../../../core/text/plain-text.ts'
import { shorten } from '../../../core/text/wording.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { texts } from './texts.ts'

export interface FieldPart {
  readonly name: string
  /** False where `name` is our own word (`each item`), not the schema's. */
  readonly isName: boolean
  readonly required: boolean
  readonly schema: JsonSchema
}

const maxNameCharacters = 200

function part(name: string, schema: JsonSchema, isName = false, required = false): FieldPart {
  return { name: shorten(visibleName(name), maxNameCharacters), isName, required, schema }
}

/** The parts in the author's order. Looks one level deep; never throws. */
export function partsOf(planner: FormPlanner, node: FormNode): FieldPart[] {
  switch (node.kind) {
    case 'object':
      return [
        ...node.properties.map(property => part(property.name, property.schema, true, property.required)),
        ...node.patterns.map(({ pattern, schema }) => part(`keys like ${pattern}`, schema)),
        ...(typeof node.additional === 'object' ? [part('other keys', node.additional)] : []),
        ...node.conditionals.flatMap(conditional => [
          part('if', conditional.if),
          ...(conditional.then === true ? [] : [part('then', conditional.then)]),
          ...(conditional.else === true ? [] : [part('else', conditional.else)]),
        ]),
        ...node.dependentSchemas.map(([key, schema]) => part(`with ${key}`, schema)),
      ]
    case 'array':
      return [
        ...node.prefix.map((schema, index) => part(`item ${index + 1}`, schema)),
        ...itemParts(planner, node.items, node.prefix.length > 0 ? 'further items' : texts.eachItem),
      ]
    case 'union':
      return node.branches.map(branch => part(`variant: ${plainLine(branch.label)}`, branch.schema))
    default:
      return []
  }
}

/** The fields of plain objects follow at once: a row between would only repeat "object" of `array of object`. */
function itemParts(planner: FormPlanner, schema: JsonSchema, name: string): FieldPart[] {
  const items = nodeOf(planner, schema)
  const isDescribed = items.schema.description !== undefined
  if (items.kind === 'object' && !isDescribed && name === texts.eachItem) return partsOf(planner, items)
  const isMoreThanItsType = ['object', 'array', 'union', 'enum'].includes(items.kind) || isDescribed
  return isMoreThanItsType ? [part(name, schema)] : []
}
