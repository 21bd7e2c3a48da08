/** The messages between the page and the frame of an app: sends and receives, records, and reads those of the frame. */
import { PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge'
import { isObject } from '../../../../core/json/json.ts'
import { shorten } from '../../../../core/text/wording.ts'

/** A message as the details of an app list it. */
export interface AppMessage {
  readonly id: number
  /** ISO 8601. */
  readonly time: string
  readonly from: 'app' | 'page'
  /** The method, or the id that it answers. */
  readonly name: string
  /** JSON, shortened. */
  readonly text: string
}

interface FrameEvents {
  readonly recorded: (message: AppMessage) => void
  readonly stopped: (reason: string) => void
  readonly blocked: (request: { readonly directive: string; readonly uri: string }) => void
}

const maxRecordedLength = 2_000
/** Messages that the app or a frame inside it sends to the page directly. No honest app does. */
const maxForeignMessages = 20
/** Frames inside each other. */
const maxFrameDepth = 100

/** Messages of the frame itself begin with this; the frame drops messages of the app that do. */
const ownMethod = 'ui/notifications/sandbox-'

export class FrameTransport extends PostMessageTransport {
  private readonly target: Window
  private readonly origin: string
  private readonly events: FrameEvents
  private count = 0
  private foreignCount = 0
  private waiting: ((isActive: boolean) => void)[] = []

  /** @param origin the only one that messages are sent to */
  constructor(target: Window, origin: string, events: FrameEvents) {
    super(target, target)
    this.target = target
    this.origin = origin
    this.events = events
  }

  override async start(): Promise<void> {
    const handle = this.onmessage
    this.onmessage = (message, extra) => this.receive(message, () => handle?.(message, extra))
    window.addEventListener('message', this.countForeign)
    await super.start()
  }

  override async send(message: Parameters<PostMessageTransport['send']>[0]): Promise<void> {
    this.record('page', message)
    this.target.postMessage(message, this.origin)
  }

  override async close(): Promise<void> {
    window.removeEventListener('message', this.countForeign)
    await super.close()
  }

  /** Returns whether the user pressed something in the app in the last seconds. */
  isPressed(): Promise<boolean> {
    this.target.postMessage({ jsonrpc: '2.0', method: `${ownMethod}focused` }, this.origin)
    return new Promise(resolve => this.waiting.push(resolve))
  }

  private receive(
    message: Parameters<NonNullable<PostMessageTransport['onmessage']>>[0],
    handle: () => void,
  ): void {
    const method = 'method' in message ? message.method : ''
    const params = 'params' in message && isObject(message.params) ? message.params : {}
    if (method === `${ownMethod}stopped`) this.events.stopped(String(params.reason))
    else if (method === `${ownMethod}activation`) {
      for (const resolve of this.waiting.splice(0)) resolve(params.isActive === true)
    } else if (method === `${ownMethod}blocked`)
      this.events.blocked({ directive: String(params.directive), uri: String(params.uri) })
    else {
      this.record('app', message)
      handle()
    }
  }

  private record(from: AppMessage['from'], message: unknown): void {
    this.count += 1
    const { id, method } = isObject(message) ? message : {}
    const name = typeof method === 'string' ? method : `answer to ${String(id)}`
    this.events.recorded({
      id: this.count,
      time: new Date().toISOString(),
      from,
      name: shorten(name, 100),
      text: shorten(JSON.stringify(message), maxRecordedLength),
    })
  }

  private readonly countForeign = ({ source, origin }: MessageEvent): void => {
    if (source === this.target || !(source === null ? origin === 'null' : this.isInside(source))) return
    this.foreignCount += 1
    if (this.foreignCount === maxForeignMessages) this.events.stopped('foreign')
  }

  /** A frame that was removed has no parent: it counts too. */
  private isInside(source: MessageEventSource): boolean {
    let current = 'parent' in source ? source : null
    for (let depth = 0; current !== null && depth < maxFrameDepth; depth++) {
      if (current.parent === current) return false
      current = current.parent
      if (current === this.target) return true
    }
    return 'parent' in source
  }
}
