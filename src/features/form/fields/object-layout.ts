/** Which fields of an object stand open, and which two share a line. */
import type { FormProperty } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'

/** Optional fields that stand open without being asked for. */
const maxOpenAtTop = 8
const maxOpenBelow = 4

/** Required fields, those with a value, those the user opened, and the first few optional ones. */
export function shownAtOnce(
  properties: readonly FormProperty[],
  planner: FormPlanner,
  isPresent: (name: string) => boolean,
  opened: ReadonlySet<string>,
  depth: number,
): FormProperty[] {
  const sure = new Set(
    properties.filter(({ name, required }) => required || opened.has(name) || isPresent(name)),
  )
  const limit = depth === 0 ? maxOpenAtTop : maxOpenBelow
  let taken = properties.filter(property => property.required).length
  return properties.filter(property => {
    if (sure.has(property)) return true
    const { kind } = planner.plan(property.schema)
    if (kind === 'object' || kind === 'never' || taken >= limit) return false
    taken++
    return true
  })
}

/** Small fields that follow one another share a line in twos. */
export function pairUp(shown: readonly FormProperty[], planner: FormPlanner): ReadonlySet<string> {
  const halves = new Set<string>()
  let waiting: string | undefined
  for (const { name, schema } of shown) {
    const small = isSmallField(planner, schema)
    if (small && waiting !== undefined) {
      halves.add(waiting).add(name)
      waiting = undefined
    } else waiting = small ? name : undefined
  }
  return halves
}

function isSmallField(planner: FormPlanner, schema: FormProperty['schema']): boolean {
  const node = planner.plan(schema)
  if (typeof node.schema.description === 'string' && node.schema.description.length > 60) return false
  if (node.kind === 'number' || node.kind === 'boolean' || node.kind === 'const') return true
  if (node.kind === 'enum') return node.options.every(option => option.label.length < 20)
  return node.kind === 'string' && ['date', 'time', 'date-time', 'color', 'email'].includes(node.control)
}
