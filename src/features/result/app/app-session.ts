/**
 * One run of an app (MCP Apps, SEP-1865): its frame, the bridge that answers its requests, and the state that the page
 * shows. The app is hostile: it receives only what the protocol gives it, and asks the user for the rest.
 */
import { AppBridge, type McpUiHostContext } from '@modelcontextprotocol/ext-apps/app-bridge'
import type { OpenedApp } from '../../../../core/api/apps.ts'
import type { ToolDetail } from '../../../../core/api/catalog.ts'
import { toErrorMessage } from '../../../../core/errors.ts'
import { isObject } from '../../../../core/json/json.ts'
import { plainJson, visibleName, wholeText } from '../../../../core/text/plain-text.ts'
import { shorten } from '../../../../core/text/wording.ts'
import type { ContentBlock, EndedEvent } from '../../../../core/tool/invocation.ts'
import { formatCount, plural } from '../../../ui/format.ts'
import { saveFile } from '../../../ui/text-file.ts'
import { createStore, type ValueStore } from '../../../ui/value-store.ts'
import type { AppBackend } from './app-backend.ts'
import { describeFiles } from './app-files.ts'
import { guardFocus } from './focus-guard.ts'
import { type AppMessage, FrameTransport } from './frame-transport.ts'
import { toToolResult } from './tool-result.ts'
import { readWebAddress } from './web-address.ts'

/** A question to the user before something leaves the frame. */
export interface AppQuestion {
  readonly id: number
  readonly kind: 'link' | 'download' | 'call'
  /** One sentence. */
  readonly text: string
  /** The exact address, names or input, all of it, with escapes for characters that deceive a reader. */
  readonly detail: string
  /** Must run in the user's click: a browser opens windows only then. */
  readonly accept: () => void
  readonly decline: () => void
}

/** A text of the app for a model. */
export interface AppText {
  readonly kind: 'message' | 'context'
  readonly text: string
}

export interface AppView {
  readonly status: 'loading' | 'running' | 'stopped'
  /** Why it was stopped. */
  readonly problem?: string
  /** Pixels that the app asks for. */
  readonly height?: number
  readonly messages: readonly AppMessage[]
  /** Messages that are no longer in the list. */
  readonly droppedMessages: number
  readonly blocked: readonly { readonly directive: string; readonly uri: string }[]
  /** The last message and the last context that the app wrote for a model. */
  readonly texts: readonly AppText[]
  readonly questions: readonly AppQuestion[]
}

const empty: AppView = {
  status: 'loading',
  messages: [],
  droppedMessages: 0,
  blocked: [],
  texts: [],
  questions: [],
}

const maxMessages = 500
const maxBlocked = 200
const maxQuestions = 3
/** Calls and reads. */
const maxRequests = 8
/** Times that the app may take the focus. */
const maxFocusTaken = 3
/** Characters of a text for a model. */
const maxTextLength = 20_000
/** Characters of an input that the user is asked about. */
const maxConfirmedLength = 100_000
/** Milliseconds in which the frame must load. */
const loadMs = 15_000
/** Milliseconds between two updates of the view. */
const updateMs = 100
/** Milliseconds in which an app may store its state before it is removed. */
const teardownMs = 1_000

const reasons: Readonly<Record<string, string>> = {
  messages: 'It was stopped because it sent too many messages.',
  size: 'It was stopped because it sent too much data.',
  shape: 'It was stopped because it sent a message with too many values, or with too many levels of values.',
  foreign: 'It was stopped because it sent messages past its frame.',
  navigation: 'It was stopped because it left its page.',
}

export interface AppSessionParts {
  readonly tool: ToolDetail
  readonly opened: OpenedApp
  readonly backend: AppBackend
  /** The element that contains the frame. */
  readonly container: HTMLElement
  readonly context: McpUiHostContext
  /** The input of the call. */
  readonly input: unknown
}

export class AppSession {
  readonly view: ValueStore<AppView> = createStore<AppView>(empty)
  private readonly parts: AppSessionParts
  private readonly frame = document.createElement('iframe')
  private readonly bridge: AppBridge
  private readonly stopping = new AbortController()
  private readonly loadTimer: ReturnType<typeof setTimeout>
  private pending: AppView = empty
  private updateTimer: ReturnType<typeof setTimeout> | undefined
  private isInitialized = false
  private context: McpUiHostContext
  private ending: EndedEvent | undefined
  private isEndingSent = false
  private requests = 0
  private questionCount = 0
  private focusTaken = 0

