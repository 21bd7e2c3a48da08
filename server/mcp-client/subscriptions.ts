/** The subscribed resources of one server. The subscriptions are renewed on every new connection. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { Client, McpSubscription } from '@modelcontextprotocol/client'

/** A changed resource is reported at most once in this time. */
const minIntervalMs = 500
/**
 * A server that shuts down ends its streams one after another: this long after the first, its connection counts as
 * lost.
 */
const endingMs = 500

export class Subscriptions {
  private readonly wanted = new Set<string>()
  /** The open stream of each resource; only in the stateless era. */
  private readonly streams = new Map<string, McpSubscription>()
  private readonly waiting = new Map<string, NodeJS.Timeout>()
  private readonly report: (uri: string) => void
  private readonly isConnected: (client: Client) => boolean

  /**
   * @param report receives the URI of a subscribed resource that changed
   * @param isConnected returns false for a client whose connection has ended: its resources stay subscribed for the
   * next one
   */
  constructor(report: (uri: string) => void, isConnected: (client: Client) => boolean) {
    this.report = report
    this.isConnected = isConnected
  }

  /** Returns the URIs of subscribed resources; undefined if the server does not support subscriptions. */
  list(client: Client | undefined): ReadonlySet<string> | undefined {
    return client?.getServerCapabilities()?.resources?.subscribe === true ? this.wanted : undefined
  }

  /** Rejects if the server refuses. */
  async set(client: Client, uri: string, isWanted: boolean, timeoutMs: number): Promise<void> {
    if (isWanted) await this.open(client, uri, timeoutMs)
    else await this.close(client, uri, timeoutMs)
    if (isWanted) this.wanted.add(uri)
    else this.wanted.delete(uri)
  }

  /** Called when the server reports a change of a resource or a part of one. */
  changed(uri: string): void {
    const about = this.wanted.has(uri) ? uri : [...this.wanted].find(each => uri.startsWith(each))
    if (about === undefined || this.waiting.has(about)) return
    const timer = setTimeout(() => {
      this.waiting.delete(about)
      if (this.wanted.has(about)) this.report(about)
    }, minIntervalMs)
    this.waiting.set(about, timer.unref())
  }

  /** Renews the subscriptions on a new connection. Those that the server refuses are removed. */
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
