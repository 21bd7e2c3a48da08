/** Generated checks: inputs made from the schema of a tool, their calls, and the scores that they give. */
import { z } from 'zod'
import { answerVerdicts } from '../checks/assess-answer.ts'
import type { Constraint } from '../checks/constraints.ts'
import type { ContractScore } from '../checks/contract-score.ts'
import type { SchemaCoverage } from '../checks/generate-inputs.ts'
import {
  type CheckedTool,
  type GeneratedFinding,
  type GeneratedPlan,
  type GeneratedProgress,
  type GeneratedReport,
  type PlannedTool,
  runEndings,
  type ScoreList,
  type SkippedTool,
} from '../checks/generated-checks.ts'
import { list } from '../json/zod-shapes.ts'
import { appError, toolAnnotations } from '../tool/shapes.ts'
import { audited, defineEndpoints, joinTarget } from './endpoint.ts'

const kind = z.enum(['valid', 'invalid'])
const constraint: z.ZodType<Constraint> = z.object({
  pointer: z.string(),
  keyword: z.string(),
  value: z.unknown(),
})
const count = z.object({ total: z.number(), exercised: z.number() })
const coverage = z.object({
  constraints: count,
  branches: count,
  enumValues: count,
}) satisfies z.ZodType<SchemaCoverage>

export const score = z.object({
  total: z.union([z.number(), z.literal('not tested')]),
  parts: z.object({
    staysAlive: z.number().exactOptional(),
    refusesForbidden: z.number().exactOptional(),
    namesField: z.number().exactOptional(),
    keepsOutput: z.number().exactOptional(),
    declaresOutput: z.number().exactOptional(),
  }),
  calls: z.number(),
}) satisfies z.ZodType<ContractScore>
const sourceScore = z.object({ source: z.string(), score })

const plannedTool = z.object({
  ref: z.string(),
  annotations: toolAnnotations,
  valid: z.number(),
  invalid: z.number(),
  unconfirmed: z.number(),
  coverage,
  unknowns: list(z.object({ constraint, reason: z.string() })),
  problem: z.string().exactOptional(),
  inputs: list(
    z.object({
      inputText: z.string(),
      kind,
      constraint,
      field: z.string(),
      why: z.string(),
      note: z.string().exactOptional(),
    }),
  ).exactOptional(),
}) satisfies z.ZodType<PlannedTool>

const skippedTool = z.object({
  ref: z.string(),
  reason: z.string(),
  needs: z.enum(['idempotent', 'all', 'consent', 'nothing']),
}) satisfies z.ZodType<SkippedTool>

const plan = z.object({
  id: z.string(),
  seed: z.number(),
  maxCalls: z.number(),
  isDryRun: z.boolean(),
  tools: list(plannedTool),
  skipped: list(skippedTool),
  inputs: z.number(),
}) satisfies z.ZodType<GeneratedPlan>

const progress = z.object({
  calls: z.number(),
  inputs: z.number(),
  findings: z.number(),
  ref: z.string(),
}) satisfies z.ZodType<GeneratedProgress>

const generatedFinding = z.object({
  id: z.string(),
  ref: z.string(),
  verdict: z.enum(answerVerdicts).exclude(['ok', 'not-tested']),
  kind,
  message: z.string(),
  why: z.string(),
  constraint,
  field: z.string(),
  inputText: z.string(),
  isSmallest: z.boolean(),
  count: z.number(),
  calls: list(z.object({ ref: z.string(), inputText: z.string() })).exactOptional(),
  shellLine: z.string(),
  exampleText: z.string().exactOptional(),
  notes: list(z.string()),
}) satisfies z.ZodType<GeneratedFinding>

const checkedTool = z.object({
  ref: z.string(),
  planned: z.number(),
  inputs: z.number(),
  calls: z.number(),
  verdicts: z.partialRecord(z.enum(answerVerdicts), z.number()),
  coverage,
  coveragePercent: z.number(),
  score,
  findings: z.number(),
  cut: z.string().exactOptional(),
}) satisfies z.ZodType<CheckedTool>

