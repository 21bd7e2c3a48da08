/** The small label at a field's right: `string · ^b-[0-9]+$`, `integer · 1–50`, `one of 2`, `map of string`. */
import type { FormNode } from '../../../core/schema/form-node.ts'
import type { FormPlanner } from '../../../core/schema/form-schema.ts'
import type { SchemaObject } from '../../../core/schema/resolve-ref.ts'

const longestPattern = 32

export function nodeLabel(node: FormNode, planner: FormPlanner): string {
  const parts = [kindLabel(node, planner), ...limits(node.schema, node.kind)]
  if (node.nullable) parts.push('or null')
  return parts.filter(part => part !== '').join(' · ')
}

function kindLabel(node: FormNode, planner: FormPlanner): string {
  switch (node.kind) {
    case 'string':
      return typeof node.schema.format === 'string' ? node.schema.format : 'string'
    case 'number':
      return node.integer ? 'integer' : 'number'
    case 'enum':
      return `enum · ${node.options.length}`
    case 'const':
      return 'fixed'
    case 'union':
      return `one of ${node.branches.length}`
    case 'array':
      return node.prefix.length > 0 ? `tuple of ${node.prefix.length}` : `list of ${plainLabel(planner.plan(node.items))}`
    case 'object':
      if (node.properties.length > 0) return 'object'
      if (node.additional === true && node.patterns.length === 0) return 'map'
      return `map of ${plainLabel(planner.plan(node.patterns[0]?.schema ?? node.additional))}`
    case 'any':
      return 'any JSON'
    case 'never':
      return 'not allowed'
    default:
      return node.kind
  }
}

function plainLabel(node: FormNode): string {
  if (node.kind === 'number') return node.integer ? 'integer' : 'number'
  return node.kind === 'union' ? `one of ${node.branches.length}` : node.kind
}

function limits(schema: SchemaObject, kind: FormNode['kind']): string[] {
  const labels: string[] = []
  const add = (low: unknown, high: unknown, unit: string) => {
    const text = range(low, high)
    if (text !== '') labels.push(unit === '' ? text : `${text} ${unit}`)
  }
  if (kind === 'number') {
    add(lowest(schema), highest(schema), '')
    if (typeof schema.multipleOf === 'number' && schema.multipleOf !== 1) labels.push(`step ${schema.multipleOf}`)
  }
  if (kind === 'string') {
    if (typeof schema.pattern === 'string' && schema.pattern.length <= longestPattern) labels.push(schema.pattern)
    else if (typeof schema.pattern === 'string') labels.push('pattern')
    add(schema.minLength || undefined, schema.maxLength, 'characters')
  }
  if (kind === 'array') {
    add(schema.minItems || undefined, schema.maxItems, 'items')
    if (schema.uniqueItems === true) labels.push('no repeats')
  }
  return labels
}

/** zod writes the limits of exact integers into every integer: they tell nobody anything. */
function isNoise(limit: unknown): boolean {
  return typeof limit === 'number' && Math.abs(limit) >= Number.MAX_SAFE_INTEGER
}

function lowest(schema: SchemaObject): unknown {
  if (typeof schema.exclusiveMinimum === 'number') return `>${schema.exclusiveMinimum}`
  return isNoise(schema.minimum) ? undefined : schema.minimum
}

function highest(schema: SchemaObject): unknown {
  if (typeof schema.exclusiveMaximum === 'number') return `<${schema.exclusiveMaximum}`
  return isNoise(schema.maximum) ? undefined : schema.maximum
}

function range(low: unknown, high: unknown): string {
  const from = low === undefined ? '' : String(low)
  const to = high === undefined ? '' : String(high)
  if (from !== '' && to !== '') return /^[<>]/.test(from + to) || to.startsWith('<') ? `${from} ${to}` : `${from}–${to}`
  if (from !== '') return from.startsWith('>') ? from : `≥ ${from}`
  return to === '' || to.startsWith('<') ? to : `≤ ${to}`
}
