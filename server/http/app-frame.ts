/**
 * The sandbox proxy of MCP Apps (SEP-1865): a page of the apps' origin that holds the app in a frame without an origin,
 * relays its messages, limits their number, and stops it if it leaves its page. Its own messages begin with
 * `ui/notifications/sandbox-`, which the app cannot send.
 */
import { createHash } from 'node:crypto'
import { html } from 'hono/html'

export interface FrameSettings {
  /** The origin of the page. */
  readonly page: string
  /** The path of the app's HTML. */
  readonly path: string
  /** Proves that a report of a blocked request is of our observer. The app cannot read it. */
  readonly nonce: string
  /** The `allow` attribute. */
  readonly allow: string
}

const limits = {
  /** Messages that an app may send at once, and for each second. */
  burst: 300,
  perSecond: 100,
  /** Characters of one message, and for each second. */
  characters: 12_000_000,
  charactersPerSecond: 4_000_000,
  /** Levels of objects and arrays in a message. */
  depth: 64,
  /** Items of a list, and values of a message, that the page's SDK checks: a wrong list costs it milliseconds for each item. */
  items: 200,
  checkedValues: 2_000,
  /** Values of a message in the parameters that the SDK does not check. */
  values: 20_000,
  uncheckedParams: ['arguments', 'structuredContent', 'data'],
}

const script = `(() => {
  const { page, path, nonce, allow, limits } = JSON.parse(document.body.dataset.settings)
  const own = 'ui/notifications/sandbox-'
  const frame = document.createElement('iframe')
  let stopped = false
  let loads = 0
  let messages = limits.burst
  let characters = limits.characters
  let refilledAt = performance.now()
  let blocked = 200
  const send = (name, params) => parent.postMessage({ jsonrpc: '2.0', method: own + name, params }, page)
  const stop = reason => {
    if (stopped) return
    stopped = true
    frame.remove()
    send('stopped', { reason })
  }
  const refill = () => {
    const now = performance.now()
    const seconds = (now - refilledAt) / 1000
    refilledAt = now
    messages = Math.min(limits.burst, messages + seconds * limits.perSecond)
    characters = Math.min(limits.characters, characters + seconds * limits.charactersPerSecond)
  }
  const report = params => {
    if (blocked > 0) send('blocked', params)
    blocked -= 1
  }
  // Without recursion, and before any other code reads the message: it can be deeper than the stack, or a circle.
  const isTooComplex = data => {
    let checked = limits.checkedValues
    let unchecked = limits.values
    const waiting = [{ value: data, depth: 0, isChecked: true }]
    while (waiting.length > 0) {
      const { value, depth, isChecked } = waiting.pop()
      if (typeof value !== 'object' || value === null) continue
      if (depth >= limits.depth || ArrayBuffer.isView(value)) return true
      if (Array.isArray(value) && value.length > (isChecked ? limits.items : limits.values)) return true
      for (const name in value) {
        const isFree = !isChecked || (depth === 1 && value === data.params && limits.uncheckedParams.includes(name))
        if (isFree ? --unchecked < 0 : --checked < 0) return true
        waiting.push({ value: value[name], depth: depth + 1, isChecked: !isFree })
      }
    }
    return false
  }
  const receive = data => {
    refill()
    messages -= 1
    if (messages < 0) return stop('messages')
    if (isTooComplex(data)) return stop('shape')
    let text
    try {
      text = JSON.stringify(data)
    } catch {}
    if (typeof data !== 'object' || data === null || text === undefined) return
    characters -= text.length
    if (characters < 0) return stop('size')
    const method = typeof data.method === 'string' ? data.method : ''
    if (method === own + 'blocked' && data.params && data.params.nonce === nonce) {
      const { directive, uri } = data.params
      if (/^[a-z-]{1,40}$/.test(directive)) report({ directive, uri: String(uri).slice(0, 300) })
      return
    }
    if (method.startsWith(own)) return
    // A copy of plain JSON: what else a message can carry, such as ports, stays here.
    parent.postMessage(JSON.parse(text), page)
  }
  addEventListener('message', event => {
    if (stopped) return
    if (event.source === parent && event.origin === page) {
      // A press or key in the app also activates this page; one in the page outside does not.
      if (event.data.method === own + 'focused')
        send('activation', { isActive: navigator.userActivation ? navigator.userActivation.isActive : true })
      else frame.contentWindow.postMessage(event.data, '*')
    } else if (event.source === frame.contentWindow && event.origin === 'null') receive(event.data)
  })
  addEventListener('securitypolicyviolation', event => {
    report({ directive: event.effectiveDirective, uri: event.blockedURI })
    stop('navigation')
  })
  frame.addEventListener('load', () => {
    loads += 1
    if (loads > 1) stop('navigation')
  })
  frame.title = 'App'
  frame.setAttribute('sandbox', 'allow-scripts allow-forms')
  if (allow !== '') frame.allow = allow
  frame.src = path
  document.body.append(frame)
  send('proxy-ready', {})
})()`

