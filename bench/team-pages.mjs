// Open pages for `npm run bench -- team`, in a process of its own. A page shows History without filters: it follows
// /api/events and, when a call was added, reads the list of the newest calls again, as src/api/use-live-catalog.ts does.
// Messages: {open, origins, token} opens pages, {report} asks for the figures since the last report, {close} ends.
import { Agent, get } from 'node:http'

const reopenMs = 3_000
/** A browser opens at most six connections to a host. */
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 64 })
const pages = []
let headers = {}
let reads = 0
let readTimes = []
let failures = 0

class OpenPage {
  isOpen = false
  events = 0
  maxPerSecond = 0
  /** The id of the newest call that it shows. */
  newest
  #origins
  #at
  #after
  #times = []
  #readAt = -Infinity
  #timer
  #request

  constructor(origins, at) {
    this.#origins = origins
    this.#at = at
    this.#open()
  }

  close() {
    clearTimeout(this.#timer)
    this.#request.destroy()
  }

  /** The replica of this page; another one after a failure, as behind a proxy. */
  get #origin() {
    return this.#origins[this.#at % this.#origins.length]
  }

  #open() {
    const path = this.#after === undefined ? '' : `?after=${this.#after}`
    let isEnded = false
    const end = () => {
      if (isEnded || closed) return
      isEnded = true
      this.isOpen = false
      this.#at += 1
      setTimeout(() => this.#open(), reopenMs)
    }
    this.#request = get(`${this.#origin}/api/events${path}`, { headers, agent: false }, answer => {
      if (answer.statusCode !== 200) return answer.destroy()
      this.isOpen = true
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
        const messages = text.split('\n\n')
        text = messages.pop() ?? ''
        for (const message of messages) this.#receive(message)
      })
      answer.once('close', end)
    })
    this.#request.once('error', end)
  }

  #receive(message) {
    const [, id, data] = /^id: (.*)\nevent: changes\ndata: (.*)$/.exec(message) ?? []
    if (data === undefined) return
    this.#after = id
    this.events += 1
    const now = performance.now()
    this.#times = [...this.#times.filter(time => now - time < 1_000), now]
    this.maxPerSecond = Math.max(this.maxPerSecond, this.#times.length)
    const { missed, store = [], readWithinMs } = JSON.parse(data)
    if (!missed && !store.some(({ kind }) => kind === 'invocation')) return
    const wait = Math.max(Math.random() * readWithinMs, this.#readAt + readWithinMs - now)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#readAt = performance.now()
      this.#read()
    }, wait)
  }

  #read() {
    const started = performance.now()
    const failed = () => {
      failures += 1
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#read()
      }, reopenMs)
    }
    get(`${this.#origin}/api/history?limit=50`, { headers, agent }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.once('end', () => {
        if (answer.statusCode !== 200) return failed()
        reads += 1
        readTimes.push(performance.now() - started)
        this.newest = /"id":"([^"]+)"/.exec(text)?.[1]
      })
    }).once('error', failed)
  }
}

let closed = false

process.on('message', ({ open, origins, token, report, close }) => {
  if (open !== undefined) {
    headers = { authorization: `Bearer ${token}` }
    for (let count = 0; count < open; count++) pages.push(new OpenPage(origins, pages.length))
  }
  if (report) {
    process.send?.({
      pages: pages.filter(page => page.isOpen).length,
      events: pages.reduce((sum, page) => sum + page.events, 0),
      maxPerSecond: Math.max(0, ...pages.map(page => page.maxPerSecond)),
      newest: pages.map(page => page.newest),
      reads,
      readTimes,
      failures,
    })
    for (const page of pages) page.events = 0
    reads = 0
    readTimes = []
  }
  if (close) {
    closed = true
    for (const page of pages) page.close()
    process.disconnect()
  }
})
