/** `toolscope check`: calls every saved example and compares; ends with 4 where one fails. */
import { z } from 'zod'
import { exitCodes } from '../../core/errors.ts'
import { checkJunit, checkText } from '../../core/example/check-report.ts'
import { checkExamples } from '../examples/check-examples.ts'
import { keepInFiles } from '../examples/keep-in-files.ts'
import { keepInStore } from '../examples/keep-in-store.ts'
import { configField, databaseField, defineCommand, sourcesField } from './command.ts'
import { openCalls } from './open-calls.ts'
import { openCatalog, openFailures } from './open-catalog.ts'
import { printError } from './print-error.ts'

const difference = z.object({
  path: z.string().describe('JSON Pointer into the result.'),
  expected: z.string().optional(),
  actual: z.string().optional(),
})
const checked = z.object({
  ref: z.string(),
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  message: z.string(),
  differences: z.array(difference),
  more: z.number().optional().describe('Differences that are not listed.'),
  durationMs: z.number().optional(),
})

export const check = defineCommand({
  name: 'check',
  description: 'Call every saved example of the tools and compare what comes back with what was expected.',
  input: z.object({
    sources: sourcesField,
    tool: z.string().optional().describe('Only the examples of this tool.'),
    allowDestructive: z
      .boolean()
      .default(false)
      .describe('Also call tools that are marked destructive or that LLM_MCP_NEED_CONFIRM names.'),
    concurrency: z.number().int().min(1).max(64).default(4).describe('Calls at one time; 4 unless given.'),
    timeoutMs: z
      .number()
      .int()
      .min(100)
      .max(3_600_000)
      .optional()
      .describe('Time limit of each call in milliseconds.'),
    format: z.enum(['text', 'json', 'junit']).default('text').describe('One of: text, json, junit.'),
    config: configField,
    database: databaseField,
  }),
  positionals: ['sources'],
  output: z.object({
    examples: z.array(checked),
    problems: z
      .array(z.object({ file: z.string(), message: z.string() }))
      .describe('Files that are no example, and folders of tools that are not there.'),
    unreachable: z.array(z.string()).describe('Sources that gave no list, each in one line.'),
    counts: z.object({ passed: z.number(), failed: z.number(), skipped: z.number() }),
  }),

  async run(input, context) {
    const prepared = await openCatalog(input, context)
    const { catalog, config } = prepared
    const calls = await openCalls(input, prepared, context)
    try {
      const failures = openFailures(prepared)
      for (const error of failures) printError(error, context)
      const report = await checkExamples({
        catalog,
        keeper: config.path === null ? keepInStore(calls.store) : keepInFiles(config.directory),
        call: calls.call,
        validator: calls.validator,
        ...(input.tool === undefined ? {} : { only: catalog.tools.find(input.tool) }),
        allowDestructive: input.allowDestructive,
        concurrency: input.concurrency,
        ...(input.timeoutMs === undefined ? {} : { timeoutMs: input.timeoutMs }),
        environment: context.environment,
        signal: context.signal,
      })
      const count = (status: string) => report.examples.filter(each => each.status === status).length
      const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') }
      const bad = counts.failed + report.problems.length > 0
      return {
        output: {
          examples: [...report.examples].map(each => ({ ...each, differences: [...each.differences] })),
          problems: [...report.problems],
          unreachable: failures.map(error => error.message),
          counts,
        },
        exitCode: bad ? exitCodes.toolFailed : failures.length > 0 ? exitCodes.unreachable : exitCodes.fine,
      }
    } finally {
      await calls.close()
    }
  },

  print(output, context, { format }) {
    if (format === 'json') context.write(`${JSON.stringify(output, null, 2)}\n`)
    else if (format === 'junit') context.write(checkJunit(output))
    else {
      const colour = process.stdout.isTTY === true && !context.environment.NO_COLOR
      context.write(checkText(output, { colour }))
    }
  },
})
