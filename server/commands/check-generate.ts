/** `toolscope check --generate`: checks tools with inputs that are made from their schemas. */
import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { generatedOutput } from '../../core/api/generated-checks.ts'
import { readExample } from '../../core/checks/example.ts'
import {
  type GeneratedFinding,
  hasPassed,
  isTested,
  type SkippedTool,
} from '../../core/checks/generated-checks.ts'
import { AppError, exitCodes, toErrorMessage } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { generatedRenderers } from '../../core/report/generated-report.ts'
import { counted } from '../../core/text/wording.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { progressBar } from '../checks/check-examples.ts'
import { type ExampleKeeper, toExampleKey } from '../checks/example-keeper.ts'
import { keepInFiles } from '../checks/keep-in-files.ts'
import { keepInStore } from '../checks/keep-in-store.ts'
import { keepScores } from '../checks/keep-scores.ts'
import { findRisk, planTool, type ToolPlan } from '../checks/plan-generated-checks.ts'
import { runGeneratedChecks } from '../checks/run-generated-checks.ts'
import { version } from '../process/version.ts'
import { type CommandContext, toLimitMs } from './command.ts'
import { type CatalogInput, chooseExitCode } from './open-catalog.ts'
import { defineReports } from './reports.ts'
import { withCalls } from './with-calls.ts'

export interface GenerateInput extends CatalogInput {
  readonly tool?: string | undefined
  readonly idempotent: boolean
  readonly all: boolean
  readonly yes: boolean
  readonly allowDestructive: boolean
  readonly allowEmpty: boolean
  readonly allowPartial: boolean
  readonly seed?: number | undefined
  readonly maxCalls?: number | undefined
  /** A time limit of core/text/duration.ts. */
  readonly time?: string | undefined
  readonly timeout?: string | undefined
  readonly rate?: number | undefined
  readonly concurrency?: number | undefined
  readonly dryRun: boolean
  readonly save: boolean
  readonly database?: string | undefined
  readonly format: keyof typeof generatedRenderers
  readonly write?: string | undefined
}

const defaultMaxCalls = 2_000
const defaultTimeMs = 600_000
const defaultCallTimeoutMs = 5_000

const reports = defineReports(generatedRenderers)

/** Throws AppError `usage` if `--all` is not confirmed, and the errors of the sources. */
export function checkGenerated(input: GenerateInput, context: CommandContext) {
  if (input.all && !input.yes && !input.dryRun)
    throw new AppError('usage', '--all calls tools that may write, destroy or reach other systems', {
      hint: 'Add --dry-run to see the inputs, or --yes to send them.',
    })
  const { maxCalls: _budget, ...opened } = input
  return withCalls(
    opened,
    context,
    async (calls, failures) => {
      const { catalog, config, store } = calls
      const tools = input.tool === undefined ? catalog.tools.list() : [catalog.tools.find(input.tool)]
      const { plans, skipped } = await planTools(tools, input)
      const plan = {
        id: randomUUID(),
        seed: input.seed ?? 1,
        maxCalls: input.maxCalls ?? defaultMaxCalls,
        isDryRun: input.dryRun,
        tools: plans.map(({ planned }) => planned),
        skipped,
        inputs: plans.reduce((sum, { inputs }) => sum + inputs.length, 0),
      }
      const bar = progressBar(input.dryRun ? 0 : plan.inputs, context.environment)
      const { report, findings } = input.dryRun
        ? { report: undefined, findings: [] }
        : await runGeneratedChecks({
            catalog,
            call: calls.call,
            plans,
            skipped,
            seed: plan.seed,
            maxCalls: plan.maxCalls,
            timeMs: toLimitMs(input.time) ?? defaultTimeMs,
            callTimeoutMs: toLimitMs(input.timeout) ?? defaultCallTimeoutMs,
            rate: input.rate,
            concurrency: input.concurrency ?? 1,
            signal: context.signal,
            onProgress: ({ ref }) => bar.step(ref),
          }).finally(() => bar.end())
      if (report !== undefined)
        await keepScores(store, tools, report.tools).catch(thrown =>
          context.say(`The scores were not stored: ${toErrorMessage(thrown)}`),
        )
      if (input.save) {
        const keeper = config.path === null ? keepInStore(store) : keepInFiles(config.directory)
        await saveExamples(findings, tools, keeper, context)
      }
      const generated: Generated = {
        plan,
        findings: [...findings],
        ...withoutUndefined({ report }),
      }
      const unreachable = failures.map(each => each.message)
      const counts = countTools(generated)
      const output = { examples: [], problems: [], unreachable, counts, generated }
      const gap = chooseExitCode(failures) === exitCodes.fine ? describeGap(generated, input) : undefined
      if (gap !== undefined) context.say(gap)
      const tested = gap === undefined ? chooseExitCode(failures) : exitCodes.usage
      const rendered = reports.render({ output, version, unreachable, ...generated }, input, context)
      return { output, exitCode: findings.length > 0 ? exitCodes.toolFailed : tested, ...rendered }
    },
    { needsTools: false },
  )
}

type Generated = z.output<typeof generatedOutput>

/** A run without a finding has passed only if it tested something, and everything that was planned. */
function describeGap(
  { plan, report, findings }: Generated,
  { allowEmpty, allowPartial }: GenerateInput,
): string | undefined {
  const isEmpty = report === undefined ? plan.inputs === 0 : !report.tools.some(isTested)
  if (isEmpty)
    return allowEmpty ? undefined : 'No tool was checked. The report says why; --allow-empty allows it.'
  if (report === undefined || allowPartial || findings.length > 0) return undefined
  const { sent, planned } = report.sent
  return sent < planned
    ? `Only ${sent} of ${planned} inputs were sent, so the rest is unknown; --allow-partial allows it.`
    : undefined
}

/** Counts tools: one passed if each of its inputs was sent and none has a finding. */
function countTools({ plan: { tools, skipped }, report, findings }: Generated) {
  const failed = tools.filter(({ ref }) => findings.some(finding => finding.ref === ref)).length
  const passed = (report?.tools ?? []).filter(hasPassed).length
  return { passed, failed, skipped: skipped.length + tools.length - passed - failed }
}

async function planTools(tools: readonly Tool[], input: GenerateInput) {
  const permission = input.all ? 'all' : input.idempotent ? 'idempotent' : 'read-only'
  const plans: ToolPlan[] = []
  const skipped: SkippedTool[] = []
  for (const tool of tools) {
    const risk = findRisk(tool, { permission, consents: input.allowDestructive })
    if (risk !== undefined) skipped.push(risk)
    else plans.push(await planTool(tool, { seed: input.seed ?? 1, listsInputs: input.dryRun }))
  }
  return { plans, skipped }
}

async function saveExamples(
  findings: readonly GeneratedFinding[],
  tools: readonly Tool[],
  keeper: ExampleKeeper,
  context: CommandContext,
): Promise<void> {
  let saved = 0
  for (const { ref, exampleText } of findings) {
    const tool = tools.find(each => each.ref === ref)
    const reading = exampleText === undefined ? undefined : readExample(exampleText)
    if (tool === undefined || reading?.ok !== true) continue
    await keeper.save(toExampleKey(tool), reading.example)
    saved += 1
  }
  context.say(`${counted(saved, 'example')} saved in ${keeper.place}`)
}
