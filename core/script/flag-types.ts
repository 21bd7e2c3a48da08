/** Reads from its schema which kinds of value a flag can have. */
import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import { jsonType } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

export type FlagType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const all: ReadonlySet<FlagType> = new Set(['null', 'boolean', 'number', 'string', 'array', 'object'])

/** Maximum nesting of unions: deeper ones may be anything. */
const maxDepth = 12

/** Returns the kinds of value that this schema allows; all six if it does not say. Never throws. */
export function flagTypes(planner: FormPlanner, schema: JsonSchema): ReadonlySet<FlagType> {
  return typesOfNode(planner, planner.plan(schema), 0)
}

/** Returns whether the schema does not restrict the kind: the value is then read as text. */
export function isOpen(types: ReadonlySet<FlagType>): boolean {
  return types.size === all.size
}

/** Whether a word is a member of an object, as in `--labels a=1 b=2`. */
export const isMember = (word: string | undefined) => /^[^-\s=][^\s=]*=/.test(word ?? '')

/** Whether a word is a bare number, as in `--scores 1 2 9`. */
export const isNumberWord = (word: string | undefined) =>
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(word ?? '')

function typesOfNode(planner: FormPlanner, node: FormNode, depth: number): ReadonlySet<FlagType> {
  const types = new Set<FlagType>(node.nullable ? ['null'] : [])
  const add = (more: Iterable<FlagType>) => {
    for (const type of more) types.add(type)
  }
  switch (node.kind) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'array':
    case 'object':
      types.add(node.kind)
      break
    case 'const':
      types.add(jsonType(node.value))
      break
    case 'enum':
      add(node.options.map(({ value }): FlagType => jsonType(value)))
      break
    case 'union':
      if (depth >= maxDepth) return all
      for (const { schema } of node.branches) add(typesOfNode(planner, planner.plan(schema), depth + 1))
      break
    default:
      return all
  }
  return types
}

/** Returns the first object or list of a union, or the node itself: its parts define how to read text. */
export function nodeOfKind<Kind extends 'object' | 'array'>(
  planner: FormPlanner,
  schema: JsonSchema,
  kind: Kind,
): Extract<FormNode, { kind: Kind }> | undefined {
  const waiting: JsonSchema[] = [schema]
  for (let looked = 0; looked < 100; looked++) {
    const next = waiting.shift()
    if (next === undefined) return undefined
    const node = planner.plan(next)
    if (node.kind === kind) return node as Extract<FormNode, { kind: Kind }>
    if (node.kind === 'union') waiting.push(...node.branches.map(branch => branch.schema))
  }
  return undefined
}
