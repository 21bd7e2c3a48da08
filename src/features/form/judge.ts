/** One worker that judges drafts, ended and replaced when a judgement takes too long. */
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import type { JudgeAnswer } from './judge-protocol.ts'
import ValidatorWorker from './validator.worker.ts?worker'

const limitMs = 2000

interface Waiting {
  readonly resolve: (issues: readonly ValidationIssue[]) => void
  readonly timer: ReturnType<typeof setTimeout>
}

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, Waiting>()

/** The issues of a draft. None when judging takes more than 2 s: the server's verdict still comes with the call. */
export function judge(schemaText: string, text: string): Promise<readonly ValidationIssue[]> {
  worker ??= start()
  const id = ++lastId
  return new Promise(resolve => {
    waiting.set(id, { resolve, timer: setTimeout(giveUp, limitMs) })
    worker?.postMessage({ id, schemaText, text })
  })
}

function start(): Worker {
  const started = new ValidatorWorker()
  started.addEventListener('message', ({ data }: MessageEvent<JudgeAnswer>) => settle(data.id, data.issues))
  started.addEventListener('error', giveUp)
  return started
}

function settle(id: number, issues: readonly ValidationIssue[]): void {
  const asked = waiting.get(id)
  if (!asked) return
  waiting.delete(id)
  clearTimeout(asked.timer)
  asked.resolve(issues)
}

function giveUp(): void {
  worker?.terminate()
  worker = undefined
  for (const id of [...waiting.keys()]) settle(id, [])
}
