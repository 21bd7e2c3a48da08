/**
 * A long changelog: `npm run bench -- changelog [versions] [tools]`. In each version three tools change their limits,
 * descriptions or properties, and every tenth version adds a tool, removes one and renames one. Prints the time for
 * making the changelog, and the time and size of each report format.
 */

import { changelogRenderers } from '../core/report/changelog-render.ts'
import { makeChangelog } from '../core/report/make-changelog.ts'
import type { ManifestTool } from '../core/tool/tool.ts'
import { measured, printReport } from './harness.mjs'

const [versionCount = 200, toolCount = 100] = process.argv.slice(2).map(Number)

/** @param state selects the variant of the tool: another limit, description or property */
const buildTool = (name: string, state: number): ManifestTool => ({
  name,
  description: `Does the work of ${name}. Use it for state ${Math.floor(state / 2)}.`,
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'string', pattern: '^[a-z]{2,8}-[0-9]+$', description: `The id of ${name}` },
      count: { type: 'integer', minimum: 1, maximum: 100 - (state % 3) * 10 },
      mode: { enum: ['fast', 'safe', ...(state % 2 === 0 ? ['slow'] : [])] },
      filter: {
        anyOf: [
          { type: 'null' },
          {
            type: 'object',
            properties: {
              field: { type: 'string' },
              values: { type: 'array', items: { type: 'string', maxLength: 40 + (state % 5) } },
            },
            required: ['field'],
          },
        ],
      },
      ...(state % 4 === 3 ? { dryRun: { type: 'boolean' } } : {}),
    },
    required: ['id'],
  },
  outputSchema: { type: 'object', properties: { ok: { type: 'boolean' }, rows: { type: 'integer' } } },
})

const states = new Map(Array.from({ length: toolCount }, (_, at) => [`group ${at % 20} tool ${at}`, 0]))
const versions = Array.from({ length: versionCount }, (_, version) => {
  const names = [...states.keys()]
  for (const offset of [0, 31, 62]) {
    const name = names[(version * 7 + offset) % names.length] ?? ''
    states.set(name, (states.get(name) ?? 0) + 1)
  }
  if (version % 10 === 9) {
    const [removed = '', renamed = ''] = [names[version % names.length], names[(version + 1) % names.length]]
    const state = states.get(renamed) ?? 0
    states.delete(removed)
    states.delete(renamed)
    states.set(`${renamed} v${version}`, state).set(`fresh ${version} resource`, version)
  }
  return {
    reference: `bench@${version + 1}`,
    name: `bench@${version + 1}`,
    time: new Date(version * 86_400_000).toISOString(),
    // No two versions share an object, as if parsed from a file or the store.
    side: { tools: structuredClone([...states].map(([name, state]) => buildTool(name, state))) },
  }
})

const { value: entries, wall, cpu } = await measured(() => makeChangelog(versions))
const count = (bump: string) => entries.filter(entry => entry.bump === bump).length
const reports = []
for (const [format, render] of Object.entries(changelogRenderers)) {
  const made = await measured(() => render({ title: 'bench', entries, older: 0 }, { colour: false }))
  reports.push({ format, cpuMs: made.cpu, kB: made.value.length / 1_000 })
}
printReport({
  tables: {
    [`${versionCount} versions of ${toolCount} tools`]: {
      cpuMs: cpu,
      wallMs: wall,
      major: count('major'),
      minor: count('minor'),
      patch: count('patch'),
      undecided: entries.reduce((sum, entry) => sum + entry.undecided, 0),
    },
    reports,
  },
  bars: [],
})
