/** Names that every model's API takes, unique over all the tools sent together. */
import type { Tool } from '../tool/tool.ts'

/** OpenAI's limit; room is left for what makes a name unique. */
const maxNameCharacters = 60
const illegal = /[^a-zA-Z0-9_-]+/g

/**
 * One name a tool, in order, each matching ^[a-zA-Z0-9_-]{1,64}$. The tool's own name stays where it is legal and
 * nobody else wants it; of several sources' like names each gets its source before it; what is still the same is
 * numbered. `taken` holds names that are in use already. Linear in the number of tools.
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
  return numbered(wanted, taken, maxNameCharacters + 3)
}

function legalName(name: string): string {
  // A name of megabytes is looked at as far as it can matter.
  const start = name.slice(0, 4 * maxNameCharacters)
  return start.replace(illegal, '_').slice(0, maxNameCharacters) || 'tool'
}

/** The second of a name becomes `name_2`, a name that is spelt so makes it count on. `most` characters before the mark. */
export function numbered(
  wanted: readonly string[],
  reserved: readonly string[] = [],
  most = Number.POSITIVE_INFINITY,
): readonly string[] {
  const spelt = new Set([...wanted, ...reserved])
  const taken = new Set(reserved)
  const next = new Map<string, number>()
  return wanted.map(name => {
    if (!taken.has(name)) {
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
  })
}
