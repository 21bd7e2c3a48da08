/** Calls over HTTP: one POST is one call, its events are lines of JSON, and a disconnect cancels it. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { callEndpoints } from '../../../core/api/calls.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import { PendingQuestions } from '../../calls/answer-question.ts'
import type { Caller } from '../../calls/call.ts'
import { parseInput } from '../../calls/parse-input.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Validator } from '../../workers/validator.ts'
import { serve } from '../serve-endpoints.ts'

export interface InvocationParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly call: Caller
}

export function invocationRoutes({ catalog, validator, call }: InvocationParts) {
  const questions = new PendingQuestions(validator)
  return serve(callEndpoints, {
    'POST /api/validate': ({ body }) => {
      const { tool } = catalog.callTarget(body.ref)
      return validator.validate(callerSchema(tool.inputSchema), parseInput(body.inputText).value, tool.source)
    },
    'POST /api/invocations': ({ body: { ref, inputText, options }, bodyText, signal }) =>
      call({
        ref,
        input: parseInput(inputText ?? exactInput(bodyText)),
        origin: options?.origin ?? 'API',
        options: {
          timeoutMs: options?.timeoutMs,
          variables: options?.variables,
          answers: options?.answers,
          ask: options?.asks === true ? questions.ask : undefined,
        },
        signal,
      }),
    'POST /api/invocations/{id}/answers': ({ params, body: { question, action, content } }) =>
      questions.answer(params.id, question, withoutUndefined({ action, content })),
  })
}

/** Returns the `input` of a body as it was written: numbers beyond 2^53 are no longer exact once parsed. */
function exactInput(body: string): string {
  const tree = parseTree(body)
  const node = tree && findNodeAtLocation(tree, ['input'])
  return node === undefined ? '{}' : body.slice(node.offset, node.offset + node.length)
}
