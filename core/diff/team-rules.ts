/** A team's own rules: severities by rule, and changes that it accepted. */
import { z } from 'zod'
import type { Change } from './change.ts'
import { ruleCatalogue } from './rules/schema-rules.ts'

const setting = z.enum(['breaking', 'dangerous', 'warning', 'info', 'off'])

/** The shape of a rules file: `{"rules": {"property-added": "warning"}}`. An unknown rule is an error. */
export const rulesFile = z.strictObject({
  $schema: z.string().optional(),
  rules: z.record(
    z.string().refine(id => Object.hasOwn(ruleCatalogue, id), {
      error: issue => `there is no rule "${String(issue.input)}"; see docs/diff.md for the list`,
    }),
    setting,
  ),
})

const entry = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{8}$/, 'must be the eight hex digits that the report shows'),
  reason: z.string().min(1).describe('Why this change is accepted.'),
  expires: z.iso.date().optional().describe('The last day on which it is ignored; for ever when absent.'),
})

/** The shape of an ignore file. */
export const ignoreFile = z.strictObject({ $schema: z.string().optional(), ignore: z.array(entry) })

export interface Ignores {
  readonly entries: readonly z.infer<typeof entry>[]
  /** The day to measure expiry by: `2026-11-21`. */
  readonly today: string
}

export function isIgnored(change: Change, ignores: Ignores | undefined): boolean {
  return (
    ignores?.entries.some(
      one =>
        one.fingerprint === change.fingerprint && (one.expires === undefined || one.expires >= ignores.today),
    ) ?? false
  )
}

/** Entries whose day has passed: worth saying, since the changes they hid are back. */
export function expired(ignores: Ignores): readonly z.infer<typeof entry>[] {
  return ignores.entries.filter(one => one.expires !== undefined && one.expires < ignores.today)
}
