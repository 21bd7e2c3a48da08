/** A set of tools in the form that an agent gets, with its size in tokens and its portability findings. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
import { type LintFinding, lintClients, lintSeverities } from '../lint/lint-finding.ts'
import type { PromptMeasure } from '../prompt/measure.ts'
import { promptFormats } from '../prompt/prompt-formats.ts'
import type { LintSummary } from '../report/lint-report.ts'
import { defineEndpoints } from './endpoint.ts'

const names = z.array(z.string().max(10_000)).max(100_000).readonly().default([])

const choice = {
  sources: names,
  /** Words, or a pattern with `*`. */
  query: z.string().max(500).default(''),
  /** References of tools that are left out. */
  without: names,
}

const promptBody = z.object({
  ...choice,
  format: z.enum(promptFormats).default('text'),
  compact: z.boolean().default(false),
  budget: z.number().int().min(1).max(1_000_000_000).optional(),
})
export type PromptQuery = z.infer<typeof promptBody>

const lintBody = z.object({ ...choice, clients: z.array(z.enum(lintClients)).readonly().optional() })
export type LintQuery = z.infer<typeof lintBody>

export const promptMeasure = z.object({
  total: z.number().describe('Of the prompt above.'),
  full: z.number(),
  compact: z.number(),
  saved: z.number().describe('What compact leaves out of full, 0 to 1.'),
  frame: z.number().describe('What is there without any tool.'),
  sources: z.array(z.object({ source: z.string(), tools: z.number(), tokens: z.number() })),
  tools: z.array(
    z.object({
      ref: z.string(),
      source: z.string(),
      name: z.string().describe('The name it is sent under.'),
      tokens: z.number(),
    }),
  ),
  fields: z
    .array(
      z.object({
        ref: z.string(),
        name: z.string(),
        path: z.string(),
        tokens: z.number(),
        tools: z.number().describe('How many tools have the same field.'),
        share: z.number(),
      }),
    )
    .describe('The heaviest fields of the full prompt, 20 at most.'),
  budget: z
    .object({
      tokens: z.number(),
      inOrder: z.number().describe('Tools that fit from the first on.'),
      atMost: z.number().describe('Tools that fit when the lightest come first.'),
    })
    .exactOptional(),
}) satisfies z.ZodType<PromptMeasure>

const measure: z.ZodType<PromptMeasure> = promptMeasure

const promptAnswer = z.object({
  format: z.enum(promptFormats),
  compact: z.boolean(),
  /** The encoding that counted the tokens. */
  encoding: z.string(),
  /** The first 200,000 characters of the prompt, indented. */
  preview: z.string(),
  /** Whether the prompt is longer than the preview. */
  cut: z.boolean(),
  /** Characters of the whole prompt as it is sent, without indentation. */
  characters: z.number(),
  /**
   * The first 5,000 matches of the query, those in `without` included, in the order of the catalog. `matchedCount`
   * counts all.
   */
  matched: list(z.object({ ref: z.string(), source: z.string(), name: z.string() })),
  matchedCount: z.number(),
  /** `tools` contains the first 5,000. */
  measure,
  toolCount: z.number(),
})
export type PromptAnswer = z.infer<typeof promptAnswer>

export const lintFinding = z.object({
  rule: z.string(),
  severity: z.enum(lintSeverities),
  clients: z.array(z.enum(lintClients)),
  ref: z.string().exactOptional().describe('The tool; absent for the whole catalog.'),
  name: z.string().exactOptional(),
  path: z.string().describe('JSON Pointer from the tool’s own fields.'),
  message: z.string(),
  remedy: z.string(),
}) satisfies z.ZodType<LintFinding>

const lintSummary: z.ZodType<LintSummary> = z.object({
  counts: z.object({ error: z.number(), warning: z.number(), info: z.number() }),
  toolCount: z.number(),
  rules: z.array(
    z.object({
      rule: z.string(),
      title: z.string(),
      severity: z.enum(lintSeverities),
      clients: z.array(z.enum(lintClients)),
      source: z
        .string()
        .exactOptional()
        .describe('Where the first of the clients says so; absent for a cue.'),
      count: z.number(),
      tools: z.number(),
      findings: z.array(lintFinding),
    }),
  ),
})

export const promptEndpoints = defineEndpoints({
  'POST /api/prompt': {
    right: 'read',
    about: 'A set of tools as an agent gets it, measured in tokens',
    body: promptBody,
    answer: promptAnswer,
  },
  'POST /api/prompt/text': {
    right: 'read',
    about: 'The whole prompt',
    body: promptBody,
    format: 'text',
    answer: z.string(),
  },
  'POST /api/lint': {
    right: 'read',
    about: 'What clients would refuse or alter in a set of tools',
    body: lintBody,
    answer: lintSummary,
  },
})
