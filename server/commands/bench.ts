/** `toolscope bench`: calls a tool or the saved examples again and again, and says how long the calls took. */
import { z } from 'zod'
import { type Condition, parseCondition } from '../../core/bench/condition.ts'
import type { Histogram } from '../../core/bench/histogram.ts'
import { countText, rateText, readRate, readTime, timeText } from '../../core/bench/quantities.ts'
import { benchRenderers } from '../../core/bench/report.ts'
import { type BenchResult, benchResult } from '../../core/bench/result.ts'
import { AppError, exitCodes } from '../../core/errors.ts'
import { counted } from '../../core/text/wording.ts'
import { LoadFigures, measureLoad } from '../bench/measure-load.ts'
import { planTargets, type Skipped, type Target } from '../bench/plan-targets.ts'
import type { LoadEnd, LoadPlan } from '../bench/run-load.ts'
import { createCaller } from '../calls/call.ts'
import { progressLine } from '../examples/check-examples.ts'
import { keepInFiles } from '../examples/keep-in-files.ts'
import { keepInStore } from '../examples/keep-in-store.ts'
import { skipReason } from '../examples/skip-reason.ts'
import { readInput } from './call.ts'
import { type CommandContext, configurationFields, defineCommand, fields } from './command.ts'
import type { OpenCalls } from './open-calls.ts'
import type { Prepared } from './open-catalog.ts'
import { defineReports } from './reports.ts'
import { withCalls } from './with-calls.ts'

const reports = defineReports(benchRenderers)

const defaultDuration = '10s'
/** With `--rate`, unless given. */
const defaultMaxCalls = 100
const maxErrorGroups = 10
const showEveryMs = 250

const benchInput = z.object({
  sources: fields.sources,
  tool: z.string().optional().describe('Call only this tool: its examples, or --input.'),
  input: z
    .unknown()
    .optional()
    .describe('Input of the tool instead of its examples: JSON, @file, or - for stdin.'),
  concurrency: z
    .number()
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Calls at the same time, each sent when the one before it has ended (default 1).'),
  rate: z
    .string()
    .optional()
    .describe(
      'Send so many calls, such as 50/s, whether or not earlier ones have ended; times count from when a call was due.',
    ),
  maxCalls: fields.maxCalls.describe(
    `With --rate: calls that run at the same time (default ${defaultMaxCalls}); others wait.`,
  ),
  duration: z
    .string()
    .optional()
    .describe(`Send calls for this time, such as 30s or 2m (default ${defaultDuration}).`),
  calls: z.number().int().min(1).max(1_000_000_000).optional().describe('Send this number of calls.'),
  warmUp: z
    .string()
    .optional()
    .describe('Make calls for this time first, such as 2s, and do not count them.'),
  failIf: z
    .array(z.string())
    .default([])
    .describe(
      'Exit with code 4 where this is so: "p95>200ms", "errors>1%", "rate<50/s"; of p50, p95, p99, max, mean, errors, rate. May be repeated.',
    ),
  validate: z.boolean().default(false).describe('Count an output that breaks its output schema as an error.'),
  allowWrites: fields.allowWrites,
  allowDestructive: fields.allowDestructive,
  timeoutMs: fields.timeLimit.optional().describe('Time limit of each call in milliseconds.'),
  ...reports.fields,
  ...configurationFields,
})
type BenchInput = z.infer<typeof benchInput>

export const bench = defineCommand({
  name: 'bench',
  description:
    'Call a tool or the saved examples again and again, and show how long the calls take and which fail.',
  input: benchInput,
  positionals: ['sources'],
  output: benchResult,

  async run(input, context) {
    const { signal } = context
    const conditions = input.failIf.map(parseCondition)
    const { warmUpMs, ...plan } = readPlan(input, signal)
    return withCalls(
      input,
      context,
      async calls => {
        const { targets, skipped } = await chooseTargets(input, calls, context)
        const { pace } = plan
        const maxCalls = 'concurrency' in pace ? pace.concurrency : pace.maxCalls
        // Without a record: thousands of calls would push all others out of the history.
        const call = createCaller({ tools: calls.catalog, validator: calls.validator, maxCalls })
        const options = { targets, call, timeoutMs: input.timeoutMs, validates: input.validate }
        const figures = new LoadFigures()
        const stopShowing = showProgress(figures, { ...plan, warmUpMs }, context)
        let end: LoadEnd
        try {
          if (warmUpMs > 0)
            await measureLoad(
              { ...plan, ...options, count: Number.POSITIVE_INFINITY, durationMs: warmUpMs },
              new LoadFigures(),
            )
          end = await measureLoad({ ...plan, ...options }, figures)
        } finally {
          stopShowing()
        }
        const output = resultOf(figures, end, plan, skipped, conditions)
        const isBad = output.conditions.some(({ failed }) => failed) || output.errors === output.calls
        return {
          output,
          exitCode: isBad ? exitCodes.toolFailed : exitCodes.fine,
          isStopped: output.stopped,
          ...(await reports.render(output, input, context)),
        }
      },
      input.tool === undefined ? {} : { tool: input.tool },
    )
  },
})

