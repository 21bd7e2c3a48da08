/** The JSON report and its schema; docs/diff-report.schema.json is made from it. */

import { z } from 'zod'
import { fails, type ReportInput } from './diff-format.ts'

/** Returns the report as data in the published shape. */
export function jsonReport({ a, b, report, failOn }: ReportInput): JsonReport {
  const {
    counts,
    proved,
    undecided,
    compared,
    changes,
    ignored,
    unusedIgnores,
    switchedOff,
    lowered,
    strict,
  } = report
  const failed = changes.some(change => fails(change, failOn))
  // Printing does not change the report, so its readonly types can be dropped.
  const what = { counts, proved, undecided, compared, changes, ignored, unusedIgnores, lowered, switchedOff }
  return { a, b, failOn, failed, strict, ...what } as JsonReport
}

const verdict = z.enum(['proved', 'refuted', 'unknown', 'invalid'])
const severity = z.enum(['breaking', 'dangerous', 'warning', 'info'])

export const changeShape = z.object({
  fingerprint: z
    .string()
    .regex(/^[0-9a-f]{8}$/)
    .describe('Stable over runs and over unrelated changes; what an ignore file names.'),
  rule: z.string().describe('The rule that found it: property-removed, maximum-lowered …'),
  severity,
  direction: z.enum(['input', 'output', 'annotation', 'text', 'tool']),
  tool: z
    .string()
    .exactOptional()
    .describe('Absent for the manifest itself and for what concerns several tools.'),
  path: z.string().describe('JSON Pointer into the value, * for any item; or the name of a field.'),
  alsoAt: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe('Other locations of the same change: a definition that is used several times.'),
  message: z.string(),
  before: z.unknown().optional(),
  after: z.unknown().optional(),
  strict: verdict.exactOptional().describe('Containment as a set of values.'),
  declared: verdict
    .exactOptional()
    .describe(
      'Containment for callers that send only declared properties. "proved" holds together with all other changes; absent where breaksWith says what the change breaks.',
    ),
  reason: z.string().exactOptional(),
  witness: z
    .object({
      value: z.unknown(),
      path: z.string(),
      error: z.string(),
      acceptedBy: z.enum(['before', 'after']),
    })
    .exactOptional()
    .describe('A whole input or output that the one schema takes and the other refuses.'),
  refusedAt: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe('Declared properties that some values can no longer have.'),
  parts: z
    .array(
      z.object({
        rule: z.string(),
        path: z.string(),
        message: z.string(),
        before: z.unknown().optional(),
        after: z.unknown().optional(),
      }),
    )
    .readonly()
    .exactOptional()
    .describe('The other changes that break only together with this one.'),
  breaksWith: z
    .array(z.string())
    .readonly()
    .exactOptional()
    .describe('The combined changes that this one is a part of.'),
  tools: z.array(z.string()).readonly().exactOptional(),
  cues: z.array(z.string()).readonly().exactOptional(),
  words: z
    .array(z.object({ kind: z.enum(['same', 'added', 'removed']), text: z.string() }))
    .readonly()
    .exactOptional(),
})

export const reportShape = z.object({
  a: z.string().describe('The old manifest.'),
  b: z.string().describe('The new manifest.'),
  failOn: z.enum([...severity.options, 'none']),
  failed: z
    .boolean()
    .describe('Is there a change of that severity or worse? Then the exit code is 5; never with none.'),
  strict: z
    .boolean()
    .describe('Severities by what any value meets (--strict), not only callers that send declared fields.'),
  counts: z.object({ breaking: z.int(), dangerous: z.int(), warning: z.int(), info: z.int() }),
  proved: z.int().describe('Schema changes that are proved compatible.'),
  undecided: z.int(),
  compared: z.int().describe('Tools that are in both.'),
  changes: z.array(changeShape).readonly(),
  ignored: z.array(changeShape).readonly().describe('Changes that the ignore file hides.'),
  unusedIgnores: z
    .array(z.string())
    .readonly()
    .describe('Fingerprints of the entries of the ignore file that match no change.'),
  lowered: z.int().describe('Breaking changes that the rules file rates lower, or switches off.'),
  switchedOff: z
    .record(z.string(), z.int())
    .describe('How many changes the rules file switched off, by rule.'),
})
export type JsonReport = z.infer<typeof reportShape>
