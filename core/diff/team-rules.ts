/** A team's own rules: severities by rule, and accepted changes. */
import { z } from 'zod'
import type { Change } from './change.ts'
import type { Overrides } from './severity.ts'

export const ruleSetting = z.enum(['breaking', 'dangerous', 'warning', 'info', 'off'])

export const ignoreEntry = z.strictObject({
  fingerprint: z.string().regex(/^[0-9a-f]{8}$/, 'must be the eight hex digits that the report shows'),
  reason: z.string().min(1).describe('Why this change is accepted.'),
  expires: z.iso
    .date()
    .exactOptional()
    .describe('The last day on which it is ignored; for ever when absent.'),
})
export type IgnoreEntry = z.infer<typeof ignoreEntry>

/** The rules of a comparison with their files; empty if no file is named. */
export const teamRules = z.object({
  rules: z
    .object({
      /** The file's name as in the configuration or the option. */
      file: z.string(),
      severities: z.record(z.string(), ruleSetting),
    })
    .exactOptional(),
  ignore: z
    .object({
      file: z.string(),
      entries: z.array(ignoreEntry).readonly(),
      /** The day for which expiry is checked: `2026-11-21`. */
      today: z.string(),
    })
    .exactOptional(),
})
export type TeamRules = z.infer<typeof teamRules>

export type Ignores = Pick<NonNullable<TeamRules['ignore']>, 'entries' | 'today'>

/** Returns the rules as options of `diffManifests`. */
export function rulesOptions({ rules, ignore }: TeamRules): {
  readonly overrides?: Overrides
  readonly ignores?: Ignores
} {
  return { ...(rules && { overrides: rules.severities }), ...(ignore && { ignores: ignore }) }
}

export function isIgnored(change: Change, ignores: Ignores | undefined): boolean {
  return (
    ignores?.entries.some(one => one.fingerprint === change.fingerprint && !isExpired(one, ignores)) ?? false
  )
}

/** Returns whether the last day of an entry has passed. */
export function isExpired({ expires }: IgnoreEntry, { today }: Pick<Ignores, 'today'>): boolean {
  return expires !== undefined && expires < today
}

/** Returns expired entries whose change was found and counts again, each change once. */
export function expiredIgnores(
  ignores: Ignores,
  unused: readonly string[],
): readonly (IgnoreEntry & { readonly expires: string })[] {
  const valid = ignores.entries.filter(one => !isExpired(one, ignores))
  const seen = new Set([...unused, ...valid.map(({ fingerprint }) => fingerprint)])
  return ignores.entries.flatMap(one => {
    const { fingerprint, expires } = one
    if (expires === undefined || seen.has(fingerprint)) return []
    seen.add(fingerprint)
    return [{ ...one, expires }]
  })
}

/** Returns fingerprints of entries, including expired ones, that match none of the changes. */
export function unusedIgnores(changes: readonly Change[], ignores: Ignores | undefined): readonly string[] {
  const found = new Set(changes.map(({ fingerprint }) => fingerprint))
  const unused = ignores?.entries.filter(({ fingerprint }) => !found.has(fingerprint)) ?? []
  return [...new Set(unused.map(({ fingerprint }) => fingerprint))]
}
