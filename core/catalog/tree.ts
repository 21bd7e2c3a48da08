import type { Steps } from '../slices.ts'
import { nameSegments, type SurfaceKind, type Tool } from '../tool/tool.ts'

/** Deeper names stay whole from here on: a hostile name of a million words must not make a million groups. */
const maxDepth = 12

/** The heading of what is no tool: it comes after the tools of its source. */
const surfaceHeadings: Readonly<Record<SurfaceKind, string>> = {
  prompt: 'Prompts',
  resource: 'Resources',
  template: 'Resource templates',
}

/**
 * A heading of the tree: a source (`segment` is its name, `depth` is -1), a group of nested names, or all prompts,
 * resources or templates of a source.
 */
export interface Branch {
  readonly kind: 'source' | 'group' | 'surface'
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
  /** Each tool of the catalog at its place. */
  readonly leaves: readonly Leaf[]
}

/** Arranges the tools: sources in the order given, under each the groups and tools in the order of first mention. */
export function* treeInSteps(tools: readonly Tool[], sources: readonly string[]): Steps<Tree> {
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
  const rootOf = new Map(roots.map(root => [root.source, root]))
  const leaves: Leaf[] = []
  const place = (tool: Tool, index: number): Branch => {
    const hang = (parent: Branch, label: string, depth: number) => {
      const leaf: Leaf = { kind: 'tool', index, label, depth }
      leaves.push(leaf)
      parent.children.push(leaf)
      return parent
    }
    const segments = nameSegments(tool.name)
    const groups = segments.slice(0, Math.min(segments.length - 1, maxDepth))
    let parent = rootOf.get(tool.source) ?? branch('source', tool.source, [])
    if (tool.kind !== undefined) {
      parent = branch('surface', tool.source, [surfaceHeadings[tool.kind]], parent)
      return hang(parent, tool.name, 1)
    }
    for (const depth of groups.keys())
      parent = branch('group', tool.source, groups.slice(0, depth + 1), parent)
    return hang(parent, segments.slice(groups.length).join(' '), groups.length)
  }
  const parents: Branch[] = []
  for (const [index, tool] of tools.entries()) {
    parents.push(place(tool, index))
    yield
  }
  return { roots, branches, parents, leaves }
}
