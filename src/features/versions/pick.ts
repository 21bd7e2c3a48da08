import type { Version } from '../../../core/snapshot/snapshot.ts'

/** The two versions that are to be compared, by their references. */
export interface Pick {
  readonly a: string | undefined
  readonly b: string | undefined
}

/**
 * What is picked, where nobody has picked yet the newest against the one of its kind before it. A version that is listed no more
 * is no longer picked.
 * @param versions newest first
 */
export function effectivePick(versions: readonly Version[], pick: Pick): Pick {
  const listed = new Set(versions.map(version => version.reference))
  const kept = (reference: string | undefined) =>
    reference !== undefined && listed.has(reference) ? reference : undefined
  const b = kept(pick.b) ?? versions[0]?.reference
  const at = versions.findIndex(version => version.reference === b)
  const rest = versions.slice(at + 1)
  const before = rest.find(version => version.kind === versions[at]?.kind) ?? rest[0]
  const older = before?.reference ?? versions.find(version => version.reference !== b)?.reference
  return { a: kept(pick.a) ?? older, b }
}