  constructor(parts: AppSessionParts) {
    this.parts = parts
    this.context = parts.context
    const { opened, container, context } = parts
    this.bridge = new AppBridge(
      null,
      { name: 'toolscope', version: opened.version },
      {
        openLinks: {},
        downloadFile: {},
        serverTools: {},
        serverResources: {},
        logging: {},
        message: { text: {} },
        updateModelContext: { text: {}, structuredContent: {} },
        sandbox: {
          permissions: Object.fromEntries(opened.granted.map(permission => [permission, {}])),
          csp: Object.fromEntries(
            Object.entries(opened.domains).map(([list, domains]) => [list, [...domains]]),
          ),
        },
      },
      { hostContext: context },
    )
    this.answerRequests()
    this.frame.setAttribute('sandbox', 'allow-scripts allow-same-origin allow-forms')
    this.frame.title = `App of ${parts.tool.name}`
    this.frame.referrerPolicy = 'no-referrer'
    this.frame.allow = [
      ...opened.granted.map(permission => frameFeatures[permission]),
      ...(isFocusPolicySupported() ? ["focus-without-user-activation 'none'"] : []),
    ].join('; ')
    container.append(this.frame)
    this.loadTimer = setTimeout(() => this.stop(describeUnreachable(opened.origin)), loadMs)
    void this.connect()
  }

  /** Sends the result of the call, once the app is ready for it. */
  setEnding(ending: EndedEvent): void {
    this.ending = ending
    this.sendEnding()
  }

  /** Tells the app about another theme or size. */
  setContext(context: McpUiHostContext): void {
    this.context = context
    if (this.isInitialized && this.pending.status !== 'stopped') this.bridge.setHostContext(context)
  }

  /** Lets the app store its state, then removes it. */
  async end(reason: string): Promise<void> {
    if (this.isInitialized)
      await this.bridge.teardownResource({}, { timeout: teardownMs }).catch(() => undefined)
    this.stop(reason)
  }

  /** Removes the app at once. */
  stop(problem: string): void {
    if (this.pending.status === 'stopped') return
    clearTimeout(this.loadTimer)
    for (const question of this.pending.questions) question.decline()
    this.update({ status: 'stopped', problem, questions: [] })
    this.stopping.abort()
    this.frame.remove()
    void this.bridge.close()
  }

  private async connect(): Promise<void> {
    const { opened } = this.parts
    const target = this.frame.contentWindow
    if (target === null) return
    const transport = new FrameTransport(target, opened.origin, {
      recorded: message => this.addMessage(message),
      stopped: reason => this.stop(reasons[reason] ?? 'It was stopped.'),
      blocked: request => this.update({ blocked: [...this.pending.blocked, request].slice(0, maxBlocked) }),
    })
    const { signal } = this.stopping
    signal.addEventListener('abort', () => void transport.close())
    guardFocus({
      frame: this.frame,
      isPressed: () => transport.isPressed(),
      onTaken: () => this.countFocus(),
      signal,
    })
    await this.bridge.connect(transport)
    // The listener is there before the frame sends its first message.
    this.frame.src = opened.frameUrl
  }

  private answerRequests(): void {
    const { bridge } = this
    const { backend, input } = this.parts
    bridge.onsandboxready = () => {
      clearTimeout(this.loadTimer)
      this.update({ status: 'running' })
    }
    bridge.oninitialized = () => {
      if (this.isInitialized) return
      this.isInitialized = true
      // The page may have changed since the app was loaded.
      bridge.setHostContext(this.context)
      void bridge.sendToolInput({ arguments: isObject(input) ? { ...input } : {} })
      this.sendEnding()
    }
    bridge.onsizechange = ({ height }) => {
      if (height !== undefined && Number.isFinite(height)) this.update({ height: Math.max(0, height) })
    }
    bridge.onrequestteardown = () => void this.end('It ended itself.')
    bridge.onrequestdisplaymode = async () => ({ mode: 'inline' })
    bridge.onmessage = async ({ content }) => {
      // The SDK has checked the blocks.
      this.addText('message', describeBlocks(content as readonly ContentBlock[]))
      return {}
    }
    bridge.onupdatemodelcontext = async ({ content, structuredContent }) => {
      const blocks = content === undefined ? [] : [describeBlocks(content as readonly ContentBlock[])]
      const data = structuredContent === undefined ? [] : [JSON.stringify(structuredContent, null, 2)]
      this.addText('context', [...blocks, ...data].join('\n'))
      return {}
    }
    bridge.onreadresource = async ({ uri }) => {
      const contents = await this.limit(() => backend.readResource(uri, this.stopping.signal))
      // The server's own contents: the app checks them.
      return { contents } as unknown as Awaited<ReturnType<NonNullable<typeof bridge.onreadresource>>>
    }
    bridge.oncalltool = async ({ name, arguments: given = {} }) => {
      const tool = await this.limit(() => backend.findTool(name))
      const why = backend.whyConfirm(tool, given)
      if (why !== undefined) {
        const detail = plainJson(given)
        if (detail.length > maxConfirmedLength)
          throw new Error(
            `${name} asks the user first, who can read an input of ${formatCount(maxConfirmedLength)} characters. This one has ${formatCount(detail.length)}.`,
          )
        const text = `Call ${visibleName(tool.name)}? ${wholeText(why)}`
        if (!(await this.ask({ kind: 'call', text, detail })))
          throw new Error(`The user did not allow a call of ${name}.`)
      }
      return toToolResult(await this.limit(() => backend.call(tool, given, this.stopping.signal)))
    }
    bridge.onopenlink = async ({ url }) => {
      const address = readWebAddress(url, [location.origin, this.parts.opened.origin])
      if (address === undefined) return { isError: true }
      const question = { kind: 'link', text: 'Open this address?', detail: visibleName(address) } as const
      const isOpened = await this.ask(question, () => window.open(address, '_blank', 'noopener,noreferrer'))
      return isOpened ? {} : { isError: true }
    }
    bridge.ondownloadfile = async ({ contents }) => {
      const files = describeFiles(contents)
      const text = `Save ${plural(files.length, 'file')}?`
      const detail = files.map(file => file.line).join('\n')
      if (!(await this.ask({ kind: 'download', text, detail }))) return { isError: true }
      await this.limit(async () => {
        for (const file of files) {
          const data = await file.read(uri => backend.readResource(uri, this.stopping.signal))
          if (!this.stopping.signal.aborted) saveFile(data, file.name)
        }
      })
      return {}
    }
  }

