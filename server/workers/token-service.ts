/** Counts tokens on a thread of its own, with a time limit. */
import { AppError, toErrorMessage } from '../../core/errors.ts'
import type { CountTexts } from '../../core/prompt/fields.ts'
import { workerFile } from './worker-file.ts'
import { WorkerError, WorkerPool } from './worker-pool.ts'

/** A catalog of 5,000 tools takes five seconds; anything above this limit is hostile. */
const countTimeoutMs = 60_000

/**
 * Uses one thread, which starts with the first count and ends after a while without one; it caches its counts. A count
 * that takes longer than `timeoutMs` rejects with AppError `request-invalid` and ends the thread.
 */
export function createTokenService(timeoutMs = countTimeoutMs): CountTexts {
  const pool = new WorkerPool<readonly string[], readonly number[]>(workerFile('token-worker'), 1)
  return texts =>
    pool
      .request(() => texts, { timeoutMs })
      .catch((thrown: unknown) => {
        const detail =
          thrown instanceof WorkerError && thrown.reason === 'timeout'
            ? `counting the tokens took longer than ${timeoutMs / 1000} s and was stopped`
            : `the tokens could not be counted: ${toErrorMessage(thrown)}`
        const hint = 'Choose fewer tools, or leave out those with very long schemas.'
        throw new AppError('request-invalid', detail, { hint, cause: thrown })
      })
}
