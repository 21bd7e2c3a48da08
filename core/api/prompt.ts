/** What the page asks and gets about prompts and portability: `POST /api/prompt`, `/api/prompt/text`, `/api/lint`. */
import { z } from 'zod'
import { lintClients } from '../lint/finding.ts'
import type { LintSummary } from '../lint/summary.ts'
import { type PromptFormat, promptFormats } from '../prompt/formats.ts'
import type { PromptMeasure } from '../prompt/measure.ts'

const names = z.array(z.string().max(10_000)).max(100_000).default([])

const choice = {
  sources: names,
  /** Words, or a pattern with `*`. */
  query: z.string().max(500).default(''),
  /** References of tools that are left out. */
  without: names,
}

export const promptBody = z.object({
  ...choice,
  format: z.enum(promptFormats).default('text'),
  compact: z.boolean().default(false),
  budget: z.number().int().min(1).max(1_000_000_000).optional(),
})

export type PromptQuery = z.infer<typeof promptBody>

export const lintBody = z.object({ ...choice, clients: z.array(z.enum(lintClients)).optional() })

export type LintQuery = z.infer<typeof lintBody>

/** A tool that the query finds, whether it is left out or not. */
export interface MatchedTool {
  readonly ref: string
  readonly source: string
  readonly name: string
}

export interface PromptAnswer {
  readonly format: PromptFormat
  readonly compact: boolean
  /** The encoding that counted. */
  readonly encoding: string
  /** The first 200,000 characters of the prompt, indented for people. */
  readonly preview: string
  /** Whether there is more than the preview. */
  readonly cut: boolean
  /** Characters of the whole as it is sent, without indentation. */
  readonly characters: number
  /** The first 5,000 that the query finds, in the order of the catalog; `matchedCount` counts all. */
  readonly matched: readonly MatchedTool[]
  readonly matchedCount: number
  /** `tools` holds the first 5,000. */
  readonly measure: PromptMeasure
  readonly toolCount: number
}

export type LintAnswer = LintSummary
