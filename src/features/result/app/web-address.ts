/** Returns whether a host name means this machine. `URL` has already written numbers as `127.0.0.1`. */
const isThisMachine = (host: string) =>
  /^(?:127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]+\]|(?:.*\.)?localhost\.?)$/.test(
    host,
  )

/**
 * Returns the address of a link as the browser would open it; undefined if it is not one of the web, or if it belongs to
 * Toolscope itself: a page that the app opens there would have the user's session.
 *
 * @param own the origins of the page and of the apps
 */
export function readWebAddress(url: string, own: readonly string[]): string | undefined {
  const parsed = URL.parse(url)
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) return undefined
  const isOwn = own.some(origin => {
    const { hostname, port } = new URL(origin)
    const isSameHost =
      parsed.hostname === hostname || (isThisMachine(hostname) && isThisMachine(parsed.hostname))
    return isSameHost && parsed.port === port
  })
  return isOwn ? undefined : parsed.href
}
