/** The server's validation: off the main thread except for quick checks, limited in time, and without exceptions. */
import { availableParallelism } from 'node:os'
import { toErrorMessage } from '../../core/errors.ts'
import type { Json } from '../../core/json/json.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { isSurelyValid, takesQuickChecks } from './quick-check.ts'
import { schemaHash } from './schema-hash.ts'
import type { HashedValidation } from './worker.ts'
import { workerFile } from './worker-file.ts'
import { WorkerError, WorkerPool } from './worker-pool.ts'

const maxThreads = Math.max(2, Math.min(4, availableParallelism()))
/** Additional threads for slow requests, which are limited in time too. */
const maxSlowThreads = 8
/** Schemas that one thread keeps before it drops all of them. */
const maxSentSchemas = 500

export interface Validator {
  /**
   * Returns `no schema` if `schema` is undefined; `unchecked`, with a note, if the schema is broken or takes too long.
   *
   * @param source the schema's source: slow schemas of one source do not delay those of another
   */
  validate(schema: JsonSchema | undefined, value: unknown, source?: string): Promise<Validation>
  /** Starts a thread if values of this schema may need one, so that a later validation does not wait for it. */
  expect(schema: JsonSchema | undefined): void
  close(): Promise<void>
}

/** @param timeoutMs limit of one validation, without the wait for a thread; a longer one is stopped */
export function startValidator(timeoutMs = 2_000): Validator {
  const pool = new WorkerPool<HashedValidation, Validation>(
    workerFile('validation-worker'),
    maxThreads,
    maxSlowThreads,
  )
  return {
    async validate(schema, value, source) {
      if (schema === undefined) return { verdict: 'no schema', issues: [] }
      if (isSurelyValid(schema, value)) return { verdict: 'valid', issues: [] }
      try {
        const hash = schemaHash(schema)
        // A value that cannot be cloned to the thread is not valid JSON: then only this request fails.
        return await pool.request(sent => toRequest(sent, hash, schema, value as Json), {
          timeoutMs,
          ...(source !== undefined && { origin: source }),
        })
      } catch (thrown) {
        return { verdict: 'unchecked', issues: [], note: describeCheckFailure(thrown, timeoutMs) }
      }
    },
    expect(schema) {
      if (schema !== undefined && !takesQuickChecks(schema)) pool.startOne()
    },
    close: () => pool.close(),
  }
}

/** A thread receives the text of each schema once. */
function toRequest(sent: Set<string>, hash: string, schema: JsonSchema, value: Json): HashedValidation {
  if (sent.has(hash)) return { hash, value, reset: false }
  const reset = sent.size >= maxSentSchemas
  if (reset) sent.clear()
  sent.add(hash)
  return { hash, schemaText: JSON.stringify(schema), value, reset }
}

function describeCheckFailure(thrown: unknown, timeoutMs: number): string {
  if (thrown instanceof WorkerError && thrown.reason === 'timeout')
    return `Checking took longer than ${timeoutMs / 1000} s and was stopped.`
  return `The value could not be checked: ${toErrorMessage(thrown)}.`
}
