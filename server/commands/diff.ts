/**
 * `toolscope diff`: lists the changes between two manifests, with proof; exits with 5 if one is as severe as
 * `--fail-on`.
 */

import { resolve } from 'node:path'
import { z } from 'zod'
import type { DiffReport } from '../../core/diff/change.ts'
import { type DiffOptions, diffManifests, mergeReports } from '../../core/diff/diff-manifests.ts'
import { rulesOptions } from '../../core/diff/team-rules.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { lockName, parseLock } from '../../core/manifest/version-files.ts'
import type { ReportInput } from '../../core/report/diff-format.ts'
import { jsonReport, reportShape } from '../../core/report/diff-json.ts'
import { diffRenderers } from '../../core/report/diff-render.ts'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { version } from '../process/version.ts'
import { lazySnapshots } from '../versions/lazy-snapshots.ts'
import { readReference, toDiffSide } from '../versions/read-reference.ts'
import { readRevisions } from '../versions/read-revisions.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  openFields,
  readArgumentFile,
} from './command.ts'
import { openRules, printRemarks, rulesFields } from './diff-rules.ts'
import { type CatalogInput, readOptions, throwFirstFailure, withCatalog } from './open-catalog.ts'
import { openConfig } from './open-config.ts'
import { defineReports } from './reports.ts'

const reference = (which: string) =>
  z
    .string()
    .min(1, 'is empty; a variable in the command may be unset')
    .describe(
      `The ${which} manifest: a file, a source of toolscope.json, a kept version (acme@3), a URL, a program, or git:REVISION:path.`,
    )

const reports = defineReports(diffRenderers)

/** Problems of a list that are printed one by one. */
const maxSaidProblems = 10

const diffInput = z.object({
  a: reference('old').optional(),
  b: reference('new').optional(),
  lock: z
    .string()
    .optional()
    .describe(
      `Compare a lock file with the sources as they are now; default ${lockName}. The arguments then name sources.`,
    ),
  git: z
    .boolean()
    .default(false)
    .describe(
      'The arguments are revisions of this git repository (the second defaults to HEAD); the command after -- lists the tools in a checkout of each.',
    ),
  command: z
    .array(z.string())
    .optional()
    .describe('With --git: the program or server, and its arguments. On the command line, what follows --.'),
  install: z.string().optional().describe('With --git: run in each checkout first, such as "npm ci".'),
  ...reports.fields,
  failOn: z
    .enum(['breaking', 'dangerous', 'warning', 'none'])
    .default('breaking')
    .describe(
      'Exit with code 5 for changes of this severity or worse: breaking (the default), dangerous or warning; none: never.',
    ),
  ...rulesFields,
  formats: z
    .enum(['assert', 'annotation'])
    .default('assert')
    .describe(
      'How a format that was added or changed is rated: assert (the default), as a server that refuses other values; annotation, as a remark.',
    ),
  all: z.boolean().default(false).describe('List every change with its proof and id.'),
  quiet: z.boolean().default(false).describe('Print only the sentence with the answer.'),
  strict: z
    .boolean()
    .default(false)
    .describe('Rate changes for any value, not only for callers that send declared fields.'),
  ...openFields,
  ...configurationFields,
})
type DiffInput = z.infer<typeof diffInput>

export const diffCommand = defineCommand({
  name: 'diff',
  description:
    'Compare two versions: each change is proved compatible or comes with an input that now fails.',
  input: diffInput,
  bareFlags: { lock: lockName },
  positionals: ['a', 'b'],
  output: reportShape,
  examples: [
    ['toolscope diff old.json new.json --fail-on none', 'report only'],
    ['toolscope diff --git main HEAD --install "npm ci" -- node dist/server.js', 'two revisions of a server'],
  ],
  exitCodes: {
    [exitCodes.fine]: 'no change is as bad as --fail-on says',
    [exitCodes.usage]: 'the command line, toolscope.json, the rules or the ignore file is invalid',
    [exitCodes.unreachable]: 'one of the two sides cannot be read',
    [exitCodes.breaking]: 'a change is as bad as --fail-on says, or worse',
  },

  async run(input, context) {
    const rules = await openRules(input, context)
    const { strict, formats, failOn } = input
    const compared = await compare(input, { ...rulesOptions(rules), strict, formats }, context)
    printRemarks(rules, compared.report, context)
    const detail = input.quiet ? 'sentence' : input.all ? 'all' : 'brief'
    const report = { ...compared, failOn, version, detail } as const
    const output = jsonReport(report)
    const exitCode = output.failed ? exitCodes.breaking : exitCodes.fine
    return { output, exitCode, ...reports.render(report, input, context) }
  },
})

