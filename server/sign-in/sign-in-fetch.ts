/**
 * Sends the requests of a sign-in. Their addresses come from servers, so they are checked; the user's own headers are
 * not sent.
 */
import type { FetchLike } from '@modelcontextprotocol/client'
import { AppError } from '../../core/errors.ts'
import { isObject, parseJson } from '../../core/json/json.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { fetchAddress, hideAddressSecrets } from '../fetch/fetch-address.ts'
import { runWithLimit } from '../process/run-with-limit.ts'

const requestTimeoutMs = 15_000
const maxErrorCharacters = 300

/**
 * Throws AppError `sign-in-failed` unless the address is allowed in a sign-in at this server: it has the same origin,
 * or it is https and not on this machine, or both are on this machine.
 */
export function checkSignInAddress(address: string | URL, server: URL): URL {
  const url = new URL(address)
  const isAllowed =
    url.origin === server.origin
      ? /^https?:$/.test(url.protocol)
      : isLocal(url)
        ? isLocal(server) && /^https?:$/.test(url.protocol)
        : url.protocol === 'https:'
  if (isAllowed && url.username === '' && url.password === '') return url
  throw new AppError(
    'sign-in-failed',
    `the server names an address that is not opened: ${hideAddressSecrets(url)}`,
    {
      hint: 'A sign-in takes place over https; only on this machine over http.',
    },
  )
}

const isLocal = ({ hostname }: URL) =>
  /^(?:localhost|.*\.localhost|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f:]*\]|0\.0\.0\.0|\[::\])$/i.test(
    hostname,
  )

/** Returns a fetch whose answers are read to their end within the time limit, because the SDK reads them without one. */
export const signInFetch =
  (server: URL, timeoutMs = requestTimeoutMs): FetchLike =>
  async (input, init = {}) => {
    const url = checkSignInAddress(input, server)
    return runWithLimit(init.signal ? [init.signal] : [], timeoutMs, signal =>
      answerTo(url, { ...init, signal }),
    )
  }

async function answerTo(url: URL, init: RequestInit): Promise<Response> {
  const { body } = init
  const response = await fetchAddress(url, {
    ...init,
    // Forms are converted because fetchAddress sends only text.
    ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
  })
  const { ok, status, headers } = response
  if (response.body === null) return response
  const text = await response.text()
  if (ok) return new Response(text, { status, headers })
  return new Response(JSON.stringify(readOAuthError(text, status)), {
    status,
    headers: { 'content-type': 'application/json', ...pickChallenge(headers) },
  })
}

/** Returns only the OAuth error of the answer, because the SDK writes it to stderr unchanged. */
function readOAuthError(text: string, status: number) {
  const answer = parseJson(text)
  const { error, error_description } = isObject(answer) ? answer : {}
  const line = (value: unknown) =>
    typeof value === 'string' ? shorten(plainLine(value), maxErrorCharacters) : undefined
  return {
    error: line(error) ?? 'server_error',
    error_description: line(error_description) ?? `HTTP ${status}`,
  }
}

function pickChallenge(headers: Headers) {
  const challenge = headers.get('www-authenticate')
  return challenge === null ? {} : { 'www-authenticate': challenge }
}
