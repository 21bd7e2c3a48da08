/** The resources of one server whose changes are wanted: asked for again on every new connection. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { Client, McpSubscription } from '@modelcontextprotocol/client'

/** However often a server says that a resource has changed, it is reported at most once in this time. */
const minIntervalMs = 500
/** A server that goes down ends its streams one after another: so long after the first, its connection counts as lost. */
const endingMs = 500

export class Subscriptions {
  private readonly wanted = new Set<string>()
  /** Of the stateless era: the open stream of each resource. */
  private readonly streams = new Map<string, McpSubscription>()
  private readonly waiting = new Map<string, NodeJS.Timeout>()
  private readonly report: (uri: string) => void
  private readonly isConnected: (client: Client) => boolean

  /**
   * @param report gets the address of a wanted resource that has changed
   * @param isConnected false for a client whose connection has ended: its resources stay wanted, for the next one
   */
  constructor(report: (uri: string) => void, isConnected: (client: Client) => boolean) {
    this.report = report
    this.isConnected = isConnected
  }

  /** Addresses whose changes are reported; undefined where the server reports none. */
  list(client: Client | undefined): ReadonlySet<string> | undefined {
    return client?.getServerCapabilities()?.resources?.subscribe === true ? this.wanted : undefined
  }

  /** Rejects where the server refuses it. */
  async set(client: Client, uri: string, isWanted: boolean, timeoutMs: number): Promise<void> {
    if (isWanted) await this.open(client, uri, timeoutMs)
    else await this.close(client, uri, timeoutMs)
    if (isWanted) this.wanted.add(uri)
    else this.wanted.delete(uri)
  }

  /** The server says that a resource, or a part of one, has changed. */
  changed(uri: string): void {
    const about = this.wanted.has(uri) ? uri : [...this.wanted].find(each => uri.startsWith(each))
    if (about === undefined || this.waiting.has(about)) return
    const timer = setTimeout(() => {
      this.waiting.delete(about)
      if (this.wanted.has(about)) this.report(about)
    }, minIntervalMs)
    this.waiting.set(about, timer.unref())
  }

  /** On a new connection. What the server now refuses is no longer wanted. */
  async renew(client: Client, timeoutMs: number): Promise<void> {
    this.streams.clear()
    const renewed = [...this.wanted].map(uri =>
      this.open(client, uri, timeoutMs).catch(() => this.dropRefused(client, uri)),
    )
    await Promise.all(renewed)
  }

  private async open(client: Client, uri: string, timeout: number): Promise<void> {
    if (client.getProtocolEra() !== 'modern')
      return void (await client.subscribeResource({ uri }, { timeout }))
    if (this.streams.has(uri)) return
    const stream = await client.listen({ resourceSubscriptions: [uri] }, { timeout })
    this.streams.set(uri, stream)
    void stream.closed.then(async () => {
      await setTimeoutPromise(endingMs, undefined, { ref: false })
      if (this.streams.get(uri) !== stream) return
      this.streams.delete(uri)
      this.dropRefused(client, uri)
    })
  }

  private dropRefused(client: Client, uri: string): void {
    if (this.isConnected(client)) this.wanted.delete(uri)
  }

  private async close(client: Client, uri: string, timeout: number): Promise<void> {
    const stream = this.streams.get(uri)
    this.streams.delete(uri)
    if (stream !== undefined) await stream.close()
    else await client.unsubscribeResource({ uri }, { timeout })
  }
}
