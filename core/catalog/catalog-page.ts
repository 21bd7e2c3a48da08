/** Pages of the catalog: rows of the tree, and the flat list. */
import type { z } from 'zod'
import { AppError } from '../errors.ts'
import type { Slices } from '../slices.ts'
import { nameSegments, type SurfaceKind, type Tool } from '../tool/tool.ts'
import {
  type CatalogRow,
  type RowPage,
  type rowsQuery,
  summarizeTool,
  type ToolPage,
  type toolsQuery,
} from './rows.ts'
import { Recent, type SearchIndex, type SearchMatches } from './search-index.ts'
import { highlight } from './words.ts'

/** The lines of the tree for one query and one set of collapsed rows; rows are made when a page asks for them. */
interface DrawnRows {
  readonly lines: readonly (TreeBranch | Leaf)[]
  /** Matching tools under each branch, by its number. */
  readonly matched: readonly number[]
  readonly totals: readonly number[]
  readonly collapsed: ReadonlySet<string>
}

/** The whole catalog as a tree. */
interface CatalogTree {
  readonly tree: RowTree
  readonly totals: readonly number[]
  readonly drawn: Recent<DrawnRows>
}

/** The tree of an index, cached for the lifetime of the index. */
const trees = new WeakMap<SearchIndex, CatalogTree>()

/**
 * Returns a slice of the catalog tree in drawn order. With a text or a filter, only matches are shown, still as a tree,
 * branches with the best matches first. Rows in `collapsed` are closed in both cases. Sources without tools are shown
 * only without a search. The first page of an index prepares the data of the whole catalog.
 *
 * @param countWarnings returns the number of a tool's portability warnings; asked only for the rows of the slice
 */
export function* cutRowPage(
  index: SearchIndex,
  query: z.infer<typeof rowsQuery>,
  countWarnings: (tool: Tool) => number,
): Slices<RowPage> {
  const catalogTree = yield* prepareTree(index)
  const matches = index.search(query.q, { sources: query.source, filters: query.filter })
  const { order } = matches
  const key = JSON.stringify([query.q, query.source, query.filter, [...query.collapsed].sort()])
  const drawn = catalogTree.drawn.get(key, () => draw(catalogTree, order, query))
  const lines = drawn.lines.slice(query.offset, query.offset + query.limit)
  const isSearched = (line: TreeBranch | Leaf) =>
    line.kind === 'tool' && index.tools[line.index]?.ref === query.find
  const foundAt = query.find === undefined ? -1 : drawn.lines.findIndex(isSearched)
  const rows: CatalogRow[] = []
  for (const line of lines) {
    const tool = line.kind === 'tool' ? index.tools[line.index] : undefined
    if (line.kind !== 'tool') rows.push(buildBranchRow(drawn, line))
    else if (tool !== undefined) rows.push(buildToolRow(tool, line, matches, countWarnings(tool)))
    yield
  }
  return {
    rows,
    offset: query.offset,
    rowCount: drawn.lines.length,
    matched: order.length,
    total: index.tools.length,
    ...(matches.complete === 0 && order.length > 0 && { partial: true as const }),
    ...(foundAt >= 0 && { foundAt }),
  }
}

function* prepareTree(index: SearchIndex): Slices<CatalogTree> {
  const known = trees.get(index)
  if (known !== undefined) return known
  const tree = yield* treeInSteps(index.tools, index.sources)
  const totals = countUnder(tree, index.tools.keys())
  yield
  const catalogTree = trees.get(index) ?? { tree, totals, drawn: new Recent<DrawnRows>(8) }
  trees.set(index, catalogTree)
  return catalogTree
}

function countUnder(tree: RowTree, tools: Iterable<number>): number[] {
  const counts = tree.branches.map(() => 0)
  for (const tool of tools)
    for (let branch = tree.parents[tool]; branch !== undefined; branch = branch.parent)
      counts[branch.number] = (counts[branch.number] ?? 0) + 1
  return counts
}

function draw(
  catalogTree: CatalogTree,
  order: readonly number[],
  query: z.infer<typeof rowsQuery>,
): DrawnRows {
  const { tree, totals } = catalogTree
  const matched = countUnder(tree, order)
  const collapsed = new Set(query.collapsed)
  const isSearched = query.q.trim() !== ''
  const wanted = new Set(query.source)
  const { roots, childrenOf } =
    isSearched || query.filter.length > 0 ? keepMatches(tree, order) : wholeTree(tree)
  const lines: (TreeBranch | Leaf)[] = []
  // Groups are nested at most a dozen levels deep (treeInSteps), so recursion is safe.
  const visit = (line: TreeBranch | Leaf) => {
    lines.push(line)
    if (line.kind !== 'tool' && !collapsed.has(line.id)) childrenOf(line).forEach(visit)
  }
  roots.filter(root => wanted.size === 0 || wanted.has(root.source)).forEach(visit)
  return { lines, matched, totals, collapsed }
}

interface Children {
  readonly roots: readonly TreeBranch[]
  childrenOf(branch: TreeBranch): readonly (TreeBranch | Leaf)[]
}

const wholeTree = (tree: RowTree): Children => ({ roots: tree.roots, childrenOf: branch => branch.children })

/** Returns the branches with matches, sorted by their best match: the first tool is the best of all. */
function keepMatches(tree: RowTree, order: readonly number[]): Children {
  const childrenByBranch = new Map<TreeBranch, (TreeBranch | Leaf)[]>()
  const roots: TreeBranch[] = []
  const keep = (branch: TreeBranch): (TreeBranch | Leaf)[] => {
    const known = childrenByBranch.get(branch)
    if (known !== undefined) return known
    const children: (TreeBranch | Leaf)[] = []
    childrenByBranch.set(branch, children)
    if (branch.parent === undefined) roots.push(branch)
    else keep(branch.parent).push(branch)
    return children
  }
  for (const at of order) {
    const [parent, leaf] = [tree.parents[at], tree.leaves[at]]
    if (parent !== undefined && leaf !== undefined) keep(parent).push(leaf)
  }
  return { roots, childrenOf: branch => childrenByBranch.get(branch) ?? [] }
}

