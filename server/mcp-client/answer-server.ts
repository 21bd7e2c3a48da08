/** The questions that a server of the legacy era asks over its connection: to which call they belong. */
import { type AskQuestion, type CallQuestions, toReply } from './call-questions.ts'
import { readRelatedTask } from './call-task.ts'
import type { ServerLog } from './server-log.ts'

/**
 * Answers a request of the server. A question of the legacy era names its call only if that is a task: it goes to that
 * call, or to the newest one.
 *
 * @param asking the running calls that can be asked, the newest last
 */
export async function answerServer(
  asking: ReadonlySet<CallQuestions>,
  log: ServerLog,
  ...[kind, params, signal]: Parameters<AskQuestion>
): ReturnType<AskQuestion> {
  const calls = [...asking]
  const taskId = readRelatedTask(params)
  const ofTask = taskId === undefined ? undefined : calls.find(call => call.taskId === taskId)
  const target = ofTask ?? calls.at(-1)
  if (target === undefined) {
    log.line('The server asked a question while no call ran: declined.')
    return toReply(kind, { action: 'decline' })
  }
  const note =
    ofTask === undefined && calls.length > 1
      ? `${calls.length} calls run, and the server does not say which of them asks: this is the newest.`
      : undefined
  return toReply(kind, await target.answer(params, { kind, note, signal }))
}
