/** `toolscope diff`: what changed between two manifests, with proof; ends with 5 where the change is too bad. */

import { resolve } from 'node:path'
import { z } from 'zod'
import type { DiffReport } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { type ReportInput, reportFormats } from '../../core/diff/report/format.ts'
import { jsonReport, reportShape } from '../../core/diff/report/json.ts'
import { renderReport } from '../../core/diff/report/render.ts'
import { expired, type Ignores, ignoreFile, rulesFile } from '../../core/diff/team-rules.ts'
import { AppError, exitCodes, messageOf } from '../../core/errors.ts'
import { LOCK_NAME } from '../../core/snapshot/version-files.ts'
import { readReference } from '../diff/read-reference.ts'
import { version } from '../package/version.ts'
import { lazySnapshots } from '../snapshots/lazy-snapshots.ts'
import { type CommandContext, defineCommand, fields, hasColour, readText } from './command.ts'
import { diffLock } from './diff-lock.ts'
import { openConfig } from './open-config.ts'

const reference = (which: string) =>
  z
    .string()
    .min(1)
    .describe(
      `The ${which} manifest: a file, a source of toolscope.json, a kept version (acme@3), a URL, a program, or git:REVISION:path.`,
    )

export const diff = defineCommand({
  name: 'diff',
  description:
    'Compare two manifests: every change with its proof, or an input that worked and no longer does.',
  input: z.object({
    a: reference('old').optional(),
    b: reference('new').optional(),
    lock: z
      .string()
      .optional()
      .describe(
        `Compare a lock file with the sources as they are now; ${LOCK_NAME} unless named. OLD and NEW then name sources.`,
      ),
    format: z
      .enum(reportFormats)
      .default('text')
      .describe(`One of: ${reportFormats.join(', ')}.`),
    failOn: z
      .enum(['breaking', 'dangerous', 'warning'])
      .default('breaking')
      .describe(
        'End with exit code 5 for changes of this severity and worse: breaking, dangerous or warning.',
      ),
    ignore: z.string().optional().describe('A file of accepted changes: fingerprint, reason, expiry.'),
    rules: z.string().optional().describe('A file with severities of your own, by rule.'),
    config: fields.config,
    trust: fields.trust,
    database: fields.database,
  }),
  bareFlags: { lock: LOCK_NAME },
  positionals: ['a', 'b'],
  output: reportShape,

  async run(input, context) {
    const [ignores, overrides] = [
      await readIgnores(input.ignore, context),
      await readRules(input.rules, context),
    ]
    const settings = { ...(ignores ? { ignores } : {}), ...(overrides ? { overrides } : {}) }
    if (input.lock !== undefined) {
      const sources = [input.a, input.b].filter(each => each !== undefined)
      const report = await diffLock({ ...input, lock: input.lock, sources }, settings, context)
      return answered({ a: input.lock, b: 'now', report, failOn: input.failOn, version })
    }
    if (input.a === undefined || input.b === undefined)
      throw new AppError(
        'usage',
        'diff compares two manifests: toolscope diff OLD NEW, or a lock file with --lock',
      )
    const config = openConfig(input, context)
    const versions = lazySnapshots(input.database, context)
    const options = {
      versions: versions.known,
      context: { directory: context.directory, environment: context.environment },
      configured: { specs: config.specs, directory: config.directory },
      signal: context.signal,
      mayStart: true,
    }
    try {
      const a = await readReference(input.a, options)
      const b = await readReference(input.b, options)
      const report = await diffManifests(a.side, b.side, settings)
      return answered({ a: a.label, b: b.label, report, failOn: input.failOn, version })
    } finally {
      await versions.close()
    }
  },

  print(output, context, input) {
    const { a, b, failOn } = output
    // The output is the report with a few fields more.
    const report = output as unknown as DiffReport
    const style = { colour: hasColour(context) }
    const own = { github: 'workflow commands', text: 'colours' } as const
    const text = renderReport(input.format, { a, b, report, failOn, version }, style)
    context.write(text, Object.hasOwn(own, input.format) ? own[input.format as keyof typeof own] : undefined)
  },
})

function answered(input: ReportInput) {
  const output = jsonReport(input)
  return { output, exitCode: output.failed ? exitCodes.breaking : exitCodes.fine }
}

async function readIgnores(path: string | undefined, context: CommandContext): Promise<Ignores | undefined> {
  if (path === undefined) return undefined
  const { ignore } = await readJson(path, ignoreFile, context)
  const ignores = { entries: ignore, today: new Date().toISOString().slice(0, 10) }
  for (const { fingerprint, expires } of expired(ignores))
    context.say(`${path}: the entry for ${fingerprint} ended on ${expires}; the change counts again.`)
  return ignores
}

async function readRules(path: string | undefined, context: CommandContext) {
  return path === undefined ? undefined : (await readJson(path, rulesFile, context)).rules
}

async function readJson<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  context: CommandContext,
): Promise<z.infer<Schema>> {
  const full = resolve(context.directory, path)
  const text = await readText(full)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new AppError('usage', `${full} could not be read: ${messageOf(thrown)}`)
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map(issue => `${issue.path.join('.') || 'the file'}: ${issue.message}`)
  throw new AppError('usage', `${full}: ${places.join('; ')}`)
}
