/**
 * `npm run bench -- diff [--data DIR] [--json]`: how fast manifests are compared, and what is found. DIR contains a
 * folder for each server with a manifest for each version (`DIR/server/1.0.0.json`); neighbours are compared. Two
 * generated manifests of 5,000 tools that differ in 1% are always compared. For DIR every two versions are also
 * compared in both directions, and the report must name each location where Ajv finds a break (oracle.ts).
 */

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { matchTools } from '../../core/diff/match-tools.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { measured } from '../measured.ts'
import { askOracle } from './oracle.ts'
import renameLabels from './renames.json' with { type: 'json' }

export interface Pair {
  readonly name: string
  readonly before: DiffSide
  readonly after: DiffSide
}

export interface Row {
  readonly name: string
  readonly milliseconds: number
  /** Processor time: the elapsed time on an idle core. */
  readonly processorMs: number
  readonly breaking: number
  readonly dangerous: number
  readonly warning: number
  readonly info: number
  readonly proved: number
  readonly undecided: number
  /** Breaking because of a schema, but without a value that shows it: must be 0. */
  readonly withoutWitness: number
}

export async function measure(pairs: readonly Pair[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, before, after } of pairs) {
    const { value, wall, cpu } = await measured(() => diffManifests(before, after))
    const { changes, counts, proved, undecided } = value
    const [milliseconds, processorMs] = [Math.round(wall), Math.round(cpu)]
    const withoutWitness = changes.filter(
      ({ severity, strict, witness }) => severity === 'breaking' && strict !== undefined && !witness,
    ).length
    rows.push({ name, milliseconds, processorMs, ...counts, proved, undecided, withoutWitness })
  }
  return rows
}

/**
 * Returns how many of the guessed renames are right, and how many of the real ones are guessed. Labels: for
 * `server before after`, each removed tool with its new name, or null if it has none.
 */
export async function measureRenames(
  folder: string,
  labels: Readonly<Record<string, Readonly<Record<string, string | null>>>>,
): Promise<{ labelled: number; precision: number; recall: number; wrong: string[] }> {
  const wrong: string[] = []
  let [labelled, real, guessed, right] = [0, 0, 0, 0]
  for (const [step, expected] of Object.entries(labels)) {
    const [server = '', before = '', after = ''] = step.split(' ')
    const read = async (version: string) =>
      parseManifestText(await readFile(join(folder, server, `${version}.json`), 'utf8')).tools
    const { renames } = matchTools(await read(before), await read(after))
    const found = new Map(renames.flatMap(({ pairs }) => pairs.map(([a, b]) => [a.name, b.name] as const)))
    for (const [name, newName] of Object.entries(expected)) {
      const guess = found.get(name) ?? null
      labelled += 1
      real += newName === null ? 0 : 1
      guessed += guess === null ? 0 : 1
      right += guess !== null && guess === newName ? 1 : 0
      if (guess !== newName) wrong.push(`${step}: ${name} → ${guess}, not ${newName}`)
    }
  }
  return { labelled, precision: right / guessed, recall: right / real, wrong }
}

/** Returns the versions of each server, oldest first. */
export async function readHistories(
  folder: string,
): Promise<{ server: string; versions: { name: string; side: DiffSide }[] }[]> {
  const servers = (await readdir(folder)).toSorted()
  return Promise.all(
    servers.map(async server => {
      const files = (await readdir(join(folder, server))).filter(name => name.endsWith('.json'))
      files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
      const versions = await Promise.all(
        files.map(async name => ({
          name,
          side: parseManifestText(await readFile(join(folder, server, name), 'utf8')),
        })),
      )
      return { server, versions }
    }),
  )
}

/** Returns the manifests of a folder, each with the version before it. */
export async function neighbours(folder: string): Promise<Pair[]> {
  const histories = await readHistories(folder)
  return histories.flatMap(({ server, versions }) =>
    versions.flatMap((after, at) => {
      const before = versions[at - 1]
      return before
        ? [{ name: `${server} ${before.name} → ${after.name}`, before: before.side, after: after.side }]
        : []
    }),
  )
}

/** Makes two manifests of many tools of which a few differ in limits, properties or words. */
export function makeManifests(tools: number, changed: number): { before: DiffSide; after: DiffSide } {
  const before = Array.from({ length: tools }, (_, at) => makeTool(at, 0))
  const every = Math.floor(tools / changed)
  const after = Array.from({ length: tools }, (_, at) =>
    makeTool(at, at % every === 0 ? 1 + ((at / every) % 3) : 0),
  )
  return { before: { tools: before }, after: { tools: after } }
}

/** @param variant 0 is unchanged; 1 lowers a limit, 2 adds a required property, 3 changes words. */
function makeTool(at: number, variant: number): ManifestTool {
  return {
    name: `group${at % 50} tool${at}`,
    description: `Does thing ${at} for a customer${variant === 3 ? ' and reports it' : ''}.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', minLength: 1, description: 'Which one' },
        count: { type: 'integer', minimum: 1, maximum: variant === 1 ? 50 : 100 },
        kind: { enum: ['new', 'old', 'any'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
        ...(variant === 2 ? { owner: { type: 'string' } } : {}),
      },
      required: variant === 2 ? ['id', 'owner'] : ['id'],
      additionalProperties: false,
    },
    outputSchema: {
      type: 'object',
      properties: { done: { type: 'boolean' }, lines: { type: 'array', items: { type: 'string' } } },
      required: ['done'],
    },
  }
}

/** Maximum milliseconds, on an idle core. */
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