const generatedReport = z.object({
  seed: z.number(),
  ending: z.enum(runEndings),
  sent: z.object({ planned: z.number(), sent: z.number(), percent: z.number() }),
  calls: z.number(),
  durationMs: z.number(),
  tools: list(checkedTool),
  sources: list(sourceScore),
  coveragePercent: z.number(),
  skipped: list(skippedTool),
}) satisfies z.ZodType<GeneratedReport>

/** The output of `toolscope check --generate --json`. */
export const generatedOutput = z.object({
  plan,
  report: generatedReport.exactOptional(),
  findings: z.array(generatedFinding),
})

/** `plan` is the first event. After a dry run it is the only one, otherwise `end` or `error` is the last. */
const generatedEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan }),
  z.object({ type: z.literal('progress'), progress }),
  z.object({ type: z.literal('finding'), finding: generatedFinding }),
  z.object({ type: z.literal('end'), report: generatedReport }),
  z.object({ type: z.literal('error'), error: appError }),
])
export type GeneratedEvent = z.infer<typeof generatedEvent>

const toolScore = z.object({
  ref: z.string(),
  source: z.string(),
  score,
  coveragePercent: z.number(),
  findings: z.number(),
  time: z.string(),
  isOutdated: z.boolean(),
})
const scoreList = z.object({
  tools: list(toolScore),
  sources: list(sourceScore),
}) satisfies z.ZodType<ScoreList>

export const generatedCheckEndpoints = defineEndpoints({
  'POST /api/generated-checks': audited({
    right: 'call',
    about:
      'Generates inputs from the schema of a tool, or of each tool of a source, and calls it with them; one event a line. Closing the connection ends the run',
    body: z
      .object({
        ref: z.string().min(1).optional(),
        /** Every tool of this source; `ref` is absent then. */
        source: z.string().min(1).optional(),
        /** The same seed gives the same inputs. */
        seed: z.number().int().min(0).max(2_147_483_647).default(1),
        maxCalls: z.number().int().min(1).max(20_000).default(500),
        /** Milliseconds for the whole run. */
        timeMs: z.number().int().min(1).max(3_600_000).default(300_000),
        /** Milliseconds for one call. */
        callTimeoutMs: z.number().int().min(1).max(600_000).default(5_000),
        concurrency: z.number().int().min(1).max(16).default(1),
        /** Calls in a second; no limit if absent. */
        rate: z.number().min(0.1).max(1_000).optional(),
        /** Calls nothing: the plan lists the inputs, also of tools that need a confirmation. */
        dryRun: z.boolean().default(false),
        /**
         * The user confirmed the risk: also calls a tool that is not declared read-only or may reach other systems. A
         * tool with a rule that asks before each call needs `ref`.
         */
        confirmed: z.boolean().default(false),
      })
      .strict()
      .refine(({ ref, source }) => (ref === undefined) !== (source === undefined), {
        error: 'name either "ref" or "source"',
      }),
    target: ({ body }) =>
      joinTarget(body.ref, body.source, body.dryRun && 'dryRun=true', body.confirmed && 'confirmed=true'),
    format: 'lines',
    answer: generatedEvent,
  }),
  'POST /api/generated-checks/{id}/stop': audited({
    right: 'call',
    about: 'Ends a run of generated checks after its current call; its last event is still the report',
    params: z.object({ id: z.string() }),
    target: ({ params }) => params.id,
    /** Whether the run was found here. */
    answer: z.object({ stopped: z.boolean() }),
  }),
  'GET /api/generated-checks/scores': {
    right: 'read',
    about: 'The scores of the last run of each tool, and of the sources; the store keeps them',
    query: z.object({ source: z.string().optional() }),
    answer: scoreList,
  },
})
