/** Shares equal objects in memory: tools that were read before, and schema parts that many tools have in common. */
import { isSameJson } from '../json/equality.ts'
import { isObject, type UnknownObject } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'

/** How many different values of one key are compared with a new one. */
const maxValues = 4
const maxKeys = 10_000

/**
 * Returns a function that gives the tool in `before` if it is exactly the same. Otherwise the function modifies the
 * given tool: it replaces parts of its schemas by equal parts of earlier tools.
 *
 * @param before the last list that was read
 */
export function keepOneCopy(
  before: readonly ManifestTool[],
): (tool: ManifestTool, at: number) => ManifestTool {
  const byKey = new Map<string, object[]>()
  let byName: Map<string, ManifestTool> | undefined
  const share = (value: object, key: string): object => {
    shareMembers(value)
    let known = byKey.get(key)
    if (known === undefined) {
      if (byKey.size >= maxKeys) return value
      known = []
      byKey.set(key, known)
    }
    const same = known.find(each => isSameJson(each, value))
    if (same !== undefined) return same
    if (known.length >= maxValues) known.pop()
    known.unshift(value)
    return value
  }
  const shareMembers = (value: object) => {
    const members = value as UnknownObject
    for (const key of Object.keys(value)) {
      const member = members[key]
      // An assignment to this key sets the prototype instead of a member.
      if (typeof member !== 'object' || member === null || key === '__proto__') continue
      const shared = share(member, Array.isArray(value) ? '' : key)
      if (shared !== member) (value as Record<string, unknown>)[key] = shared
    }
  }
  return (tool, at) => {
    const here = before[at]
    if (here !== undefined && isSameJson(here, tool)) return here
    if (before.length > 0) {
      byName ??= new Map(before.map(each => [each.name, each]))
      const known = byName.get(tool.name)
      if (known !== undefined && isSameJson(known, tool)) return known
    }
    for (const schema of [tool.inputSchema, tool.outputSchema]) if (isObject(schema)) shareMembers(schema)
    return tool
  }
}
