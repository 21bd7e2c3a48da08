/** Makes names that every model's API accepts, unique among all tools of a prompt. */
import type { Tool } from '../tool/tool.ts'

/** Below OpenAI's limit, so that a suffix can make a name unique. */
const maxNameCharacters = 60
const illegal = /[^a-zA-Z0-9_-]+/g

/**
 * Returns one name for each tool, in order, matching ^[a-zA-Z0-9_-]{1,64}$. A tool keeps its name if it is legal and
 * unique; names that several sources share get the source as prefix; names that are still equal are numbered. `taken`
 * holds names that are already in use. Linear in the number of tools.
 */
export function legalNames(tools: readonly Tool[], taken: readonly string[] = []): readonly string[] {
  const plain = tools.map(tool => legalName(tool.name))
  const count = new Map<string, number>()
  for (const name of plain) count.set(name, (count.get(name) ?? 0) + 1)
  const several = new Set(tools.map(tool => tool.source)).size > 1
  const wanted = tools.map((tool, index) => {
    const name = plain[index] ?? ''
    return several && (count.get(name) ?? 0) > 1 ? legalName(`${tool.source}_${name}`) : name
  })
  const sources = tools.map(({ source }) => source)
  return numbered(wanted, { reserved: taken, sources, own: plain, most: maxNameCharacters + 3 })
}

/** Returns a name of legal characters, which several tools may share: at most 60. */
export function legalName(name: string): string {
  // Only the beginning of a name of megabytes matters.
  const start = name.slice(0, 4 * maxNameCharacters)
  return start.replace(illegal, '_').slice(0, maxNameCharacters) || 'tool'
}

/**
 * Renames the second occurrence to `name_2`, or a higher number if that is taken. The first one of each source gets its name
 * before the others, and a made name is never the own name of a tool: a source that adds tools must not get a name by which
 * clients call another source.
 *
 * @param sources the source of each name
 * @param own the tools' own names, if some were made
 * @param most the maximum length before a number
 */
export function numbered(
  wanted: readonly string[],
  {
    sources,
    own = [],
    reserved = [],
    most = Number.POSITIVE_INFINITY,
  }: {
    readonly sources: readonly string[]
    readonly own?: readonly string[]
    readonly reserved?: readonly string[]
    readonly most?: number
  },
): readonly string[] {
  const spelt = new Set([...wanted, ...reserved, ...own])
  const taken = new Set(reserved)
  const next = new Map<string, number>()
  const take = (name: string, isFree: boolean): string => {
    if (isFree && !taken.has(name)) {
      taken.add(name)
      return name
    }
    for (let count = next.get(name) ?? 2; ; count++) {
      const other = `${name.slice(0, most - String(count).length)}_${count}`
      if (taken.has(other) || spelt.has(other)) continue
      next.set(name, count + 1)
      taken.add(other)
      return other
    }
  }
  const names: string[] = []
  /** The index of the first name of each source that is equal. */
  const firsts = new Map<string, number>()
  const ranks = wanted.map((name, index) => {
    const key = JSON.stringify([sources[index], name])
    const first = firsts.get(key) ?? index
    firsts.set(key, first)
    return { first, rank: first < index ? 2 : own.length > 0 && own[index] !== name ? 1 : 0 }
  })
  const owned = new Set(own)
  for (const rank of [0, 1, 2])
    for (const [index, name] of wanted.entries()) {
      const found = ranks[index]
      if (found?.rank !== rank) continue
      names[index] =
        rank === 2 ? take(names[found.first] ?? name, false) : take(name, rank === 0 || !owned.has(name))
    }
  return names
}
