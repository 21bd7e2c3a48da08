/**
 * `npm run bench -- diff [--data DIR] [--json]`: how fast manifests are compared, and what is found.
 * DIR holds a folder a server with a manifest a version (`DIR/server/1.0.0.json`); neighbours are compared.
 * Two made-up manifests of 5,000 tools that differ in 1% are always compared. For DIR every two versions are also compared in
 * both directions, and each place at which Ajv alone finds a break must be named by the report (oracle.ts).
 */
import { parseArgs } from 'node:util'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { makeManifests, measure, measureRenames, neighbours, readHistories } from './measure.ts'
import { askOracle } from './oracle.ts'
import renameLabels from './renames.json' with { type: 'json' }

/** Milliseconds that are promised, on a core of one's own. */
const maxPairMs = 2_000
const maxLargeMs = 1_000
const [minPrecision, minRecall] = [0.95, 0.9]

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
await loadCompat()
const large = makeManifests(5_000, 50)
const rows = [
  ...(values.data === undefined ? [] : await measure(await neighbours(values.data))),
  ...(await measure([{ name: '5,000 tools, 50 changed', ...large }])),
]
const slow = rows.filter((row, at) => row.processorMs > (at === rows.length - 1 ? maxLargeMs : maxPairMs))
const bare = rows.filter(row => row.withoutWitness > 0)
const undecided = values.data === undefined ? 0 : rows.reduce((sum, row) => sum + row.undecided, 0)
const renames = values.data === undefined ? undefined : await measureRenames(values.data, renameLabels)
const oracle = values.data === undefined ? undefined : await compareWithOracle(values.data)
if (values.json)
  console.log(
    JSON.stringify(
      { rows, slow: slow.length, withoutWitness: bare.length, undecided, renames, oracle },
      null,
      2,
    ),
  )
else {
  console.table(rows)
  if (renames) console.log('renames', renames)
  if (oracle)
    console.log(`Ajv alone finds ${oracle.breaks} breaks; the report misses ${oracle.missed.length}`)
}
for (const row of slow) console.error(`too slow: ${row.name} took ${row.processorMs} ms of the processor`)
for (const row of bare) console.error(`breaking without a witness: ${row.name}`)
if (undecided > 0) console.error(`undecided changes: ${undecided}`)
const isGuessing = renames && (renames.precision < minPrecision || renames.recall < minRecall)
if (isGuessing) console.error(`renames are guessed badly: ${renames.wrong.join('; ')}`)
for (const miss of oracle?.missed ?? []) console.error(`not named: ${miss}`)
const faults = slow.length + bare.length + undecided + (oracle?.missed.length ?? 0)
process.exitCode = faults > 0 || isGuessing ? 1 : 0

async function compareWithOracle(folder: string): Promise<{ breaks: number; missed: string[] }> {
  const missed: string[] = []
  let breaks = 0
  for (const { server, versions } of await readHistories(folder))
    for (const before of versions)
      for (const after of versions) {
        if (before === after) continue
        const { changes } = await diffManifests(before.side, after.side)
        const result = askOracle(before.side, after.side, changes)
        breaks += result.breaks
        for (const { tool, direction, path, value } of result.misses)
          missed.push(
            `${server} ${before.name} → ${after.name} ${tool} ${direction} ${path} ${JSON.stringify(value)}`,
          )
      }
  return { breaks, missed }
}
