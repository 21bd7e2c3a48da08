/** `toolscope compare`: sends the same inputs to two sources; exits with 4 if their answers differ. */

import { resolve } from 'node:path'
import { z } from 'zod'
import { comparedPair } from '../../core/api/compare.ts'
import { exampleProblem } from '../../core/api/examples.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { parseSnapshotReference } from '../../core/manifest/reference.ts'
import { checkRenderers } from '../../core/report/check-report.ts'
import { progressBar, skippedText } from '../checks/check-examples.ts'
import { type ComparePlan, comparePairs, planComparison } from '../checks/compare-sources.ts'
import { keepInFiles } from '../checks/keep-in-files.ts'
import { keepInStore } from '../checks/keep-in-store.ts'
import { maskFileName, readMaskFile } from '../checks/mask-file.ts'
import { fileStatus } from '../process/command-line.ts'
import { version } from '../process/version.ts'
import type { SourceArgument } from '../recognise/detect-source.ts'
import { markServer } from '../recognise/typed-line.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  fields,
  openFields,
  sourceExits,
  toLimitMs,
} from './command.ts'
import type { OpenCalls } from './open-calls.ts'
import type { Prepared } from './open-catalog.ts'
import { type OpenConfig, toRelativeFolder } from './open-config.ts'
import { defineReports } from './reports.ts'
import { withCalls } from './with-calls.ts'

const reports = defineReports(checkRenderers)

const side = z.union([z.string().min(1), z.array(z.string()).min(1)])

const compareInput = z.object({
  a: side.describe('The first source: one of toolscope.json, a URL, or a program.'),
  b: side.optional().describe('The second source; without it, the program after --.'),
  command: z
    .array(z.string())
    .optional()
    .describe('Arguments of the second source, or all of it. On the command line, what follows --.'),
  examples: z.boolean().default(true).describe('Run the saved examples.'),
  history: z
    .number()
    .int()
    .min(0)
    .max(1_000)
    .default(0)
    .describe('Also repeat the newest calls of history, this many.'),
  from: z
    .string()
    .optional()
    .describe('Name of the source whose examples and calls are run; default the first source that has some.'),
  tool: z.string().optional().describe('Only this tool; * matches any text.'),
  masks: z
    .string()
    .optional()
    .describe(`A file that lists locations to ignore; default ${maskFileName} next to toolscope.json.`),
  allowWrites: fields.allowWrites,
  allowDestructive: fields.allowDestructive.describe(
    'Also call tools that are marked destructive or that LLM_MCP_NEED_CONFIRM names; includes --allow-writes.',
  ),
  concurrency: z.number().int().min(1).max(64).default(4).describe('Inputs at the same time (default 4).'),
  timeout: fields.timeLimit.optional().describe('Time limit of each call: 500ms, 60 or 60s, 5m, 1h.'),
  ...reports.fields,
  ...openFields,
  ...configurationFields,
})
type CompareInput = z.infer<typeof compareInput>

const compareOutput = z.object({
  a: z.string(),
  b: z.string(),
  pairs: z.array(comparedPair),
  problems: z
    .array(exampleProblem)
    .describe('Files that are no example, and folders of tools that are not there.'),
  counts: z.object({ same: z.number(), different: z.number(), failed: z.number(), skipped: z.number() }),
})

export const compareCommand = defineCommand({
  name: 'compare',
  description: 'Run the saved examples against two sources and list each location where the answers differ.',
  input: compareInput,
  positionals: ['a', 'b'],
  examples: [
    ['toolscope compare acme https://staging.example.com/mcp', 'a source and its next version'],
    ['toolscope compare "node v1.mjs" "node v2.mjs" --history 20', 'with the last calls of history'],
  ],
  exitCodes: { ...sourceExits, 4: 'two answers differ, or a call failed' },
  output: compareOutput,

  async run(input, context) {
    const sources = [demandCallable(input.a, context), demandCallable(secondSide(input), context)]
    return withCalls(
      { ...input, sources },
      context,
      async calls => {
        const [a, b] = openSides(calls)
        const { catalog, call, store, config, specs } = calls
        const options = {
          ...input,
          timeoutMs: toLimitMs(input.timeout),
          catalog,
          call,
          store,
          sides: [a, b] as const,
          keeper: config.path === null ? keepInStore(store) : keepInFiles(config.directory),
          historySources: input.from === undefined ? specs.map(spec => spec.settings.name) : [input.from],
          masks: await loadMasks(input, config, context),
          environment: context.environment,
          signal: context.signal,
        }
        const plan = await planComparison(options)
        demandAny(plan, input)
        const bar = progressBar(plan.pairs.length, context.environment)
        const compared = await comparePairs(plan, options, ({ tool, name }) => bar.step(`${tool} · ${name}`))
        bar.end()
        const pairs = compared.map(({ answers: _, ...pair }) => pair)
        const count = (status: string) => pairs.filter(pair => pair.status === status).length
        const counts = {
          same: count('same'),
          different: count('different'),
          failed: count('failed'),
          skipped: count('skipped'),
        }
        const isSame = counts.different + counts.failed + plan.problems.length === 0
        const output = { a, b, pairs, problems: [...plan.problems], counts }
        const report = { output, ...toReport(output), folder: toRelativeFolder(config, context), version }
        const exitCode = isSame ? exitCodes.fine : exitCodes.toolFailed
        return { output, exitCode, ...reports.render(report, input, context) }
      },
      { needsAll: true },
    )
  },
})

