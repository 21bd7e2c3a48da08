/** Calls over HTTP: one POST is one call, its events are lines of JSON, and a disconnect cancels it. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { callEndpoints } from '../../../core/api/calls.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { leavesTask } from '../../../core/tool/task.ts'
import { PendingQuestions } from '../../calls/answer-question.ts'
import type { Caller } from '../../calls/call.ts'
import { parseInput } from '../../calls/parse-input.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { listenForAbort } from '../../process/run-with-limit.ts'
import type { Validator } from '../../workers/validator.ts'
import { serve } from '../serve-endpoints.ts'

export interface InvocationParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly call: Caller
}

export function invocationRoutes({ catalog, validator, call }: InvocationParts) {
  const questions = new PendingQuestions(validator)
  const running = new RunningCalls()
  return serve(callEndpoints, {
    'POST /api/validate': ({ body }) => {
      const { tool } = catalog.callTarget(body.ref)
      return validator.validate(callerSchema(tool.inputSchema), parseInput(body.inputText).value, tool.source)
    },
    'POST /api/invocations': ({ body: { ref, inputText, options }, bodyText, signal }) =>
      running.run(signal, stop =>
        call({
          ref,
          input: parseInput(inputText ?? exactInput(bodyText)),
          origin: options?.origin ?? 'API',
          options: {
            timeoutMs: options?.timeoutMs,
            variables: options?.variables,
            answers: options?.answers,
            accept: options?.accept,
            asTask: options?.asTask,
            taskId: options?.taskId,
            caller: { trace: options?.trace },
            ask: options?.asks === true ? questions.ask : undefined,
          },
          signal: stop,
        }),
      ),
    'POST /api/invocations/{id}/cancel': ({ params }) => ({ cancelled: running.cancel(params.id) }),
    'POST /api/invocations/{id}/answers': ({ params, body: { question, action, content } }) =>
      questions.answer(params.id, question, withoutUndefined({ action, content })),
  })
}

/** The running calls of this server by their ids: a client can cancel one, or close its connection. */
class RunningCalls {
  private readonly stops = new Map<string, AbortController>()

  /** Runs a call until its end, until `cancel`, or until its client is gone, which leaves its task to the server. */
  async *run(
    gone: AbortSignal,
    call: (stop: AbortSignal) => AsyncGenerator<CallEvent>,
  ): AsyncGenerator<CallEvent> {
    const stop = new AbortController()
    const stopListening = listenForAbort([gone], () => stop.abort(leavesTask))
    let id: string | undefined
    try {
      for await (const event of call(stop.signal)) {
        if (event.type === 'started') {
          id = event.id
          this.stops.set(id, stop)
        }
        yield event
      }
    } finally {
      stopListening()
      if (id !== undefined) this.stops.delete(id)
    }
  }

  /** Returns false if the call does not run here. */
  cancel(id: string): boolean {
    const stop = this.stops.get(id)
    stop?.abort()
    return stop !== undefined
  }
}

/** Returns the `input` of a body as it was written: numbers beyond 2^53 are no longer exact once parsed. */
function exactInput(body: string): string {
  const tree = parseTree(body)
  const node = tree && findNodeAtLocation(tree, ['input'])
  return node === undefined ? '{}' : body.slice(node.offset, node.offset + node.length)
}
