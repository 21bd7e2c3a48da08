import { AppError, type AppErrorShape } from '../../core/errors.ts'
import { isObject, parseJson, type UnknownObject } from '../../core/json/json.ts'
import type { AnswerTo, EndpointKey, KeyOf, RequestTo } from './backend.ts'
import { decodeText, parseLines } from './ndjson.ts'

/** Reads a failed response. Every route answers with `{error}`; a proxy in between may send a page of its own. */
async function refusal(response: Response): Promise<AppError> {
  const text = await response.text().catch(() => '')
  const body = parseJson(text)
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || typeof error.detail !== 'string')
    return new AppError('internal', `The server answered ${response.status}.`, {
      output: text.slice(0, 4000),
    })
  // The server builds this body from the same type; the field that distinguishes it is checked above.
  const { code, detail, hint, output } = error as UnknownObject & AppErrorShape
  return new AppError(code, detail, { hint, output })
}

interface RequestParts {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Returns the URL of an endpoint: params percent-encoded, lists joined by commas, undefined values left out. */
export function buildEndpointUrl(key: EndpointKey, { params = {}, query = {} }: RequestParts): string {
  const path = key
    .replace(/^\w+ /, '')
    .replace(/\{\+?(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) search.set(name, Array.isArray(value) ? value.join(',') : String(value))
  return search.size > 0 ? `${path}?${search}` : path
}

/** The person of this page, as its first answer names it. The server refuses the page once the browser is that of another. */
let owner: string | undefined
const ownerHeader = 'x-page-person'

/** Calls fetch. A refusal or a lost connection becomes an AppError; an abort stays an abort. */
async function fetchFrom(key: EndpointKey, parts: RequestParts): Promise<Response> {
  const [method = ''] = key.split(' ', 1)
  const { body, signal = null } = parts
  let response: Response
  try {
    response = await fetch(buildEndpointUrl(key, parts), {
      method,
      signal,
      headers: {
        ...(owner !== undefined && { [ownerHeader]: owner }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  } catch (thrown) {
    if (signal?.aborted) throw thrown
    throw new AppError('internal', 'The Toolscope server does not answer.', {
      hint: 'It may have been stopped. Start it again and open the URL it prints.',
      cause: thrown,
    })
  }
  if (!response.ok) throw await refusal(response)
  owner ??= response.headers.get(ownerHeader) ?? undefined
  return response
}

/** Sends a request to an endpoint that answers with one JSON value. Rejects with an AppError. */
export async function request<Of extends KeyOf<'json'>>(
  key: Of,
  given: RequestTo<Of>,
): Promise<AnswerTo<Of>> {
  const response = await fetchFrom(key, given)
  // Not parsed by the schema: page and server are built together, and zod would increase the first load.
  return (await response.json()) as AnswerTo<Of>
}

/** Sends a request to an endpoint that answers with plain text. */
export async function requestText<Of extends KeyOf<'text'>>(key: Of, given: RequestTo<Of>): Promise<string> {
  return (await fetchFrom(key, given)).text()
}

/** Sends a request to an endpoint that answers line by line. Yields each line as it arrives. */
export async function* requestLines<Of extends KeyOf<'lines'>>(
  key: Of,
  given: RequestTo<Of>,
): AsyncGenerator<AnswerTo<Of>> {
  const { body } = await fetchFrom(key, given)
  if (!body) throw new AppError('internal', 'The server answered without a body.')
  // Not parsed by the schema, as in `request`.
  for await (const line of parseLines(decodeText(body))) yield line as AnswerTo<Of>
}
