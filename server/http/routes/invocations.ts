/** Calls over HTTP: one POST is one call, its events are lines of JSON, and a disconnect cancels it. */
import type { Context } from 'hono'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { callEndpoints } from '../../../core/api/calls.ts'
import { AppError } from '../../../core/errors.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { leavesTask } from '../../../core/tool/task.ts'
import { PendingQuestions } from '../../calls/answer-question.ts'
import type { Caller } from '../../calls/call.ts'
import { parseInput } from '../../calls/parse-input.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { listenForAbort } from '../../process/run-with-limit.ts'
import { eachInvocation } from '../../store/invocation-list.ts'
import type { Store } from '../../store/store.ts'
import type { Validator } from '../../workers/validator.ts'
import { describeRefusal } from '../gate.ts'
import { serve } from '../serve-endpoints.ts'

export interface InvocationParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly callFor: (context: Context) => Caller
  readonly running: RunningCalls
  /** Has the calls that made tasks. Without it, no person can continue one. */
  readonly store?: Store | undefined
}

/** The newest calls of a person that are searched for the one that made a task. */
const maxTaskCalls = 200

export function invocationRoutes({ catalog, validator, callFor, running, store }: InvocationParts) {
  const { questions } = running
  /** A client that continues a task can cancel and answer it. Throws AppError `not-found` if another person's call made it. */
  const demandOwnTask = async (person: string, ref: string, taskId: string) => {
    let count = 0
    if (store !== undefined)
      for await (const { events } of eachInvocation(store, { person, tool: ref })) {
        if (events.some(event => event.type === 'task' && event.task.taskId === taskId)) return
        count += 1
        if (count === maxTaskCalls) break
      }
    throw new AppError('not-found', `no call of ${person} in history made this task`)
  }
  return serve(callEndpoints, {
    'POST /api/validate': ({ body }) => {
      const { tool } = catalog.callTarget(body.ref)
      return validator.validate(callerSchema(tool.inputSchema), parseInput(body.inputText).value, tool.source)
    },
    'POST /api/invocations': async ({ body: { ref, inputText, options }, bodyText, signal, context }) => {
      if (options?.accept !== undefined) demandApprover(context)
      await catalog.untilConnected(ref)
      const person = context.get('person')?.name
      if (person !== undefined && options?.taskId !== undefined)
        await demandOwnTask(person, ref, options.taskId)
      return running.run(person, signal, stop =>
        callFor(context)({
          ref,
          input: parseInput(inputText ?? exactInput(bodyText)),
          origin: options?.origin ?? 'API',
          options: {
            timeoutMs: options?.timeoutMs,
            variables: options?.variables,
            answers: options?.answers,
            accept: options?.accept,
            seen: options?.definition,
            asTask: options?.asTask,
            taskId: options?.taskId,
            caller: { trace: options?.trace },
            ask: options?.asks === true ? questions.ask : undefined,
          },
          signal: stop,
        }),
      )
    },
    'POST /api/invocations/{id}/cancel': ({ params: { id }, context }) => ({
      cancelled: running.isOf(id, context.get('person')?.name) && running.cancel(id),
    }),
    'POST /api/invocations/{id}/answers': ({ params, body: { question, action, content }, context }) => {
      const isOwn = running.isOf(params.id, context.get('person')?.name)
      // The answer for a call of another person is the same as for one that does not run.
      const id = isOwn ? params.id : ''
      return questions.answer(id, question, withoutUndefined({ action, content }))
    },
  })
}

/** A difference is accepted by the people that may approve it: to call something is not enough. */
function demandApprover(context: Context): void {
  const refusal = describeRefusal({ key: 'PUT /api/sources/{name}/pin', right: 'sources' }, context)
  if (refusal !== undefined) throw new AppError('not-allowed', `no difference is accepted. ${refusal}`)
}

interface CallInProgress {
  readonly stop: AbortController
  readonly person: string | undefined
}

/** The running calls of this server by their ids: a client can cancel one, or close its connection. */
export class RunningCalls {
  readonly questions: PendingQuestions
  private readonly calls = new Map<string, CallInProgress>()

  constructor(validator: Validator) {
    this.questions = new PendingQuestions(validator)
  }

  /** Runs a call until its end, until `cancel`, or until its client is gone, which leaves its task to the server. */
  async *run(
    person: string | undefined,
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
          this.calls.set(id, { stop, person })
        }
        yield event
      }
    } finally {
      stopListening()
      if (id !== undefined) this.calls.delete(id)
    }
  }

  /** Whether the person may cancel or answer the call: it made the call itself. The operator may with every call. */
  isOf(id: string, person: string | undefined): boolean {
    return person === undefined || this.calls.get(id)?.person === person
  }

  /** Returns false if the call does not run here. */
  cancel(id: string): boolean {
    const call = this.calls.get(id)
    call?.stop.abort()
    return call !== undefined
  }
}

/** Returns the `input` of a body as it was written: numbers beyond 2^53 are no longer exact once parsed. */
function exactInput(body: string): string {
  const tree = parseTree(body)
  const node = tree && findNodeAtLocation(tree, ['input'])
  return node === undefined ? '{}' : body.slice(node.offset, node.offset + node.length)
}