function buildToolRow(
  tool: Tool,
  { depth, label }: Leaf,
  matches: SearchMatches,
  warnings: number,
): CatalogRow {
  const summary = summarizeTool(tool)
  return {
    kind: 'tool',
    id: `tool:${tool.ref}`,
    depth,
    tool: summary,
    label,
    labelMatches: highlight(label, matches.partOf),
    summaryMatches: highlight(summary.summary ?? '', matches.partOf),
    ...(warnings > 0 && { warnings }),
  }
}

function buildBranchRow(drawn: DrawnRows, line: TreeBranch): CatalogRow {
  const { kind, id, source, segment: label, depth } = line
  const collapsed = drawn.collapsed.has(id)
  const matched = drawn.matched[line.number] ?? 0
  return kind === 'source'
    ? { kind, id, source, collapsed, matched, total: drawn.totals[line.number] ?? 0 }
    : { kind, id, source, label, depth, collapsed, matched }
}

/**
 * Returns one page of the flat list, best match first (catalog order if the query is empty). Throws AppError
 * `request-invalid` for a cursor that no page returned.
 */
export function cutToolPage(index: SearchIndex, query: z.infer<typeof toolsQuery>): ToolPage {
  const { order } = index.search(query.q, { sources: query.source, filters: query.filter })
  const start = query.cursor === undefined ? 0 : parseCursor(query.cursor)
  const end = start + query.limit
  const tools = order.slice(start, end).flatMap(at => index.tools[at] ?? [])
  return {
    tools: tools.map(summarizeTool),
    matched: order.length,
    total: index.tools.length,
    ...(end < order.length && { nextCursor: `after-${end.toString(36)}` }),
  }
}

function parseCursor(cursor: string): number {
  const [, digits] = /^after-([0-9a-z]{1,7})$/u.exec(cursor) ?? []
  if (digits === undefined)
    throw new AppError(
      'request-invalid',
      `cursor ${JSON.stringify(cursor.slice(0, 100))} is not a nextCursor`,
    )
  return Number.parseInt(digits, 36)
}

/** Names are not split below this depth: a hostile name of a million words must not make a million groups. */
const maxDepth = 12

/** Prompts, resources, templates and skills come after the tools of their source. */
const surfaceHeadings: Readonly<Record<SurfaceKind, string>> = {
  prompt: 'Prompts',
  resource: 'Resources',
  template: 'Resource templates',
  skill: 'Skills',
}

/**
 * A heading of the tree: a source (`segment` is its name, `depth` is -1), a group of nested names, or all prompts,
 * resources, templates or skills of a source.
 */
interface TreeBranch {
  readonly kind: 'source' | 'group' | 'surface'
  /** Position in `Tree.branches`. */
  readonly number: number
  readonly id: string
  readonly source: string
  readonly segment: string
  readonly depth: number
  readonly parent: TreeBranch | undefined
  readonly children: (TreeBranch | Leaf)[]
}

interface Leaf {
  readonly kind: 'tool'
  /** Position in the catalog. */
  readonly index: number
  readonly label: string
  readonly depth: number
}

interface RowTree {
  /** Sources in their order. */
  readonly roots: readonly TreeBranch[]
  readonly branches: readonly TreeBranch[]
  /** The parent branch of each tool in the catalog. */
  readonly parents: readonly TreeBranch[]
  /** The leaf of each tool in the catalog. */
  readonly leaves: readonly Leaf[]
}

/** Builds the tree: sources in the given order, with their groups and tools in the order of first mention. */
function* treeInSteps(tools: readonly Tool[], sources: readonly string[]): Slices<RowTree> {
  const branches: TreeBranch[] = []
  const byId = new Map<string, TreeBranch>()
  const branch = (
    kind: TreeBranch['kind'],
    source: string,
    path: readonly string[],
    parent?: TreeBranch,
  ): TreeBranch => {
    const id = `${kind}:${JSON.stringify([source, ...path])}`
    const known = byId.get(id)
    if (known !== undefined) return known
    const made: TreeBranch = {
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
  const rootBySource = new Map(roots.map(root => [root.source, root]))
  const leaves: Leaf[] = []
  const addTool = (tool: Tool, index: number): TreeBranch => {
    const hang = (parent: TreeBranch, label: string, depth: number) => {
      const leaf: Leaf = { kind: 'tool', index, label, depth }
      leaves.push(leaf)
      parent.children.push(leaf)
      return parent
    }
    const segments = nameSegments(tool.name)
    const groups = segments.slice(0, Math.min(segments.length - 1, maxDepth))
    let parent = rootBySource.get(tool.source) ?? branch('source', tool.source, [])
    if (tool.kind !== undefined) {
      parent = branch('surface', tool.source, [surfaceHeadings[tool.kind]], parent)
      return hang(parent, tool.name, 1)
    }
    for (const depth of groups.keys())
      parent = branch('group', tool.source, groups.slice(0, depth + 1), parent)
    return hang(parent, segments.slice(groups.length).join(' '), groups.length)
  }
  const parents: TreeBranch[] = []
  for (const [index, tool] of tools.entries()) {
    parents.push(addTool(tool, index))
    yield
  }
  return { roots, branches, parents, leaves }
}
