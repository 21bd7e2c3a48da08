import { AppError, type AppErrorShape, toAppError } from '../../core/errors.ts'

/** What every route answers when it refuses. Anything else (a proxy's page) is no such body. */
function errorShapeOf(body: unknown): AppErrorShape | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined
  const { error } = body
  if (typeof error !== 'object' || error === null) return undefined
  if (!('code' in error) || !('detail' in error) || typeof error.detail !== 'string') return undefined
  // The server builds this body from the same AppErrorShape type; the fields that are read are checked above.
  return error as AppErrorShape
}

async function refusal(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const shape = errorShapeOf(body)
  if (!shape)
    return new AppError('internal', `The server answered ${response.status}.`, {
      output: text.slice(0, 4000),
    })
  return new AppError(shape.code, shape.detail, { hint: shape.hint, output: shape.output })
}

/** fetch, with every refusal and every lost connection as an AppError. An abort stays an abort. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown
    throw new AppError('internal', 'The Toolscope server does not answer.', {
      hint: 'It may have been stopped. Start it again and open the URL it prints.',
      cause: thrown,
    })
  }
  if (!response.ok) throw await refusal(response)
  return response
}

export async function getJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const response = await send(path, { signal })
  // The contract's types are the server's own: page and server are built and shipped as one.
  return (await response.json()) as Answer
}

export async function postJson<Answer>(path: string, body: unknown, signal?: AbortSignal): Promise<Answer> {
  const response = await post(path, body, signal)
  return (await response.json()) as Answer
}

/** With a method of its own; a body where there is one to send. */
export async function sendJson<Answer>(
  method: 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<Answer> {
  const headers = { 'content-type': 'application/json' }
  const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) }
  const response = await send(path, init)
  return (await response.json()) as Answer
}

export function post(path: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return send(path, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) })
}

/** The AppError in whatever a query or a call threw. */
export function appErrorShape(thrown: unknown): AppErrorShape {
  return toAppError(thrown).toShape()
}
