/**
 * Fails on a circular import between files or folders (type imports included), on an import that the tables of
 * docs/architecture.md forbid, and on an import between features of the page that is not listed here.
 */
import { readFileSync } from 'node:fs'
import { findCircles, groupGraph, listSources, readImportGraph } from './import-graph.mjs'
import { findFaults, readLayers, toAcyclicFolder, toRoom } from './layers.mjs'
import { project } from './project.mjs'

/** Allowed imports between features, each with its reason. */
const crossings = new Map([
  ['src/features/tool → src/features/form', 'the open tool holds the draft of its form, and shows it'],
  ['src/features/result → src/features/form', 'a question of a server is answered by a form'],
  ['src/features/wire → src/features/result', 'a message is drawn by the viewers of results'],
  ['src/features/pins → src/features/diff', 'the review of an approval draws changes as the report does'],
  ['src/features/examples → src/features/tool', 'an example is opened in the form of its tool'],
])

const graph = readImportGraph(
  project(),
  listSources(project(), ['core', 'server', 'src', 'bench', 'scripts', 'e2e']),
)
const folders = groupGraph(graph, toAcyclicFolder)
const rooms = groupGraph(graph, toRoom)
const layers = readLayers(readFileSync(project('docs/architecture.md'), 'utf8'))

const faults = [
  ...findCircles(graph).map(circle => `a circle of imports: ${circle.join(', ')}`),
  ...findCircles(folders).map(circle => `a circle of folders: ${circle.join(', ')}`),
  ...findFaults({ layers, rooms, folders, crossings }),
]
console.log(`${graph.size} files, ${folders.size} folders, ${faults.length} faults of imports`)
for (const fault of faults) console.log(`  ${fault}`)
process.exit(faults.length > 0 ? 1 : 0)
