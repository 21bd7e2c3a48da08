/** Compares manifests on a thread, so that a large comparison delays no other answer of the server. */
import { JsonText } from '../../core/api/endpoint.ts'
import type { DiffAnswer } from '../../core/api/versions.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import { workerFile } from '../workers/worker-file.ts'
import { WorkerError, WorkerPool } from '../workers/worker-pool.ts'
import type { CountChanges } from './counts-cache.ts'
import type { DiffRequest } from './diff-worker.ts'

/**
 * Only a safety net: the work is limited by counted steps (core/compat/proof-limits.ts), which are the same on every machine.
 * The timeout ends the thread and gives an error, never a different report.
 */
const diffTimeoutMs = 60_000
/** A comparison that the user waits for is delayed neither by those of the versions list nor by slow ones. */
const maxThreads = 2
const maxSlowThreads = 4

/** Like `diffManifests` of core, with both sides. */
export type CompareSides = (
  a: DiffAnswer['a'],
  b: DiffAnswer['b'],
  options: { readonly strict: boolean; readonly rules: TeamRules; readonly signal: AbortSignal },
) => Promise<JsonText<DiffAnswer>>

/** Both reject with AppError `request-invalid` if the comparison takes longer than a minute. */
export interface DiffService {
  readonly compare: CompareSides
  readonly count: CountChanges
  close(): Promise<void>
}

export function createDiffService(timeoutMs = diffTimeoutMs): DiffService {
  const pool = new WorkerPool<DiffRequest, string>(workerFile('diff-worker'), maxThreads, maxSlowThreads)
  async function ask(request: DiffRequest, signal?: AbortSignal): Promise<string> {
    try {
      return await pool.request(() => request, { timeoutMs, ...(signal ? { signal } : {}) })
    } catch (thrown) {
      if (!(thrown instanceof WorkerError) || thrown.reason !== 'timeout') throw thrown
      throw new AppError('request-invalid', `the comparison took longer than ${timeoutMs / 1000} s`, {
        hint: 'Compare fewer tools, or run `toolscope diff`, which has no limit.',
        cause: thrown,
      })
    }
  }
  return {
    compare: async (a, b, { strict, rules, signal }) =>
      new JsonText(await ask({ wanted: 'answer', a, b, strict, rules }, signal)),
    count: async (before, after, { steps, rules }) =>
      JSON.parse(await ask({ wanted: 'counts', before, after, steps, rules })),
    close: () => pool.close(),
  }
}