/** Returns the report of `check` with the words of a comparison. */
function toReport({ a, b, pairs, problems }: z.infer<typeof compareOutput>) {
  const examples = pairs.map(({ tool, name, status, message, flag, differences, more, durationsMs }) => ({
    ref: tool,
    name,
    message: skippedText({ message, ...(flag && { flag }) }),
    more,
    status: status === 'same' ? ('passed' as const) : status === 'skipped' ? status : ('failed' as const),
    differences: differences.map(({ path, a: expected, b: actual }) => ({ path, expected, actual })),
    ...(durationsMs && { durationMs: Math.max(durationsMs.a, durationsMs.b) }),
  }))
  const words = {
    command: `compare ${a} ${b}`,
    sides: [a, b] as const,
    passed: 'the same',
    failed: 'not the same',
    failedPrefix: '',
  }
  return { report: { examples, problems }, words }
}

/** Throws AppError `usage` if there is no second source. */
function secondSide({ b, command = [] }: CompareInput): SourceArgument {
  if (typeof b === 'string' && command.length > 0) return [b, ...command]
  if (b !== undefined) return b
  // As for other commands: words without a program before them start an MCP server.
  if (command.length > 0) return markServer(command)
  throw new AppError('usage', 'compare takes two sources', {
    hint: 'For example: toolscope compare acme https://staging.example.com/mcp',
  })
}

/** Throws AppError `usage` for a list that cannot be called: a saved version or a file in git. */
function demandCallable(argument: SourceArgument, { directory }: CommandContext): SourceArgument {
  if (typeof argument !== 'string' || fileStatus(resolve(directory, argument)) !== null) return argument
  const isVersion = !/\s/.test(argument) && parseSnapshotReference(argument) !== null
  if (!isVersion && !argument.startsWith('git:')) return argument
  const what = isVersion ? 'a kept version' : 'a file in git'
  throw new AppError('usage', `${argument} is ${what}: a list of tools, which cannot be called`, {
    hint: 'Name a program or an address that runs this version. toolscope diff compares lists.',
  })
}

/** Returns the names of the two sources. Throws AppError `usage` if a side has several sources or no callable tool. */
function openSides({ groups, catalog }: OpenCalls & Prepared): readonly [string, string] {
  const large = groups.find(({ specs }) => specs.length > 1)
  if (large !== undefined)
    throw new AppError('usage', `a side names ${large.specs.length} sources; it must be one`, {
      hint: `Name one server of the file: FILE#SERVER. It has ${large.specs.map(spec => spec.settings.name).join(', ')}.`,
    })
  const [a = '', b = ''] = catalog.sources.list().map(({ name }) => name)
  for (const name of [a, b])
    if (!catalog.tools.ofSource(name).some(tool => tool.callable))
      throw new AppError('usage', `${name} has no tool that can be called`, {
        hint: 'Name a program or an address that runs it, not a file that lists its tools.',
      })
  return [a, b]
}

/** Throws AppError `usage` if there is nothing to compare, because that must not count as success. */
function demandAny({ pairs, problems }: ComparePlan, { history, from }: CompareInput): void {
  if (pairs.length + problems.length > 0) return
  const whose = from === undefined ? 'either source' : from
  throw new AppError('usage', `there is no example${history > 0 ? ' and no call' : ''} of ${whose} to run`, {
    hint: 'Save examples in the page, repeat calls with --history 20, or name the source that has some with --from.',
  })
}

async function loadMasks({ masks }: CompareInput, { path, directory }: OpenConfig, context: CommandContext) {
  if (masks !== undefined) return (await readMaskFile(resolve(context.directory, masks), true)) ?? []
  return path === null ? [] : ((await readMaskFile(resolve(directory, maskFileName), false)) ?? [])
}
