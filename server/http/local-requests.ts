/** Tells requests of local programs from those of browser pages. */
import type { IncomingHttpHeaders } from 'node:http'

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/**
 * Returns why a request may come from a page, as a line of text; undefined if a program sent it.
 *
 * @param isLocal whether only this machine is served; the Host header must then name this machine
 */
export function describeForeignRequest(headers: IncomingHttpHeaders, isLocal: boolean): string | undefined {
  const { host = '', origin } = headers
  // DNS rebinding: the Host header then holds the attacker's name, which does not match.
  if (isLocal && !loopbackHost.test(host)) return `Refused: the Host header is "${host}"\n`
  const site = headers['sec-fetch-site'] ?? 'none'
  // We serve no pages here, so a program itself set an Origin header with our own address.
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== 'none' && site !== 'same-origin'))
    return `Refused: a page (${origin ?? site}) may not call tools\n`
  return undefined
}
