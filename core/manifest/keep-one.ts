/** One copy in memory of what is equal: of a tool that was read before, and of parts that many tools share. */
import { isSameJson } from '../json/equality.ts'
import { isObject, type UnknownObject } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'

/** Values under one key that a new one is compared with: the last that differed. */
const maxValues = 4
const maxKeys = 10_000

/**
 * A function that returns the tool as `before` holds it where it is the same to the letter. In any other, it replaces
 * parts of the schemas by the same parts of the tools that it was given earlier: it changes the tool.
 *
 * @param before the list as it was read last
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
      // To assign to this key sets the prototype, and no member.
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
