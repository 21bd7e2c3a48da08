/**
 * Fails on a circle of imports between files, type imports included. Reports circles between folders and how often
 * one feature of the page imports another; `--verbose` names those imports.
 */
import { findCircles, groupGraph, listSources, readImportGraph } from './import-graph.mjs'
import { project } from './project.mjs'

const verbose = process.argv.includes('--verbose')
const graph = readImportGraph(
  project(),
  listSources(project(), ['core', 'server', 'src', 'bench', 'scripts', 'e2e']),
)

const circles = findCircles(graph)
console.log(`${graph.size} files, ${circles.length} circles of imports`)
for (const circle of circles) console.log(`  ${circle.join('\n    ')}`)

const folders = groupGraph(graph, folderOf)
const folderCircles = findCircles(folders)
console.log(`${folders.size} folders, ${folderCircles.length} circles of folders`)
for (const circle of folderCircles) console.log(`  ${circle.join(', ')}`)
if (verbose) for (const circle of folderCircles) printEdges(circle)

const crossings = [...folders].flatMap(([from, edges]) =>
  [...edges].flatMap(([to, imports]) => (isFeature(from) && isFeature(to) ? imports : [])),
)
console.log(`${crossings.length} imports from one feature of the page into another`)
if (verbose) for (const crossing of crossings) console.log(`  ${crossing}`)

process.exit(circles.length > 0 ? 1 : 0)

/** A folder is a room (server/store) or a feature (src/features/diff). Tests may import from anywhere. */
function folderOf(path) {
  if (/\.(test|testkit|test-d)\.|\/testkit\./.test(path)) return undefined
  return path
    .split('/')
    .slice(0, path.startsWith('src/features/') ? 3 : 2)
    .join('/')
}

function isFeature(folder) {
  return folder.startsWith('src/features/')
}

function printEdges(circle) {
  for (const from of circle)
    for (const [to, imports] of folders.get(from)) {
      if (!circle.includes(to)) continue
      console.log(`  ${from} → ${to}`)
      for (const line of imports) console.log(`    ${line}`)
    }
}
