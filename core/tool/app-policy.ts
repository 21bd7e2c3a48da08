/**
 * The Content-Security-Policy of an app: its inline code, and the servers that its resource names in `_meta.ui.csp`.
 * Nothing else is loaded, and nothing is sent anywhere.
 */
import { isObject, own } from '../json/json.ts'

/** The lists of `_meta.ui.csp`, each with the directives that it opens. */
const openedBy = {
  connectDomains: ['connect-src'],
  resourceDomains: ['script-src', 'style-src', 'img-src', 'font-src', 'media-src'],
  frameDomains: ['frame-src'],
  baseUriDomains: ['base-uri'],
} as const satisfies Record<string, readonly string[]>
type DomainList = keyof typeof openedBy

/** Domains of a list that are read; the others are refused. */
const maxDomains = 50

/** The sources that every app can use, by directive. */
const ownSources: Readonly<Record<string, string>> = {
  'script-src': "'unsafe-inline' blob:",
  'style-src': "'unsafe-inline'",
  'img-src': 'data: blob:',
  'font-src': 'data:',
  'media-src': 'data: blob:',
  'connect-src': '',
  'frame-src': '',
  'worker-src': 'blob:',
  'base-uri': '',
  'form-action': '',
}

export interface AppPolicy {
  /** The value of the header, without `frame-ancestors`. */
  readonly header: string
  /** The domains that the app may use, by the list of its resource. */
  readonly domains: Readonly<Record<DomainList, readonly string[]>>
  /** The domains that are not allowed, with the reason. */
  readonly refused: readonly { readonly domain: string; readonly reason: string }[]
}

/**
 * Builds the policy from `_meta.ui.csp`, which is hostile. A domain that is not allowed is left out and listed.
 *
 * @param ownHosts hosts of Toolscope's own servers (`tools.example.com`), which no app may reach
 */
export function buildAppPolicy(csp: unknown, ownHosts: readonly string[]): AppPolicy {
  const refused: { domain: string; reason: string }[] = []
  const read = (list: DomainList): readonly string[] => {
    const given = isObject(csp) ? own(csp, list) : undefined
    if (!Array.isArray(given)) return []
    return given.flatMap((domain: unknown, index) => {
      const reason =
        index >= maxDomains ? `a list may have ${maxDomains} domains` : refuseDomain(domain, list, ownHosts)
      if (reason === undefined) return [String(domain)]
      if (refused.length < maxDomains) refused.push({ domain: String(domain).slice(0, 200), reason })
      return []
    })
  }
  const domains = {
    connectDomains: read('connectDomains'),
    resourceDomains: read('resourceDomains'),
    frameDomains: read('frameDomains'),
    baseUriDomains: read('baseUriDomains'),
  }
  const lists = Object.keys(openedBy) as DomainList[]
  const directives = Object.entries(ownSources).map(([directive, sources]) => {
    const opened = lists.filter(list => (openedBy[list] as readonly string[]).includes(directive))
    const all = [...(sources === '' ? [] : [sources]), ...opened.flatMap(list => domains[list])]
    return `${directive} ${all.length === 0 ? "'none'" : all.join(' ')}`
  })
  // Browsers do not know the last one yet (https://www.w3.org/TR/CSP3/#directive-webrtc).
  const header = ["default-src 'none'", ...directives, "webrtc 'block'"].join('; ')
  return { header, domains, refused }
}

const socketSchemes = ['wss:', 'ws:']

/**
 * A scheme, a host with at most one wildcard in front, and a port. No path: it would not be checked after a redirect.
 */
const sourcePattern =
  /^(https?|wss?):\/\/((?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(:\d{1,5})?\/?$/i

/** Returns why a domain is not allowed; undefined if it is. */
function refuseDomain(domain: unknown, list: DomainList, ownHosts: readonly string[]): string | undefined {
  if (typeof domain !== 'string') return 'it is not a text'
  const match = sourcePattern.exec(domain)
  if (match === null) return 'it is not an origin such as https://api.example.com or https://*.example.com'
  const [, scheme = '', host = ''] = match
  if (socketSchemes.includes(`${scheme.toLowerCase()}:`) && list !== 'connectDomains')
    return 'only connectDomains may name a web socket'
  const name = host.toLowerCase()
  const labels = name.split('.')
  if (labels[0] === '*' && labels.length < 3) return 'its wildcard covers a whole top-level domain'
  if (isOwnMachine(name)) return 'it is an address of this machine or of a private network'
  // A wildcard covers the names below its own domain.
  const covers = (own: string) => own === name || (labels[0] === '*' && own.endsWith(name.slice(1)))
  if (ownHosts.some(own => covers(own.toLowerCase().replace(/:\d+$/, '')))) return 'it is Toolscope itself'
  return undefined
}

/**
 * Returns whether a host is this machine, or a number: an app must not reach the user's other servers, and a number in
 * any notation can be an address of a private network.
 */
function isOwnMachine(host: string): boolean {
  const last = host.split('.').at(-1) ?? ''
  if (/^(?:\d+|0x[\da-f]*)$/.test(last)) return true
  return !host.includes('.') || ['localhost', 'local', 'internal', 'lan', 'home', 'arpa'].includes(last)
}
