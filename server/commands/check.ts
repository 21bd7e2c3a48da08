/** `toolscope check`: calls every saved example and compares the results; exits with 4 if one fails. */

import { z } from 'zod'
import { exampleDifference, exampleProblem } from '../../core/api/examples.ts'
import { generatedOutput } from '../../core/api/generated-checks.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { type CheckReport, checkRenderers } from '../../core/report/check-report.ts'
import { checkExamples } from '../checks/check-examples.ts'
import { keepInFiles } from '../checks/keep-in-files.ts'
import { keepInStore } from '../checks/keep-in-store.ts'
import { version } from '../process/version.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  fields,
  sourceExits,
  sourceFields,
  toLimitMs,
} from './command.ts'
import { chooseExitCode } from './open-catalog.ts'
import { toRelativeFolder } from './open-config.ts'
import { defineReports } from './reports.ts'
import { withCalls } from './with-calls.ts'

const reports = defineReports(checkRenderers)

const checked = z.object({
  ref: z.string(),
  name: z.string(),
  file: z.string().optional().describe('Where it is kept, relative to the configuration’s folder.'),
  status: z.enum(['passed', 'failed', 'skipped']),
  message: z.string(),
  differences: z.array(exampleDifference),
  more: z.number().optional().describe('Differences that are not listed.'),
  durationMs: z.number().optional(),
})

/** Options that have a meaning only with --generate. */
const generateOptions = [
  'idempotent',
  'all',
  'yes',
  'seed',
  'maxCalls',
  'time',
  'rate',
  'dryRun',
  'save',
  'allowPartial',
] as const

