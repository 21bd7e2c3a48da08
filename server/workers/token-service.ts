/** Counts tokens on a thread of its own, bounded in time. */
import { AppError, messageOf } from '../../core/errors.ts'
import type { CountTexts } from '../../core/prompt/fields.ts'
import { workerFile } from './worker-file.ts'
import { WorkerError, WorkerPool } from './worker-pool.ts'

/** A catalog of 5,000 tools takes five seconds; what takes longer than this is hostile. */
const countTimeoutMs = 60_000

/**
 * One thread, started with the first count and kept until none comes for a while: it remembers what it counted. A count that takes longer than
 * `timeoutMs` rejects with AppError `request-invalid` and ends the thread.
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
            : `the tokens could not be counted: ${messageOf(thrown)}`
        const hint = 'Choose fewer tools, or leave out those with very long schemas.'
        throw new AppError('request-invalid', detail, { hint, cause: thrown })
      })
}
