/** The places below one level of a schema, and what there is to say about the level itself. */

import type { FormNode } from '../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../core/form/form-schema.ts'
import { typeLabel } from '../../../core/json-schema/describe.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { texts } from './texts.ts'

export interface SchemaPart {
  readonly name: string
  /** False where `name` is our own word (`each item`), not the schema's. */
  readonly isName: boolean
  readonly required: boolean
  readonly schema: JsonSchema
}

const part = (name: string, schema: JsonSchema, isName = false, required = false): SchemaPart => ({
  name,
  isName,
  required,
  schema,
})

export function partsOf(planner: FormPlanner, node: FormNode): SchemaPart[] {
  switch (node.kind) {
    case 'object':
      return [
        ...node.properties.map(property => part(property.name, property.schema, true, property.required)),
        ...node.patterns.map(({ pattern, schema }) => part(texts.keysLike(pattern), schema)),
        ...(typeof node.additional === 'object' ? [part(texts.otherKeys, node.additional)] : []),
        ...node.conditionals.flatMap(conditional => [
          part('if', conditional.if),
          ...(conditional.then === true ? [] : [part('then', conditional.then)]),
          ...(conditional.else === true ? [] : [part('else', conditional.else)]),
        ]),
        ...node.dependentSchemas.map(([key, schema]) => part(texts.withKey(key), schema)),
      ]
    case 'array': {
      const items = planner.plan(node.items)
      const each =
        ['object', 'array', 'union', 'enum'].includes(items.kind) || items.schema.description !== undefined
      return [
        ...node.prefix.map((schema, index) => part(texts.itemAt(index + 1), schema)),
        ...(each ? [part(node.prefix.length > 0 ? texts.furtherItems : texts.eachItem, node.items)] : []),
      ]
    }
    case 'union':
      return node.branches.map(branch => part(branch.label, branch.schema))
    default:
      return []
  }
}

export function labelOf(node: FormNode, schema: JsonSchema): string {
  if (node.kind === 'union') return texts.oneOfCount(node.branches.length, node.nullable)
  return typeLabel(Object.keys(node.schema).length > 0 ? node.schema : schema)
}

/** Default, choices and examples of a level, as JSON. */
export function factsOf(node: FormNode): [string, string][] {
  const facts: [string, string][] = []
  if (node.kind === 'enum')
    facts.push([texts.oneOf, node.options.map(option => JSON.stringify(option.value)).join(', ')])
  const { default: preset, examples } = node.schema
  if (preset !== undefined) facts.push(['default', JSON.stringify(preset)])
  if (Array.isArray(examples) && examples.length > 0)
    facts.push(['example', examples.map(example => JSON.stringify(example)).join(', ')])
  return facts.map(([name, text]) => [name, text.length > 600 ? `${text.slice(0, 600)}…` : text])
}