  /** Runs a request to the server, unless too many run already. */
  private async limit<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.requests >= maxRequests) throw new Error(`${maxRequests} requests of the app run already.`)
    this.requests += 1
    try {
      return await run()
    } finally {
      this.requests -= 1
    }
  }

  private countFocus(): void {
    this.focusTaken += 1
    if (this.focusTaken === maxFocusTaken)
      this.stop('It was stopped because it took the focus from the page again and again.')
  }

  /**
   * Asks the user. Resolves to false if the user declines, or if too many questions are open.
   *
   * @param run runs in the user's click
   */
  private ask(
    question: Pick<AppQuestion, 'kind' | 'text' | 'detail'>,
    run: () => void = () => undefined,
  ): Promise<boolean> {
    if (this.pending.status === 'stopped' || this.pending.questions.length >= maxQuestions)
      return Promise.resolve(false)
    return new Promise(resolve => {
      const end = (isAccepted: boolean) => {
        if (!this.pending.questions.includes(opened)) return
        this.update({ questions: this.pending.questions.filter(each => each !== opened) })
        if (isAccepted) run()
        resolve(isAccepted)
      }
      this.questionCount += 1
      const opened: AppQuestion = {
        ...question,
        id: this.questionCount,
        accept: () => end(true),
        decline: () => end(false),
      }
      this.update({ questions: [...this.pending.questions, opened] })
    })
  }

  private sendEnding(): void {
    const { ending } = this
    if (ending === undefined || !this.isInitialized || this.isEndingSent) return
    this.isEndingSent = true
    void (
      ending.type === 'failure' && ending.reason === 'cancelled'
        ? this.bridge.sendToolCancelled({ reason: ending.message })
        : this.bridge.sendToolResult(toToolResult(ending))
    ).catch((thrown: unknown) => this.stop(`The result could not be sent: ${toErrorMessage(thrown)}`))
  }

  private addText(kind: AppText['kind'], text: string): void {
    const others = this.pending.texts.filter(each => each.kind !== kind)
    this.update({ texts: [...others, { kind, text: shorten(text, maxTextLength) }] })
  }

  private addMessage(message: AppMessage): void {
    const messages = [...this.pending.messages, message]
    const dropped = Math.max(0, messages.length - maxMessages)
    this.update({
      messages: messages.slice(dropped),
      droppedMessages: this.pending.droppedMessages + dropped,
    })
  }

  /** Many messages arrive at once, so the page draws them together. */
  private update(change: Partial<AppView>): void {
    this.pending = { ...this.pending, ...change }
    this.updateTimer ??= setTimeout(() => {
      this.updateTimer = undefined
      this.view.set(this.pending)
    }, updateMs)
  }
}

const frameFeatures = {
  camera: 'camera',
  microphone: 'microphone',
  geolocation: 'geolocation',
  clipboardWrite: 'clipboard-write',
} as const

/** Only browsers with the policy know its name. */
function isFocusPolicySupported(): boolean {
  // The DOM types do not have it: only Chromium does.
  const { featurePolicy } = document as { featurePolicy?: { features(): readonly string[] } }
  return featurePolicy?.features().includes('focus-without-user-activation') === true
}

function describeBlocks(content: readonly ContentBlock[]): string {
  return content
    .map(block => (block.type === 'text' ? block.text : JSON.stringify(block).slice(0, 500)))
    .join('\n')
}

function describeUnreachable(origin: string): string {
  const where = `The origin of apps, ${origin}, does not answer this browser.`
  if (location.protocol === 'https:' && origin.startsWith('http:'))
    return `${where} This page is served over HTTPS, so the browser refuses it. Start the server with --app-port and --app-origin https://…`
  const isRemote = !/^https?:\/\/(127\.0\.0\.1|localhost)(:|$)/.test(origin)
  return isRemote
    ? `${where} Let its port through to this machine, or start the server with --app-port and --app-origin.`
    : `${where} If the server was started again since this page was loaded, load the page again.`
}
