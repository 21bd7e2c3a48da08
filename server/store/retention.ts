/** How much is kept. */

/**
 * Limits by count and by age. Pinned calls, labelled snapshots and the newest snapshot of a source are never deleted.
 */
export interface Retention {
  /** Calls, or snapshots of one source; protected ones are not counted. */
  readonly maxCount: number
  /** Absent: no limit by age. */
  readonly maxDays?: number
}

export const callRetention: Retention = { maxCount: 100_000, maxDays: 90 }
export const snapshotRetention: Retention = { maxCount: 10_000 }
