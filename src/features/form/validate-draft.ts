/** One worker that validates drafts; it is replaced when a validation takes too long. */
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import type { ValidationReply } from './validator.worker.ts'
import ValidatorWorker from './validator.worker.ts?worker'

const timeoutMs = 2000

interface PendingRequest {
  readonly resolve: (issues: readonly ValidationIssue[]) => void
  readonly timer: ReturnType<typeof setTimeout>
}

let worker: Worker | undefined
let lastId = 0
const pending = new Map<number, PendingRequest>()

/** The issues of a draft. None when validation takes more than 2 s: the server validates with the call. */
export function validateDraft(schemaText: string, text: string): Promise<readonly ValidationIssue[]> {
  worker ??= start()
  const id = ++lastId
  return new Promise(resolve => {
    pending.set(id, { resolve, timer: setTimeout(replaceWorker, timeoutMs) })
    worker?.postMessage({ id, schemaText, text })
  })
}

function start(): Worker {
  const started = new ValidatorWorker()
  started.addEventListener('message', ({ data }: MessageEvent<ValidationReply>) =>
    settle(data.id, data.issues),
  )
  started.addEventListener('error', replaceWorker)
  return started
}

function settle(id: number, issues: readonly ValidationIssue[]): void {
  const request = pending.get(id)
  if (!request) return
  pending.delete(id)
  clearTimeout(request.timer)
  request.resolve(issues)
}

function replaceWorker(): void {
  worker?.terminate()
  worker = undefined
  for (const id of [...pending.keys()]) settle(id, [])
}