const style = `html, body { margin: 0; height: 100%; overflow: hidden; background: transparent }
iframe { display: block; width: 100%; height: 100%; border: 0; background: transparent }`

const hashText = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const hashes = { script: hashText(script), style: hashText(style) }

/** Returns the page of the frame, and the hashes of its code for its policy. */
export function renderFrame(settings: FrameSettings): { html: string; hashes: typeof hashes } {
  const data = JSON.stringify({ ...settings, limits })
  const [open, close] = ['<script>', '</script>']
  // The helper escapes the settings; the code is ours.
  const body = html`<body data-settings="${data}">`
  return {
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title><style>${style}</style></head>${body}${open}${script}${close}</body></html>`,
    hashes,
  }
}

/**
 * Reports what the policy blocks. It runs before the code of the app, uses only what it took from the browser by then,
 * and removes itself, so that the app can neither read the nonce nor change a report. It also takes WebRTC from the app,
 * because no browser has a policy for it yet; an inner frame still has it.
 */
const observer = (nonce: string) => `<script>(() => {
  'use strict'
  const nonce = '${nonce}'
  const post = parent.postMessage.bind(parent)
  // A bound call does not look up "call", which the app can replace.
  const bindCall = native => Function.prototype.call.bind(native)
  const getter = name => bindCall(Object.getOwnPropertyDescriptor(SecurityPolicyViolationEvent.prototype, name).get)
  const [readDirective, readUri, slice] = [getter('effectiveDirective'), getter('blockedURI'), bindCall(String.prototype.slice)]
  let left = 200
  addEventListener('securitypolicyviolation', event => {
    if (!event.isTrusted || left <= 0) return
    left -= 1
    const params = { nonce, directive: slice(readDirective(event), 0, 40), uri: slice(readUri(event), 0, 300) }
    post({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-blocked', params }, '*')
  }, true)
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete globalThis[name]
  document.currentScript.remove()
})()</script>`

/** Adds the observer to the HTML of an app, after its document type, and takes the hints from it. */
export function addObserver(text: string, nonce: string): string {
  const doctype = /^\uFEFF?\s*<!doctype[^>]*>/i.exec(text)?.[0] ?? '<!doctype html>'
  const rest = text.startsWith(doctype) ? text.slice(doctype.length) : text
  return `${doctype}${observer(nonce)}${removeHints(rest)}`
}

const hint = /\b(?:preconnect|dns-prefetch|prefetch|prerender|modulepreload)\b/i
const rel = /\srel\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s"'>]*))/i
const href = /\shref\s?=\s?["']?(?:https?:|[\\/]{2})/i

/**
 * Empties the links that let a browser connect to another origin, because the policy does not concern `preconnect`.
 * Code of the app can still add such a link. Texts of scripts stay as they are. Takes time in proportion to the length.
 */
function removeHints(text: string): string {
  let isInScript = false
  return text.replace(/<(script|\/script|link)\b[^<>]{0,1000}/gi, (tag, name: string) => {
    if (name.toLowerCase() === 'link')
      return !isInScript && hint.test(rel.exec(tag)?.slice(1).join('') ?? '') && href.test(tag)
        ? '<link '
        : tag
    isInScript = !name.startsWith('/')
    return tag
  })
}
