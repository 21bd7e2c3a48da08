import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import { createWorkerClient } from '../api/worker-requests.ts'
import type { DiffReply, DiffRequest } from './diff.worker.ts'
import workerAddress from './diff.worker.ts?worker&url'
import type { LoadPart } from './load-part.ts'

/** The differ has limits of its own; beyond this it hangs. */
const timeoutMs = 30_000

/** The worker's program is a part of the data: no worker can be started from a file of a folder on disk. */
const workerPart = workerAddress.replace(/^.*\//, '').replace(/\.js$/, '')

export type Compare = (a: DiffSide, b: DiffSide, rules: TeamRules, strict?: boolean) => Promise<DiffReport>

/** Returns the function that compares two manifests in a worker. It rejects with an AppError where that fails. */
export function createCompare(load: LoadPart): Compare {
  const send = createWorkerClient<DiffRequest, DiffReply>(
    async () => {
      const program = new Blob([await load<string>(workerPart)], { type: 'text/javascript' })
      return new Worker(URL.createObjectURL(program))
    },
    timeoutMs,
    { failed: 'it took too long' },
  )
  return async (a, b, rules, strict = false) => {
    const reply = await send({ a, b, rules, strict })
    if ('report' in reply) return reply.report
    throw new AppError('internal', `The comparison failed: ${reply.failed}`)
  }
}
