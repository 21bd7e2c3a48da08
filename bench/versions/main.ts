/**
 * Versions at length: `npm run bench:versions [versions] [tools]`. Each version changes three tools and each tenth
 * adds one and drops one. Prints the size on disk and the time of what the page asks for.
 */

import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import { hashManifest } from '../../server/snapshots/hash-manifest.ts'
import { openStore } from '../../server/store/open-store.ts'
import { storedSnapshots } from '../../server/store/snapshots.ts'
import { quantile } from '../measured.ts'

const [versions = 10_000, toolCount = 500] = process.argv.slice(2).map(Number)
const directory = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const store = await openStore({ environment: { TOOLSCOPE_DATA_DIR: directory }, say: console.error })
const snapshots = storedSnapshots(store)

let serial = 0
const tool = (name: string): ManifestTool => {
  serial += 1
  return {
    name,
    description: `Does the work of ${name} in its version ${serial}, and says how it went.`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        ['id', 'label', 'count', 'mode'].map((field, at) => [
          field,
          {
            type: at === 2 ? 'integer' : 'string',
            description: `The ${field} of ${name}`,
            maxLength: serial,
          },
        ]),
      ),
      required: ['id'],
    },
    outputSchema: { type: 'object', properties: { ok: { type: 'boolean' }, serial: { const: serial } } },
  }
}

const tools = Array.from({ length: toolCount }, (_, at) => tool(`group ${at % 20} tool ${at}`))
const adding: number[] = []
const started = performance.now()
for (let version = 0; version < versions; version++) {
  for (let change = 0; change < 3; change++) {
    const at = (version * 7 + change * 31) % toolCount
    tools[at] = tool(tools[at]?.name ?? '')
  }
  if (version % 10 === 9) tools.splice(version % toolCount, 1, tool(`new ${version}`))
  const manifest: Manifest = { tools, problems: [], format: 'bench' }
  const hashed = await hashManifest(manifest)
  const before = performance.now()
  await snapshots.add({
    source: 'bench',
    manifest: hashed,
    time: new Date(version * 60_000).toISOString(),
    cause: 'refreshed',
  })
  adding.push(performance.now() - before)
}
console.log(`${versions} versions of ${toolCount} tools in ${seconds(performance.now() - started)}`)
console.log(`adding one: ${quantiles(adding)}`)

const timed = async (count: number, work: (at: number) => Promise<unknown>) => {
  const times: number[] = []
  for (let at = 0; at < count; at++) {
    const before = performance.now()
    await work(at)
    times.push(performance.now() - before)
  }
  return quantiles(times)
}
console.log(`the list: ${await timed(10, () => snapshots.list('bench'))}`)
console.log(
  `one version whole: ${await timed(50, at => snapshots.manifestOf({ source: 'bench', number: 1 + Math.floor((at * versions) / 50) }))}`,
)
console.log(
  `a tool's timeline: ${await timed(50, at => snapshots.touches('bench', `group ${at % 20} tool ${at}`))}`,
)
await store.close()
const bytes = statSync(join(directory, 'toolscope.db')).size
console.log(
  `the file: ${(bytes / 1_000_000).toFixed(1)} MB, ${(bytes / versions / 1000).toFixed(1)} kB a version`,
)
rmSync(directory, { recursive: true })

function quantiles(times: readonly number[]): string {
  const at = (share: number) => `${quantile(times, share).toFixed(1)} ms`
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, most ${at(1)}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
