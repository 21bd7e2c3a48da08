/** The source runs the tool. Whatever it does, its events end with one result or failure. */

import { messageOf } from '../../core/errors.ts'
import type { SessionEnding, SessionEvent } from '../../core/tool/invocation.ts'
import { eventMasker } from '../sources/masked.ts'
import { failure } from '../sources/run-failure.ts'
import type { Validator } from '../workers/validator.ts'
import { answererOf } from './answer-question.ts'
import type { PreparedCall } from './prepare-call.ts'

/**
 * The events of the source, its secrets masked. Ends when the caller or the closing of the source aborts it. Never
 * throws: a session that breaks its contract is a failure too.
 */
export async function* runTool(call: PreparedCall, validator: Validator): AsyncGenerator<SessionEvent> {
  const { tool, input, timeoutMs, variables, withoutProgress, keepsBackground, signal } = call
  const mask = eventMasker(call.sourceSecrets())
  const maskEnding = (ending: SessionEnding) => eventMasker(call.sourceSecrets())(ending)
  try {
    const limits = { signal, timeoutMs, withoutProgress, keepsBackground }
    const answer = answererOf(call, validator)
    const options = { ...limits, answer, ...(variables ? { variables } : {}) }
    for await (const event of call.run(tool, input, options)) {
      if (event.type !== 'result' && event.type !== 'failure') yield mask(event)
      else {
        yield maskEnding(explainClosing(event, signal.aborted && !call.isCancelled()))
        return
      }
    }
    yield failure('bad-output', 'The source ended the call without a result.')
  } catch (thrown) {
    const message = messageOf(thrown)
    yield maskEnding(failure(signal.aborted ? 'cancelled' : 'network', message))
  }
}

function explainClosing(ending: SessionEnding, wasClosed: boolean): SessionEnding {
  if (!wasClosed || ending.type === 'result' || ending.reason !== 'cancelled') return ending
  return {
    ...ending,
    message: 'The source was closed while the call ran.',
    hint: 'Start it, and call again.',
  }
}
