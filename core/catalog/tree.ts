import { nameSegments, type Tool } from '../tool/tool.ts'

/** Deeper names stay whole from here on: a hostile name of a million words must not make a million groups. */
const maxDepth = 12

/** A heading of the tree: a source (`segment` is its name, `depth` is -1) or a group of nested names. */
export interface Branch {
  readonly kind: 'source' | 'group'
  /** Position in `Tree.branches`. */
  readonly number: number
  readonly id: string
  readonly source: string
  readonly segment: string
  readonly depth: number
  readonly parent: Branch | undefined
  readonly children: (Branch | Leaf)[]
}

/** A tool at its place in the tree. */
export interface Leaf {
  readonly kind: 'tool'
  /** Position in the catalog. */
  readonly index: number
  readonly label: string
  readonly depth: number
}

export interface Tree {
  /** Sources in their order. */
  readonly roots: readonly Branch[]
  readonly branches: readonly Branch[]
  /** For each tool of the catalog, the branch it hangs on. */
  readonly parents: readonly Branch[]
}

/** Arranges the tools: sources in the order given, under each the groups and tools in the order of first mention. */
export function buildTree(tools: readonly Tool[], sources: readonly string[]): Tree {
  const branches: Branch[] = []
  const byId = new Map<string, Branch>()
  const branch = (kind: Branch['kind'], source: string, path: readonly string[], parent?: Branch): Branch => {
    const id = `${kind}:${JSON.stringify([source, ...path])}`
    const known = byId.get(id)
    if (known !== undefined) return known
    const made: Branch = {
      kind,
      number: branches.length,
      id,
      source,
      segment: path.at(-1) ?? source,
      depth: path.length - 1,
      parent,
      children: [],
    }
    branches.push(made)
    byId.set(id, made)
    parent?.children.push(made)
    return made
  }
  const roots = [...new Set(sources)].map(source => branch('source', source, []))
  const parents = tools.map((tool, index) => {
    const segments = nameSegments(tool.name)
    const groups = segments.slice(0, Math.min(segments.length - 1, maxDepth))
    let parent = branch('source', tool.source, [])
    for (const depth of groups.keys())
      parent = branch('group', tool.source, groups.slice(0, depth + 1), parent)
    const label = segments.slice(groups.length).join(' ')
    parent.children.push({ kind: 'tool', index, label, depth: groups.length })
    return parent
  })
  return { roots, branches, parents }
}
