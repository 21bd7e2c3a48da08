/** `toolscope changelog`: lists what each version of a source changed since the previous one, newest first. */
import { z } from 'zod'
import { rulesOptions } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import { type Changelog, changelogShape } from '../../core/report/changelog.ts'
import { changelogRenderers } from '../../core/report/changelog-render.ts'
import { makeChangelog } from '../../core/report/make-changelog.ts'
import { counted, shorten } from '../../core/text/wording.ts'
import { chooseVersions } from '../versions/choose-versions.ts'
import { lazySnapshots } from '../versions/lazy-snapshots.ts'
import { listCommits, listManifests, listStoredVersions, type VersionTable } from '../versions/read-lists.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  openFields,
  sourceExits,
} from './command.ts'
import { openRules, rulesFields } from './diff-rules.ts'
import { readOptions } from './open-catalog.ts'
import { openConfig } from './open-config.ts'
import { defineReports } from './reports.ts'

const reports = defineReports(changelogRenderers)

const changelogInput = z.object({
  manifests: z
    .array(z.string().min(1))
    .default([])
    .describe(
      'The name of one source, for the versions that are kept of it; or two or more manifests, oldest first: files, versions (acme@3), git:REVISION:path.',
    ),
  git: z.string().min(1).optional().describe('The commits that changed this manifest file, instead.'),
  limit: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .default(200)
    .describe('How many versions are listed, the newest ones (default 200).'),
  since: z.string().optional().describe('Only versions after this one: its name, number, label or commit.'),
  strict: z
    .boolean()
    .default(false)
    .describe('Rate changes for any value, not only for callers that send declared fields.'),
  ...rulesFields,
  ...reports.fields,
  ...openFields,
  ...configurationFields,
})
type ChangelogInput = z.infer<typeof changelogInput>

export const changelogCommand = defineCommand({
  name: 'changelog',
  description:
    'List what each version changed: what breaks callers, with an input that fails now, and which part of the version number to raise.',
  input: changelogInput,
  positionals: ['manifests'],
  examples: [
    ['toolscope changelog acme --since 3', 'the kept versions of a source after the third'],
    ['toolscope changelog --git tools.json --format markdown', 'the versions of a file in git'],
  ],
  exitCodes: sourceExits,
  output: changelogShape,

  async run(input, context) {
    const rules = await openRules(input, context)
    const output = await withVersions(input, context, async ({ title, list }): Promise<Changelog> => {
      const { versions, hasOlder, older, unreadable } = await chooseVersions(list, input)
      if (unreadable.length > 0) {
        const names = shorten(unreadable.join(', '), 300)
        context.say(`Not readable as a manifest, so left out: ${names}`)
      }
      const entries = await makeChangelog(versions, {
        hasOlder,
        strict: input.strict,
        ...rulesOptions(rules),
      })
      return { title, entries, older }
    })
    if (output.older > 0 && input.since === undefined)
      context.say(`${counted(output.older, 'older version')} not listed. List more with --limit.`)
    return { output, ...reports.render(output, input, context) }
  },
})

/** Finds the versions that the input names, and closes the store after `work`. */
async function withVersions<Result>(
  input: ChangelogInput,
  context: CommandContext,
  work: (versions: VersionTable) => Promise<Result>,
): Promise<Result> {
  const { manifests, git } = input
  const { directory, environment, signal } = context
  if ((git === undefined) === (manifests.length === 0))
    throw new AppError(
      'usage',
      git === undefined
        ? 'changelog needs versions to compare'
        : '--git takes one file and no other manifests',
      {
        hint: 'For example: toolscope changelog acme · toolscope changelog 1.0.json 1.1.json 2.0.json · toolscope changelog --git tools.json',
      },
    )
  const source = { directory, environment, options: readOptions(input, context) }
  if (git !== undefined) return work(await listCommits(git, source, signal))
  const snapshots = lazySnapshots(input.database, context)
  try {
    const [named = '', ...others] = manifests
    if (others.length === 0) return await work(await listStoredVersions(named, snapshots.known.store, source))
    if (isOrderOfShell(manifests))
      context.say(
        'The files are compared in the order of the command line, where 1.10 is before 1.9. To sort them as versions: $(ls -v *.json).',
      )
    const { specs, ...config } = openConfig(input, context)
    return await work(
      listManifests(manifests, {
        versions: snapshots.known,
        context: source,
        configured: { specs, directory: config.directory },
        signal,
        scope: 'all',
      }),
    )
  } finally {
    await snapshots.close()
  }
}

/** Returns whether names are in the order of a shell's `*.json` instead of the order of versions. */
function isOrderOfShell(names: readonly string[]): boolean {
  const asVersions = names.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))
  const isSorted = names.every((name, at) => at === 0 || (names[at - 1] ?? '') < name)
  return isSorted && names.some((name, at) => name !== asVersions[at])
}
