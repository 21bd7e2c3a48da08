/** Calls over HTTP: one POST is one call, its events are lines of JSON, and going away cancels it. */
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { callEndpoints } from '../../../core/api/calls.ts'
import { AppError } from '../../../core/errors.ts'
import { callerSchema } from '../../../core/json-schema/caller-schema.ts'
import { referenceOf } from '../../../core/snapshot/reference.ts'
import { DEFAULT_TIMEOUT_MS, runCall } from '../../calls/call.ts'
import { parseInput } from '../../calls/parse-input.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { callSecrets } from '../../history/call-secrets.ts'
import type { History } from '../../history/history.ts'
import type { SnapshotRecorder } from '../../snapshots/snapshot-recorder.ts'
import type { Validator } from '../../validation/validator.ts'
import { serve } from '../serve.ts'

export interface InvocationParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly history: History
  readonly versions: Pick<SnapshotRecorder, 'currentOf'>
}

export const invocationRoutes = ({ catalog, validator, history, versions }: InvocationParts) =>
  serve(callEndpoints, {
    'POST /api/validate': ({ body }) => {
      const { tool } = catalog.callTarget(body.ref)
      return validator.validate(callerSchema(tool.inputSchema), parseInput(body.inputText).value)
    },
    'POST /api/invocations': ({ body, bodyText, signal }) => {
      const { tool, session, timeoutMs, environment } = catalog.callTarget(body.ref)
      if (!tool.callable) throw new AppError('not-callable', `"${tool.ref}" comes from ${tool.source}`)
      const input = parseInput(body.inputText ?? exactInput(bodyText))
      const call = {
        tool,
        session,
        input,
        timeoutMs: body.options?.timeoutMs ?? timeoutMs ?? DEFAULT_TIMEOUT_MS,
        ...(body.options?.variables ? { variables: body.options.variables } : {}),
        signal,
      }
      const snapshot = versions.currentOf(tool.source)
      const facts = {
        tool,
        origin: body.options?.origin ?? 'page',
        inputValue: input.value,
        snapshotId: snapshot && referenceOf(snapshot),
        secrets: callSecrets(session, body.options?.variables, environment),
      }
      return history.recorded(runCall(call, validator), facts)
    },
  })

/** The `input` of a body as it was written: numbers beyond 2^53 are no longer exact once parsed. */
function exactInput(body: string): string {
  const tree = parseTree(body)
  const node = tree && findNodeAtLocation(tree, ['input'])
  return node === undefined ? '{}' : body.slice(node.offset, node.offset + node.length)
}
