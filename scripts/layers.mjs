/**
 * The layers of core, server and src, from the tables of docs/architecture.md. The first column of a table names rooms
 * in backticks (`store/`, or a file). A room may import rooms of its own row and of the rows above.
 */

/** Returns the row of each room: `server/store` → its row, from 0. */
export function readLayers(text) {
  const layers = new Map()
  for (const [, top, section] of text.matchAll(/^## (core|server|src)\n([\s\S]*?)(?=^## )/gm)) {
    const rows = section.split('\n').filter(line => /^\| +`/.test(line))
    for (const [row, line] of rows.entries())
      for (const [, room] of line.split('|')[1].matchAll(/`([^`]+?)\/?`/g)) layers.set(`${top}/${room}`, row)
  }
  return layers
}

/**
 * Returns the room of a file (`server/store`, `server/main.ts`); undefined for tests, which may import from anywhere.
 */
export function toRoom(path) {
  if (/\.(test|testkit|test-d)\.|\/testkit\.|\/testing\/|\/fixtures\/|\.fixture/.test(path)) return undefined
  return path.split('/').slice(0, 2).join('/')
}

/** Returns a folder that must not be in a circle: a room, or a feature of the page. */
export function toAcyclicFolder(path) {
  const room = toRoom(path)
  return room === 'src/features' ? path.split('/').slice(0, 3).join('/') : room
}

/**
 * Returns the faults of an import graph, one line each: an import that points down, a room that no table names, and an
 * import between features that is not in `crossings` (`src/features/a → src/features/b`).
 *
 * @param rooms from room to room, with the imports that make each edge (`groupGraph`)
 * @param folders the same by folder
 */
export function findFaults({ layers, rooms, folders, crossings }) {
  const faults = []
  for (const [from, edges] of rooms) {
    const [top] = from.split('/')
    if (!['core', 'server', 'src'].includes(top)) continue
    if (!layers.has(from)) faults.push(`docs/architecture.md has no row for ${from}`)
    for (const [to, imports] of edges)
      if (to.split('/')[0] === top && layers.get(to) > layers.get(from))
        faults.push(...imports.map(line => `points down: ${line}`))
  }
  const isFeature = folder => folder.startsWith('src/features/')
  for (const [from, edges] of folders)
    for (const [to, imports] of edges)
      if (isFeature(from) && isFeature(to) && !crossings.has(`${from} → ${to}`))
        faults.push(...imports.map(line => `one feature imports another: ${line}`))
  return faults
}
