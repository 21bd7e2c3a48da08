import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { parseSync, Visitor } from 'rolldown/utils'

/** Returns the source files below the folders, as paths relative to `root`, sorted by name. */
export function listSources(root, folders) {
  return folders
    .filter(folder => existsSync(join(root, folder)))
    .flatMap(folder =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name =>
        join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter(path => /\.(ts|tsx|mjs|js)$/.test(path) && statSync(join(root, path)).isFile())
    .sort()
}

/**
 * Returns the imports of each file: path → paths, as written (`./x.ts`), of imports and exports with a source,
 * `import()` and types of `import('./x.ts')`. Type imports count. Packages and files outside `paths` are left out.
 */
export function readImportGraph(root, paths) {
  const known = new Set(paths)
  return new Map(
    paths.map(path => {
      const specifiers = readSpecifiers(path, readFileSync(join(root, path), 'utf8'))
      const targets = specifiers
        .filter(specifier => specifier.startsWith('.'))
        .map(specifier => join(dirname(path), specifier.split('?')[0]))
      return [path, new Set(targets.filter(target => known.has(target)))]
    }),
  )
}

function readSpecifiers(path, text) {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`Couldn't parse ${path}: ${errors[0].message}`)
  const specifiers = []
  const add = node => {
    if (node.source?.type === 'Literal' && typeof node.source.value === 'string')
      specifiers.push(node.source.value)
  }
  new Visitor({
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  }).visit(program)
  return specifiers
}

/**
 * Groups a graph of files: `groupOf` returns the name of a file's group, or undefined to leave the file out. Each edge
 * contains the imports that make it.
 */
export function groupGraph(graph, groupOf) {
  const groups = new Map()
  for (const [path, targets] of graph) {
    const from = groupOf(path)
    if (from === undefined) continue
    const edges = groups.get(from) ?? new Map()
    groups.set(from, edges)
    for (const target of targets) {
      const to = groupOf(target)
      if (to === undefined || to === from) continue
      edges.set(to, [...(edges.get(to) ?? []), `${path} → ${target}`])
    }
  }
  return groups
}

/**
 * Returns the circles of a graph: each set of nodes that reach one another (Tarjan's strongly connected components).
 */
export function findCircles(graph) {
  const order = new Map()
  const lowest = new Map()
  const stack = []
  const circles = []
  const visit = node => {
    order.set(node, order.size)
    lowest.set(node, order.get(node))
    stack.push(node)
    for (const next of neighbours(graph, node)) {
      if (!order.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) !== order.get(node)) return
    const component = stack.splice(stack.indexOf(node))
    if (component.length > 1 || neighbours(graph, node).includes(node)) circles.push(component.sort())
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return circles.sort((a, b) => a[0].localeCompare(b[0]))
}

function neighbours(graph, node) {
  const edges = graph.get(node)
  return edges === undefined ? [] : [...edges.keys()]
}
