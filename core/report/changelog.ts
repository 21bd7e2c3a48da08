/** The shape of a changelog: plain data for the reports, the HTTP API and an export. */
import { z } from 'zod'
import type { DiffSide } from '../diff/change.ts'
import { severities } from '../diff/severity.ts'

export interface ChangelogVersion {
  /** The version's argument of `toolscope diff`: `acme@3`. */
  readonly reference: string
  readonly name: string
  /** ISO 8601. */
  readonly time?: string | undefined
  /** Labels of the version, or the first line of the commit. Hostile text. */
  readonly note?: string | undefined
  readonly side: DiffSide
}

/** The release that semantic versioning requires for these changes. `none`: nothing changed. */
export const bumps = ['major', 'minor', 'patch', 'none'] as const
export type Bump = (typeof bumps)[number]

const versionName = z.object({
  reference: z
    .string()
    .describe('What `toolscope diff` takes for this version: acme@3, a file, git:REV:path.'),
  name: z.string().describe('For people: acme@3, 1.4.0, 1f3a2b4c.'),
})

const breakShape = z.object({
  fingerprint: z.string(),
  rule: z.string(),
  tool: z
    .string()
    .exactOptional()
    .describe('Absent for the manifest itself and for what concerns several tools.'),
  tools: z.array(z.string()).readonly().exactOptional(),
  direction: z.enum(['input', 'output', 'annotation', 'text', 'tool']),
  path: z.string(),
  message: z.string(),
  refusal: z
    .string()
    .exactOptional()
    .describe(
      'What the value shows, in words: An input that worked before and fails now: /n must not be above 50.',
    ),
  witness: z
    .object({
      value: z.unknown(),
      path: z.string(),
      error: z.string(),
      acceptedBy: z.enum(['before', 'after']),
    })
    .exactOptional()
    .describe('A whole input or output that the one version takes and the other refuses.'),
})
export type ChangelogBreak = z.infer<typeof breakShape>

export const entryShape = versionName.extend({
  time: z.string().exactOptional().describe('ISO 8601; absent if unknown, as for a file.'),
  note: z.string().exactOptional().describe('The labels of the version, or the first line of the commit.'),
  before: versionName
    .exactOptional()
    .describe('The version that it is compared with; absent for the first one.'),
  sentence: z.string(),
  bump: z.enum(bumps).exactOptional().describe('Absent for the first version.'),
  toolCount: z.int(),
  counts: z.record(z.enum(severities), z.int()),
  undecided: z.int().describe('Changes that could not be decided within the limits.'),
  breaking: z
    .array(breakShape)
    .readonly()
    .describe('The most of them that were asked for; counts has the total.'),
  added: z
    .array(z.string())
    .readonly()
    .describe('Tools; prompts, resources, templates and skills with their kind before.'),
  removed: z.array(z.string()).readonly(),
  renamed: z.array(z.object({ before: z.string(), after: z.string() })).readonly(),
})
/** One version compared with the previous one. */
export type ChangelogEntry = z.infer<typeof entryShape>

export const changelogShape = z.object({
  title: z.string().describe('What the versions are of: acme, tools.json.'),
  entries: z.array(entryShape).readonly().describe('Newest first.'),
  older: z.int().describe('Versions before those that are listed.'),
})
export type Changelog = z.infer<typeof changelogShape>