export const checkCommand = defineCommand({
  name: 'check',
  description: 'Run every saved example and compare its result with the expected one.',
  input: z.object({
    ...sourceFields,
    tool: z.string().optional().describe('Only the examples of this tool.'),
    allowDestructive: fields.allowDestructive,
    accept: fields.accept,
    concurrency: z
      .number()
      .int()
      .min(1)
      .max(64)
      .optional()
      .describe('Calls at the same time (default 4; 1 with --generate).'),
    against: z
      .string()
      .optional()
      .describe(
        'Check the calls of a recording instead: which of them fail with this newer source, version or manifest file.',
      ),
    run: z
      .boolean()
      .default(false)
      .describe('With --against: also call the read-only tools, and compare their answers.'),
    generate: z
      .boolean()
      .default(false)
      .describe(
        'Check the tools with inputs that are made from their schemas instead: valid and forbidden ones.',
      ),
    idempotent: z
      .boolean()
      .default(false)
      .describe(
        'With --generate: also tools that write, but say that they destroy nothing and may be repeated.',
      ),
    all: z.boolean().default(false).describe('With --generate and --yes: every tool, whatever it says.'),
    yes: z.boolean().default(false).describe('Confirms --all.'),
    seed: z
      .number()
      .int()
      .min(0)
      .optional()
      .describe('With --generate: the same seed gives the same inputs.'),
    maxCalls: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('With --generate: at most so many calls (default 2000).'),
    time: fields.timeLimit
      .optional()
      .describe('With --generate: the run ends after this time (default 10m).'),
    rate: z
      .number()
      .min(0.1)
      .max(1_000)
      .optional()
      .describe('With --generate: at most so many calls in a second.'),
    dryRun: z.boolean().default(false).describe('With --generate: list the inputs, and send nothing.'),
    save: z.boolean().default(false).describe('With --generate: save each finding as an example.'),
    allowEmpty: z.boolean().default(false).describe('Exit with code 0 if there is no example.'),
    allowPartial: z
      .boolean()
      .default(false)
      .describe('With --generate: exit with code 0 although not all inputs were sent.'),
    timeout: fields.timeLimit.optional().describe('Time limit of each call: 500ms, 60 or 60s, 5m, 1h.'),
    ...reports.fields,
    ...configurationFields,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope check', 'every example of the sources of toolscope.json'],
    ['toolscope check acme --tool "api greet" --format junit', 'the examples of one tool, for CI'],
    ['toolscope check --generate acme --save', 'the read-only tools, with inputs from their schemas'],
    ['toolscope check session.toolrec --against acme', 'which recorded calls fail with the tools of now'],
  ],
  exitCodes: {
    ...sourceExits,
    2: 'the command line or toolscope.json is invalid, there is no example, or not all generated inputs were sent',
    4: 'an example failed, generated inputs have a finding, or an answer differs from the recorded one',
    5: 'a recorded call fails with the newer list',
  },
  output: z.object({
    examples: z.array(checked),
    problems: z
      .array(exampleProblem)
      .describe('Files that are no example, and folders of tools that are not there.'),
    unreachable: z.array(z.string()).describe('Sources that gave no list, each in one line.'),
    counts: z
      .object({ passed: z.number(), failed: z.number(), skipped: z.number() })
      .describe('Examples; with --generate, tools.'),
    generated: generatedOutput.optional().describe('With --generate: the plan, the findings and the scores.'),
  }),

  async run(input, context) {
    const { against } = input
    if (input.generate) {
      const { checkGenerated } = await import('./check-generate.ts')
      return checkGenerated(input, context)
    }
    const misplaced = generateOptions.find(name => input[name] !== undefined && input[name] !== false)
    if (misplaced !== undefined)
      throw new AppError(
        'usage',
        `--${misplaced.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)} belongs to --generate`,
      )
    if (input.run && against === undefined)
      throw new AppError('usage', '--run belongs to --against: it calls the tools of the newer list')
    const [recording] = input.sources
    if (against === undefined && typeof recording === 'string' && /\.toolrec(?:#[^#]+)?$/.test(recording))
      throw new AppError('usage', `${recording} is a recording, which contains no examples`, {
        hint: `Check its calls with a newer list: toolscope check ${recording} --against SOURCE`,
      })
    if (against !== undefined) {
      const { checkAgainst } = await import('./check-against.ts')
      const { examples, exitCode } = await checkAgainst({ ...input, against }, context)
      return { exitCode, ...renderChecks({ examples, problems: [] }, [], '', input, context) }
    }
    return withCalls(
      input,
      context,
      async (calls, failures) => {
        const { catalog, config, call, validator, store } = calls
        const { tool, allowDestructive, concurrency = 4 } = input
        calls.pins.accept(input.accept)
        const { examples, problems } = await checkExamples({
          catalog,
          keeper: config.path === null ? keepInStore(store) : keepInFiles(config.directory),
          call,
          validator,
          ...withoutUndefined({
            only: tool === undefined ? undefined : catalog.tools.find(tool),
            timeoutMs: toLimitMs(input.timeout),
          }),
          allowDestructive,
          concurrency,
          environment: context.environment,
          signal: context.signal,
        })
        const bad = examples.some(({ status }) => status === 'failed') || problems.length > 0
        const isEmpty = examples.length + problems.length + failures.length === 0
        // A pipeline that tests nothing must not look like a success.
        const tested = isEmpty && !input.allowEmpty ? exitCodes.usage : chooseExitCode(failures)
        if (tested === exitCodes.usage) for (const line of saveHint) context.say(line)
        const rendered = renderChecks(
          { examples, problems },
          failures.map(error => error.message),
          toRelativeFolder(config, context),
          input,
          context,
        )
        return { exitCode: bad ? exitCodes.toolFailed : tested, ...rendered }
      },
      { needsTools: false },
    )
  },
})

function renderChecks(
  report: CheckReport,
  unreachable: string[],
  folder: string,
  input: Parameters<typeof reports.render>[1],
  context: CommandContext,
) {
  const { examples, problems } = report
  const count = (status: string) => examples.filter(each => each.status === status).length
  const output = {
    examples: examples.map(each => ({ ...each, differences: [...each.differences] })),
    problems: [...problems],
    unreachable,
    counts: { passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
  }
  return { output, ...reports.render({ output, report, folder, version }, input, context) }
}

const saveHint = [
  'There is no example to check.',
  '  Save one: run `toolscope`, call a tool, and choose "Save as example"; or write toolscope.examples/SOURCE/TOOL/NAME.json: {"name":"greets Ada","input":{"name":"Ada"}}.',
  '  To allow this: --allow-empty.',
]
