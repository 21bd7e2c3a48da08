/** Calls over HTTP: one POST is one call, its events are lines of JSON, and going away cancels it. */
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { findNodeAtLocation, parseTree } from 'jsonc-parser'
import { invocationBody, validateBody } from '../../../core/api/api.ts'
import { AppError } from '../../../core/errors.ts'
import { callerSchema } from '../../../core/json-schema/caller-schema.ts'
import { referenceOf } from '../../../core/snapshot/reference.ts'
import { DEFAULT_TIMEOUT_MS, runCall } from '../../calls/call.ts'
import { parseInput } from '../../calls/parse-input.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { callSecrets } from '../../history/call-secrets.ts'
import type { History } from '../../history/history.ts'
import type { Versions } from '../../snapshots/snapshot-recorder.ts'
import type { Validator } from '../../validation/validator.ts'
import { readBody } from './parse.ts'

export interface InvocationParts {
  readonly catalog: Catalog
  readonly validator: Validator
  readonly history: History
  readonly versions: Pick<Versions, 'currentOf'>
}

export function invocationRoutes({ catalog, validator, history, versions }: InvocationParts): Hono {
  const routes = new Hono()

  routes.post('/validate', async context => {
    const { body } = await readBody(context, validateBody)
    const { tool } = catalog.callTarget(body.ref)
    return context.json(
      await validator.validate(callerSchema(tool.inputSchema), parseInput(body.inputText).value),
    )
  })

  routes.post('/invocations', async context => {
    const { text, body } = await readBody(context, invocationBody)
    const { tool, session, timeoutMs, environment } = catalog.callTarget(body.ref)
    if (!tool.callable) throw new AppError('not-callable', `"${tool.ref}" comes from ${tool.source}`)
    const input = parseInput(body.inputText ?? exactInput(text))
    const abort = new AbortController()
    const call = {
      tool,
      session,
      input,
      timeoutMs: body.options?.timeoutMs ?? timeoutMs ?? DEFAULT_TIMEOUT_MS,
      ...(body.options?.variables ? { variables: body.options.variables } : {}),
      signal: abort.signal,
    }
    // A proxy in between must not gather what is said bit by bit.
    context.header('X-Accel-Buffering', 'no')
    context.header('Content-Type', 'application/x-ndjson; charset=utf-8')
    return stream(context, async lines => {
      lines.onAbort(() => abort.abort())
      const snapshot = versions.currentOf(tool.source)
      const facts = {
        tool,
        origin: body.options?.origin ?? 'page',
        inputValue: input.value,
        snapshotId: snapshot && referenceOf(snapshot),
        secrets: callSecrets(session, body.options?.variables, environment),
      }
      for await (const event of history.recorded(runCall(call, validator), facts))
        await lines.write(`${JSON.stringify(event)}\n`)
    })
  })
  return routes
}

/** The `input` of a body as it was written: numbers beyond 2^53 are no longer exact once parsed. */
function exactInput(body: string): string {
  const tree = parseTree(body)
  const node = tree && findNodeAtLocation(tree, ['input'])
  return node === undefined ? '{}' : body.slice(node.offset, node.offset + node.length)
}
