/** `toolscope export`: writes the catalog as a read-only site of plain files. */

import { resolve } from 'node:path'
import { z } from 'zod'
import { counted } from '../../core/text/wording.ts'
import { reportFormProblems } from '../catalog/form-problems.ts'
import { listScores } from '../checks/keep-scores.ts'
import { buildSite, readVersions } from '../export/build-site.ts'
import { knownSecrets, refuseSecrets } from '../export/known-secrets.ts'
import { mayWriteSite, writeSite } from '../export/site-folder.ts'
import { fallbackSnapshots } from '../versions/memory-snapshots.ts'
import { readTeamRules } from '../versions/read-team-rules.ts'
import { SnapshotRecorder } from '../versions/snapshot-recorder.ts'
import { configurationFields, defineCommand, sourceExits, sourceFields } from './command.ts'
import { openHistory } from './open-calls.ts'
import { openCatalog, openFailures } from './open-catalog.ts'
import { openConfig } from './open-config.ts'
import { writeLine } from './terminal.ts'

export const exportCommand = defineCommand({
  name: 'export',
  description: 'Export the catalog as a read-only static site for any web host, or for opening from disk.',
  input: z.object({
    ...sourceFields,
    out: z.string().min(1).describe('Output folder: an empty one, or one of an earlier export.'),
    versions: z
      .number()
      .int()
      .min(1)
      .max(500)
      .default(20)
      .describe('Versions per source, saved ones and those in git (default 20).'),
    changelog: z
      .boolean()
      .default(false)
      .describe('Also export what each version changed, as a page and as a feed (JSON Feed).'),
    force: z.boolean().default(false).describe('Also write into a folder that holds something else.'),
    ...configurationFields,
  }),
  positionals: ['sources'],
  short: { out: 'o' },
  examples: [
    ['toolscope export -o site', 'the sources of toolscope.json'],
    ['toolscope export mcp.json -o site --changelog', 'with what each version changed'],
  ],
  exitCodes: sourceExits,
  output: z.object({
    folder: z.string(),
    sources: z.number(),
    tools: z.number(),
    files: z.number(),
    bytes: z.number(),
  }),

  async run(input, context) {
    const folder = resolve(context.directory, input.out)
    await mayWriteSite(folder, input.force)
    const configured = openConfig(input, { ...context, say: () => {} })
    // The rules are read once, so that the counts of the versions and the comparisons of the site use the same ones.
    const rules = await readTeamRules(configured.ruleFiles)
    const opened = await openHistory(input, configured, context)
    let versions: SnapshotRecorder | undefined
    const prepared = await openCatalog(input, context, ({ catalog }) => {
      const store = fallbackSnapshots(opened.store)
      versions = new SnapshotRecorder({
        sources: catalog.sources,
        store,
        environment: context.environment,
        readRules: async () => rules,
        say: context.say,
      })
    })
    const { catalog } = prepared
    try {
      // A site that lacks a source would look complete.
      const [failure] = openFailures(prepared)
      if (failure !== undefined)
        throw failure.with({ hint: `Nothing was exported. ${failure.toShape().hint}` })
      reportFormProblems(catalog, input.sources.length === 0, problem =>
        context.say(`${prepared.config.path}: ${problem}`),
      )
      await versions?.idle()
      const files = await buildSite(
        catalog,
        await readVersions(catalog, versions, input.versions),
        rules,
        input.changelog,
        await listScores(opened.store, catalog.tools.list()),
      )
      const connections = catalog.sources.list().map(({ name }) => catalog.sources.get(name))
      refuseSecrets(files, knownSecrets(context.environment, connections))
      await writeSite(folder, files, input.force)
      const sizes = [...files.values()].map(content => Buffer.byteLength(content))
      return {
        output: {
          folder,
          sources: catalog.sources.list().length,
          tools: catalog.tools.list().length,
          files: files.size,
          bytes: sizes.reduce((sum, size) => sum + size, 0),
        },
      }
    } finally {
      await versions?.close()
      await catalog.close()
      await opened.close()
    }
  },

  print({ folder, sources, tools, files, bytes }, context) {
    const size = `${(bytes / 1_000_000).toFixed(1)} MB`
    context.say(
      `${counted(tools, 'tool')} of ${counted(sources, 'source')}: ${counted(files, 'file')}, ${size}`,
    )
    writeLine(context, folder)
  },
})
