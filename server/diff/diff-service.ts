/** Compares manifests on a thread, so that a large comparison delays no other answer of the server. */
import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import { AppError } from '../../core/errors.ts'
import { workerFile } from '../workers/worker-file.ts'
import { WorkerError, WorkerPool } from '../workers/worker-pool.ts'
import type { DiffRequest } from './diff-worker.ts'

/** Containment has a budget of its own (8 s); the rest grows with the manifests. */
const TIMEOUT_MS = 60_000
/** A comparison that somebody waits for does not wait for those of the versions list, nor for slow ones. */
const maxThreads = 2
const maxSlowThreads = 4

export interface DiffOptions {
  /** Milliseconds for all containment questions together; 8,000 unless given. */
  readonly milliseconds?: number
  readonly signal?: AbortSignal
}

export type CompareManifests = (
  before: DiffSide,
  after: DiffSide,
  options?: DiffOptions,
) => Promise<DiffReport>

export interface DiffService {
  /** As `diffManifests` of core. Rejects with AppError `request-invalid` where it takes longer than a minute. */
  readonly compare: CompareManifests
  close(): Promise<void>
}

export function createDiffService(timeoutMs = TIMEOUT_MS): DiffService {
  const pool = new WorkerPool<DiffRequest, DiffReport>(workerFile('diff-worker'), maxThreads, maxSlowThreads)
  return {
    async compare(before, after, { signal, milliseconds } = {}) {
      const request = { before, after, ...(milliseconds === undefined ? {} : { milliseconds }) }
      try {
        return await pool.request(() => request, { timeoutMs, ...(signal ? { signal } : {}) })
      } catch (thrown) {
        if (!(thrown instanceof WorkerError) || thrown.reason !== 'timeout') throw thrown
        throw new AppError('request-invalid', `the comparison took longer than ${timeoutMs / 1000} s`, {
          hint: 'Compare fewer tools, or run `toolscope diff`, which has no limit.',
          cause: thrown,
        })
      }
    },
    close: () => pool.close(),
  }
}