/** Throws AppError `usage`. */
function readPlan(input: BenchInput, signal: AbortSignal): LoadPlan & { readonly warmUpMs: number } {
  const { rate, concurrency, maxCalls = defaultMaxCalls, calls, duration, warmUp } = input
  if (rate !== undefined && concurrency !== undefined)
    throw new AppError('usage', '--rate and --concurrency cannot be combined', {
      hint: 'With --rate, --max-calls limits the calls that run at the same time.',
    })
  if (input.input !== undefined && input.tool === undefined)
    throw new AppError('usage', '--input is for one tool, and none is named', {
      hint: `Name it with --tool: toolscope bench acme --tool greet --input '{"name":"Ada"}'`,
    })
  if (rate === undefined && input.maxCalls !== undefined)
    throw new AppError('usage', '--max-calls is for --rate', {
      hint: 'Without --rate, --concurrency says how many calls run at the same time.',
    })
  return {
    pace: rate === undefined ? { concurrency: concurrency ?? 1 } : { perSecond: readRate(rate), maxCalls },
    count: calls ?? Number.POSITIVE_INFINITY,
    durationMs:
      duration === undefined && calls !== undefined
        ? Number.POSITIVE_INFINITY
        : readTime('--duration', duration ?? defaultDuration),
    warmUpMs: warmUp === undefined ? 0 : readTime('--warm-up', warmUp),
    signal,
  }
}

/** What is called. Throws AppError `usage` where that is nothing. */
async function chooseTargets(
  input: BenchInput,
  { catalog, config, store }: OpenCalls & Prepared,
  context: CommandContext,
): Promise<{ readonly targets: readonly Target[]; readonly skipped: readonly Skipped[] }> {
  const only = input.tool === undefined ? undefined : catalog.tools.find(input.tool)
  if (input.input !== undefined && only !== undefined) {
    const skipped = skipReason(only, input)
    if (skipped !== undefined)
      throw new AppError('usage', `${only.ref} was not called: ${skipped.message}`, {
        hint:
          skipped.flag === undefined
            ? 'Name another tool.'
            : `To call it many times anyway: --${skipped.flag}.`,
      })
    const sent = await readInput(input.input, context)
    return { targets: [{ ref: only.ref, input: sent, secrets: new Map() }], skipped: [] }
  }
  const { targets, skipped, problems } = await planTargets({
    catalog,
    keeper: config.path === null ? keepInStore(store) : keepInFiles(config.directory),
    only,
    allowed: input,
    environment: context.environment,
  })
  for (const { file, message } of problems) context.say(`${file}: ${message}`)
  if (targets.length > 0) return { targets, skipped }
  for (const { ref, name, message } of skipped) context.say(`– ${ref} · ${name} · ${message}`)
  throw skipped.length > 0
    ? new AppError('usage', `none of ${counted(skipped.length, 'example')} can be called`, {
        hint: 'The reasons are above; --allow-writes also calls tools that do not say that they only read.',
      })
    : new AppError('usage', `there is no saved example${only === undefined ? '' : ` of ${only.ref}`}`, {
        hint: `Give an input: toolscope bench --tool "${only?.name ?? 'NAME'}" --input '{}'. Or save examples in the page.`,
      })
}

/** A line on the terminal while the load runs. Returns what ends it. */
function showProgress(
  { times, errors }: LoadFigures,
  { warmUpMs, durationMs, count }: LoadPlan & { readonly warmUpMs: number },
  { environment }: CommandContext,
): () => void {
  const line = progressLine(environment)
  const startedAt = performance.now() + warmUpMs
  const show = () => {
    const passedMs = performance.now() - startedAt
    if (passedMs < 0) return line.show(1 + passedMs / warmUpMs, `warm-up, ${timeText(warmUpMs)}`)
    const share = Math.max(passedMs / durationMs, times.count / count)
    const rate = rateText((times.count * 1000) / Math.max(1, passedMs))
    const failed = errors.count === 0 ? '' : ` · ${counted(errors.count, 'error')}`
    const calls = `${countText(times.count)} calls · ${rate} · p95 ${timeText(times.percentile(95))}`
    line.show(share, `${Math.floor(passedMs / 1000)} s · ${calls}${failed}`)
  }
  const timer = setInterval(show, showEveryMs)
  return () => {
    clearInterval(timer)
    line.end()
  }
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000

const figuresOf = (times: Histogram) => ({
  meanMs: rounded(times.meanMs),
  p50Ms: rounded(times.percentile(50)),
  p95Ms: rounded(times.percentile(95)),
  p99Ms: rounded(times.percentile(99)),
  maxMs: rounded(times.maxMs),
})

function resultOf(
  { times, errors, tools }: LoadFigures,
  { elapsedMs, late, unsent }: LoadEnd,
  { pace, signal }: LoadPlan,
  skipped: readonly Skipped[],
  conditions: readonly Condition[],
): BenchResult {
  const calls = times.count + unsent
  const failed = errors.count + unsent
  const ratePerSecond = elapsedMs > 0 ? (times.count * 1000) / elapsedMs : 0
  const measured = { times, calls, errors: failed, ratePerSecond }
  const unsentGroup = {
    reason: 'not sent',
    message: 'It was due, and too many others were still running.',
    count: unsent,
  }
  return {
    load: 'concurrency' in pace ? { concurrency: pace.concurrency } : { ratePerSecond: pace.perSecond },
    calls,
    errors: failed,
    ...figuresOf(times),
    durationMs: rounded(elapsedMs),
    ratePerSecond: rounded(ratePerSecond),
    unsent,
    late,
    stopped: signal.aborted,
    tools: [...tools].map(([ref, tool]) => ({
      ref,
      calls: tool.times.count,
      errors: tool.errors,
      ...figuresOf(tool.times),
    })),
    histogram: times
      .ranges()
      .map(({ fromMs, toMs, count }) => ({ fromMs: rounded(fromMs), toMs: rounded(toMs), count })),
    errorGroups: [...(unsent > 0 ? [unsentGroup] : []), ...errors.top(maxErrorGroups)].slice(
      0,
      maxErrorGroups,
    ),
    conditions: conditions.map(condition => {
      const value = condition.readFrom(measured)
      return {
        condition: condition.text,
        ...(value !== undefined && { value: condition.textOf(value) }),
        failed: condition.isMet(measured),
      }
    }),
    skipped: [...skipped],
  }
}
