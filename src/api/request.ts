import { AppError, type AppErrorShape } from '../../core/errors.ts'
import { isObject, parseJson, type UnknownObject } from '../../core/json/json.ts'
import type { AnswerTo, EndpointKey, KeyOf, RequestTo } from './backend.ts'
import { parseLines, readText } from './ndjson.ts'

/** Every route refuses with `{error}`; a proxy in between answers with a page of its own. */
async function refusal(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '')
  const body = parseJson(text)
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || typeof error.detail !== 'string')
    return new AppError('internal', `The server answered ${response.status}.`, {
      output: text.slice(0, 4000),
    })
  // The server builds this body from the same type; the field that tells it from others is checked above.
  const { code, detail, hint, output } = error as UnknownObject & AppErrorShape
  return new AppError(code, detail, { hint, output })
}

interface Parts {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** The address of an endpoint: params percent-encoded, lists joined by commas, what is undefined left out. */
export function addressOf(key: EndpointKey, { params = {}, query = {} }: Parts): string {
  const path = key
    .replace(/^\w+ /, '')
    .replace(/\{\+?(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** fetch, with every refusal and every lost connection as an AppError. An abort stays an abort. */
async function fetchFrom(key: EndpointKey, parts: Parts): Promise<Response> {
  const [method = ''] = key.split(' ', 1)
  const { body, signal = null } = parts
  const headers = { 'content-type': 'application/json' }
  let response: Response
  try {
    response = await fetch(addressOf(key, parts), {
      method,
      signal,
      ...(body !== undefined && { headers, body: JSON.stringify(body) }),
    })
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    throw new AppError('internal', 'The Toolscope server does not answer.', {
      hint: 'It may have been stopped. Start it again and open the URL it prints.',
      cause: thrown,
    })
  }
  if (!response.ok) throw await refusal(response)
  return response
}

/** Asks an endpoint that answers with one JSON value. Rejects with an AppError. */
export async function request<Of extends KeyOf<'json'>>(
  key: Of,
  given: RequestTo<Of>,
): Promise<AnswerTo<Of>> {
  const response = await fetchFrom(key, given)
  // Not parsed by the schema: page and server are built and shipped as one, and zod would enter the first load.
  return (await response.json()) as AnswerTo<Of>
}

/** Asks an endpoint that answers with plain text. */
export async function requestText<Of extends KeyOf<'text'>>(key: Of, given: RequestTo<Of>): Promise<string> {
  return (await fetchFrom(key, given)).text()
}

/** Asks an endpoint that answers line by line; yields each line when it comes. */
export async function* requestLines<Of extends KeyOf<'lines'>>(
  key: Of,
  given: RequestTo<Of>,
): AsyncGenerator<AnswerTo<Of>> {
  const { body } = await fetchFrom(key, given)
  if (!body) throw new AppError('internal', 'The server answered without a body.')
  // As in `request`.
  for await (const line of parseLines(readText(body))) yield line as AnswerTo<Of>
}
