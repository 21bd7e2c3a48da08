/**
 * `npm run bench -- diff [--data DIR] [--json]`: how fast manifests are compared, and what is found. DIR contains a
 * folder for each server with a manifest for each version (`DIR/server/1.0.0.json`); neighbours are compared. Two
 * generated manifests of 5,000 tools that differ in 1% are always compared. For DIR every two versions are also
 * compared in both directions, and the report must name each location where Ajv finds a break (diff-oracle.ts),
 * and recordings of one version are checked against the next.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCompat } from '../core/compat/is-subschema.ts'
import type { DiffSide } from '../core/diff/change.ts'
import { diffManifests } from '../core/diff/diff-manifests.ts'
import { matchTools } from '../core/diff/match-tools.ts'
import type { Json } from '../core/json/json.ts'
import { parseManifestText } from '../core/manifest/read-manifest.ts'
import type { JsonSchema, ManifestTool } from '../core/tool/tool.ts'
import { createSchemaValidator } from '../core/validation/schema-validator.ts'
import { checkFrozenCalls } from '../core/wire/frozen-calls.ts'
import type { RecordedCall } from '../core/wire/recorded-calls.ts'
import { askOracle, frozenInputs } from './diff-oracle.ts'
import renameLabels from './diff-renames.json' with { type: 'json' }
import { measured, printReport, readOptions } from './harness.mjs'

/** Milliseconds of processor time. */
const maxPairMs = 2_000
const maxLargeMs = 1_000

async function measurePair(name: string, before: DiffSide, after: DiffSide) {
  const { value, wall, cpu } = await measured(() => diffManifests(before, after))
  const { changes, counts, proved, undecided } = value
  /** Breaking because of a schema, but without a value that shows it. */
  const withoutWitness = changes.filter(
    ({ severity, strict, witness }) => severity === 'breaking' && strict !== undefined && !witness,
  ).length
  return { name, wallMs: wall, cpuMs: cpu, ...counts, proved, undecided, withoutWitness }
}

interface History {
  readonly server: string
  /** Oldest first. */
  readonly versions: readonly { readonly name: string; readonly side: DiffSide }[]
}

function readHistories(folder: string): History[] {
  return readdirSync(folder).map(server => {
    const files = readdirSync(join(folder, server)).filter(name => name.endsWith('.json'))
    files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const read = (file: string) => parseManifestText(readFileSync(join(folder, server, file), 'utf8'))
    return { server, versions: files.map(file => ({ name: file.replace(/\.json$/, ''), side: read(file) })) }
  })
}

/**
 * Returns how many of the guessed renames are right, and how many of the real ones are guessed. A label has, for
 * `server before after`, each removed tool with its new name, or null if it has none.
 */
function measureRenames(histories: readonly History[]) {
  const wrong: string[] = []
  let [labelled, real, guessed, right] = [0, 0, 0, 0]
  for (const [step, expected] of Object.entries<Record<string, string | null>>(renameLabels)) {
    const [server, ...names] = step.split(' ')
    const { versions = [] } = histories.find(history => history.server === server) ?? {}
    const [before = [], after = []] = names.map(name => versions.find(each => each.name === name)?.side.tools)
    const { renames } = matchTools(before, after)
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

async function compareWithOracle(histories: readonly History[]) {
  const missed: string[] = []
  let breaks = 0
  for (const { server, versions } of histories)
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

/**
 * Makes a recording of one version, with the inputs of the oracle, and checks it against the next version: a call must
 * fail if and only if Ajv refuses its input or its tool is gone, and each failure must name a change.
 */
async function checkRecordings(histories: readonly History[]) {
  const wrong: string[] = []
  let [recorded, failing] = [0, 0]
  for (const { server, versions } of histories)
    for (const [at, after] of versions.entries()) {
      const before = versions[at - 1]
      if (before === undefined) continue
      const expected: { readonly call: RecordedCall; readonly fails: boolean }[] = []
      for (const tool of before.side.tools) {
        const match = after.side.tools.find(({ name }) => name === tool.name)
        for (const { value, isAccepted } of frozenInputs(tool.inputSchema, match?.inputSchema ?? {})) {
          const call = {
            tool: tool.name,
            inputText: JSON.stringify(value),
            seq: expected.length + 1,
            atMs: 0,
          }
          expected.push({ call, fails: match === undefined || !isAccepted })
        }
      }
      const calls = expected.map(({ call }) => call)
      const report = await diffManifests(before.side, after.side)
      const checked = await checkFrozenCalls({
        calls,
        before: before.side,
        after: after.side,
        report,
        validate: async (schema: JsonSchema, value) => createSchemaValidator(schema)(value as Json),
      })
      for (const [index, { call, status, changes, message }] of checked.entries()) {
        const { fails = false } = expected[index] ?? {}
        recorded += 1
        failing += fails ? 1 : 0
        if ((status === 'fails') !== fails || (fails && changes.length === 0))
          wrong.push(
            `${server} ${before.name} → ${after.name} ${call.tool} ${call.inputText}: ${status} ${message}`,
          )
      }
    }
  return { recorded, failing, wrong }
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

const { data, json } = readOptions({ data: '', json: false })
await loadCompat()
const histories = data === '' ? [] : readHistories(data)
const rows = []
for (const { server, versions } of histories)
  for (const [at, after] of versions.entries()) {
    const before = versions[at - 1]
    if (before)
      rows.push(await measurePair(`${server} ${before.name} → ${after.name}`, before.side, after.side))
  }
const undecided = rows.reduce((sum, row) => sum + row.undecided, 0)
const makeTools = (variantOf: (at: number) => number): DiffSide => ({
  tools: Array.from({ length: 5_000 }, (_, at) => makeTool(at, variantOf(at))),
})
const changed = makeTools(at => (at % 100 === 0 ? 1 + ((at / 100) % 3) : 0))
const large = await measurePair(
  '5,000 tools, 50 changed',
  makeTools(() => 0),
  changed,
)
const bars = [
  ...[...rows, large].flatMap(row => [
    { name: `${row.name}, processor ms`, value: row.cpuMs, max: row === large ? maxLargeMs : maxPairMs },
    { name: `${row.name}, breaking without a witness`, value: row.withoutWitness, max: 0 },
  ]),
  { name: 'undecided changes', value: undecided, max: 0 },
]
if (histories.length === 0) printReport({ json, tables: { comparisons: [large] }, bars })
else {
  const { wrong, ...renames } = measureRenames(histories)
  const { breaks, missed } = await compareWithOracle(histories)
  const recordings = await checkRecordings(histories)
  printReport({
    json,
    tables: {
      comparisons: [...rows, large],
      renames,
      'breaks that Ajv alone finds': { breaks, missed: missed.length },
      'calls of recordings': { ...recordings, wrong: recordings.wrong.length },
    },
    bars: [
      ...bars,
      { name: 'renames, precision', value: renames.precision, min: 0.95 },
      { name: 'renames, recall', value: renames.recall, min: 0.9 },
      { name: 'breaks that the report does not name', value: missed.length, max: 0 },
      { name: 'recorded calls that are judged wrongly', value: recordings.wrong.length, max: 0 },
    ],
    details: { wrong, missed, recordings: recordings.wrong },
  })
  for (const each of wrong) console.error(`guessed ${each}`)
  for (const each of missed) console.error(`not named: ${each}`)
  for (const each of recordings.wrong) console.error(`recorded call: ${each.slice(0, 1_000)}`)
}