async function compare(
  input: DiffInput,
  settings: DiffOptions,
  context: CommandContext,
): Promise<Pick<ReportInput, 'a' | 'b' | 'report'>> {
  if (input.lock !== undefined) {
    const sources = [input.a, input.b].filter(each => each !== undefined)
    const report = await diffLock({ ...input, lock: input.lock, sources }, settings, context)
    return { a: input.lock, b: 'now', report }
  }
  const [a, b] = input.git ? await readGit(input, context) : await readSides(input, context)
  for (const { label, problems } of [a, b]) printProblems(label, problems, context)
  return { a: a.label, b: b.label, report: await diffManifests(a.side, b.side, settings) }
}

/**
 * Says what of a list could not be read: such an entry is missing from the comparison, and the input of a tool with an
 * unreadable schema is not compared.
 */
function printProblems(label: string, problems: readonly ManifestProblem[], { say }: CommandContext): void {
  for (const { name, message } of problems.slice(0, maxSaidProblems))
    say(`${label}${name === undefined ? '' : ` · ${name}`}: ${message}`)
  const more = problems.length - maxSaidProblems
  if (more > 0) say(`${label}: ${more} more problems; toolscope list shows them.`)
}

function readGit(input: DiffInput, context: CommandContext) {
  const { a, b = 'HEAD', command = [], install } = input
  if (input.cwd !== undefined) throw new AppError('usage', '--cwd cannot be combined with --git')
  const sourceOptions = readOptions(input, context)
  if (a !== undefined && command.length > 0)
    return readRevisions([a, b], { ...context, command, install, sourceOptions })
  throw new AppError('usage', 'diff --git takes revisions and a command', {
    hint: 'For example: toolscope diff --git main HEAD --install "npm ci" -- node dist/server.js',
  })
}

/** Two references, and how the sources that they name are opened. */
export type SidesInput = Pick<
  DiffInput,
  'a' | 'b' | 'env' | 'header' | 'cwd' | 'config' | 'trust' | 'database'
>

/** Reads the two sides of a comparison. Throws AppError `usage` if one is missing, and those of readReference. */
export async function readSides(input: SidesInput, context: CommandContext) {
  if (input.a === undefined || input.b === undefined)
    throw new AppError(
      'usage',
      'diff compares two manifests: toolscope diff OLD NEW, or a lock file with --lock',
    )
  const config = openConfig(input, context)
  const versions = lazySnapshots(input.database, context)
  const options = {
    versions: versions.known,
    context: {
      directory: context.directory,
      environment: context.environment,
      options: readOptions(input, context),
    },
    configured: { specs: config.specs, directory: config.directory },
    signal: context.signal,
    scope: 'all',
  } as const
  try {
    return [await readReference(input.a, options), await readReference(input.b, options)] as const
  } finally {
    await versions.close()
  }
}

/* The comparison of a lock file with the current sources. It needs no store. */

interface LockInput extends CatalogInput {
  readonly lock: string
  /** Sources as arguments; if there are none, those of the configuration. */
  readonly sources: readonly string[]
}

/**
 * Compares each source of the lock file with the current one of the same name. Without named sources, a locked source
 * that is no longer configured counts as removed with all its tools. Throws the first error of a source without a list.
 */
async function diffLock(
  input: LockInput,
  options: DiffOptions,
  context: CommandContext,
): Promise<DiffReport> {
  const file = resolve(context.directory, input.lock)
  const hint = `Write it first: toolscope snapshot --lock ${input.lock}`
  const locked = parseLock(await readArgumentFile(file, { name: input.lock, hint }), input.lock)
  return withCatalog(input, context, async prepared => {
    throwFirstFailure(prepared)
    const { sources } = prepared.catalog
    const names = sources.list().map(source => source.name)
    for (const name of names.filter(each => !locked.has(each)))
      context.say(`${name} is not in ${input.lock}; toolscope snapshot --lock ${input.lock} adds it.`)
    const compared = [...locked].filter(([name]) => input.sources.length === 0 || names.includes(name))
    if (compared.length === 0)
      throw new AppError(
        'usage',
        `${input.lock} holds ${[...locked.keys()].join(', ') || 'nothing'}, and none of these is open`,
      )
    const parts = []
    for (const [source, before] of compared) {
      const now = sources.find(source)?.manifest
      const after = now === undefined ? { tools: [] } : toDiffSide(now)
      printProblems(source, now?.problems ?? [], context)
      parts.push({ source, report: await diffManifests(before, after, options) })
    }
    return mergeReports(parts)
  })
}
