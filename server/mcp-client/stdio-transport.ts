/**
 * MCP over the pipes of a program: one JSON message per line. The SDK's transport starts the process without a group;
 * this one makes it lead a group, so that all its child processes end with it.
 */
import type { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { AppError } from '../../core/errors.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { type SpawnError, startServer, toSpawnError } from '../process/process.ts'
import { endTree, type ProcessTree, trackTree } from '../process/process-tree.ts'
import { emitLine, RequestCalls } from '../wire/emit.ts'
import { exactBody, rememberResult } from './exact-json.ts'
import type { ServerLog } from './server-log.ts'

const mebibyte = 1024 * 1024
/** A server that sends a longer message is ended. */
const maxMessageBytes = 64 * mebibyte
/** The bytes of a longer message are counted up to this limit, for the error. */
const maxCountedBytes = 256 * mebibyte
/** Milliseconds for a server to end by itself after its stdin is closed. */
const stdinGraceMs = 250
const killAfterMs = 2_000
/** Milliseconds to wait for a descendant that holds the pipes of an ended program. */
const pipeGraceMs = 200

export interface ServerProcess {
  readonly argv: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly log: ServerLog
  /** The command as it is shown in errors. */
  readonly label: string
  readonly wire?: WireSink | undefined
}

export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** How the program ended, if it has: `exited (code 1)`, `exited (SIGKILL)`. */
  ending: string | undefined
  /** Why the program was ended, if it sent a message that is too long. */
  refusal: AppError | undefined
  /** With `pid`, this property makes the SDK recognise a pipe instead of an HTTP connection, for its probe. */
  readonly stderr = null
  /** The calls of the requests; only used with a wire. */
  readonly calls = new RequestCalls()
  private readonly program: ServerProcess
  private child: ReturnType<typeof startServer>['child'] | undefined
  private tree: ProcessTree | undefined
  private parts: Buffer[] = []
  private held = 0
  private closed: Promise<void> | undefined
  private gone = false
  private allEnded: Promise<void> | undefined

  constructor(program: ServerProcess) {
    this.program = program
  }

  get pid(): number | null {
    return this.child?.pid ?? null
  }

  start(): Promise<void> {
    try {
      return this.startServer()
    } catch (thrown) {
      return Promise.reject(cannotStart(this.program.argv, toSpawnError(thrown)))
    }
  }

  private startServer(): Promise<void> {
    const { argv, directory, environment, log, wire } = this.program
    const [file = '', ...args] = argv
    const { child, tree, closed } = startServer(file, args, { directory, environment })
    this.child = child
    this.tree = tree
    const stopTracking = trackTree(tree)
    child.stdout.on('data', (chunk: Buffer) => this.receive(chunk))
    child.stderr.on('data', (chunk: Buffer) => log.add(chunk))
    if (wire !== undefined) {
      const decoder = new StringDecoder('utf8')
      child.stderr.on('data', (chunk: Buffer) => {
        const text = decoder.write(chunk)
        wire({ direction: 'received', part: 'stderr', text, bytes: chunk.length })
      })
    }
    for (const stream of [child.stdin, child.stdout, child.stderr])
      stream.on('error', error => this.onerror?.(error))
    child.once('exit', (code, signal) => {
      this.ending = `exited (${signal ?? `code ${code}`})`
      setTimeout(() => {
        child.stdout.destroy()
        child.stderr.destroy()
      }, pipeGraceMs).unref()
    })
    // Any ended server may leave child processes behind.
    this.allEnded = closed.then(async () => {
      if (child.pid !== undefined) await endTree(tree, killAfterMs)
      stopTracking()
    })
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve)
      void closed.then(error => {
        if (error !== undefined) reject(cannotStart(argv, error))
        this.emitClose()
      })
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.child?.stdin
      if (stdin === undefined || stdin === null || !stdin.writable)
        return reject(new Error('the server has ended'))
      this.gather(stdin)
      const text = exactBody(JSON.stringify(message))
      if (this.program.wire !== undefined) this.emitSent(message, text, this.program.wire)
      stdin.write(`${text}\n`, error => (error ? reject(error) : resolve()))
    })
  }

  private emitSent(message: JSONRPCMessage, text: string, wire: WireSink): void {
    const callId = 'id' in message ? this.calls.take(message.id) : undefined
    wire({ direction: 'sent', part: 'message', text, ...(callId !== undefined && { callId }) })
  }

  /** Sends simultaneous calls in one write, because each write wakes the server. */
  private gather(stdin: Writable): void {
    if (stdin.writableCorked > 0) return
    stdin.cork()
    setImmediate(() => stdin.uncork())
  }

  /**
   * Closes stdin, which asks the server to end; then sends SIGTERM to its process tree, then SIGKILL. Resolves when all
   * processes have ended.
   */
  close(): Promise<void> {
    this.closed ??= this.end()
    return this.closed
  }

  private async end(): Promise<void> {
    const { child, tree } = this
    if (child !== undefined && tree !== undefined && this.ending === undefined) {
      child.stdin.end()
      await Promise.race([
        new Promise(resolve => child.once('exit', resolve)),
        setTimeoutPromise(stdinGraceMs),
      ])
      await endTree(tree, killAfterMs)
    }
    await this.allEnded
    this.emitClose()
  }

  private emitClose(): void {
    if (this.gone) return
    this.gone = true
    this.onclose?.()
  }

  private receive(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      if (this.refusal !== undefined) return
      if (this.held + end > maxMessageBytes) {
        this.refuse(this.held + end)
        return
      }
      const bytes = Buffer.concat([...this.parts, rest.subarray(0, end)])
      const line = bytes.toString('utf8')
      this.parts = []
      this.held = 0
      rest = rest.subarray(end + 1)
      if (this.program.wire !== undefined && bytes.length > 0) emitLine(this.program.wire, line, bytes)
      this.read(line.endsWith('\r') ? line.slice(0, -1) : line)
    }
    if (rest.length === 0 || this.refusal !== undefined) return
    this.held += rest.length
    if (this.held <= maxMessageBytes) this.parts.push(rest)
    else this.parts = []
    if (this.held > maxCountedBytes) this.refuse(this.held)
  }

  private refuse(bytes: number): void {
    const inMib = (count: number) => `${(count / mebibyte).toFixed(1)} MiB`
    const limit = `the limit of ${maxMessageBytes / mebibyte} MiB`
    const length =
      bytes > maxCountedBytes
        ? `more than ${maxCountedBytes / mebibyte} MiB, beyond ${limit}`
        : `${inMib(bytes)}, ${inMib(bytes - maxMessageBytes)} more than ${limit}`
    const detail = `${this.program.label} sent a message of ${length}, and was ended`
    this.refusal = new AppError('source-failed', detail, {
      hint: 'The limit is part of Toolscope and no setting. A long list can come in pages: the server answers with some entries and a `nextCursor`.',
    })
    this.parts = []
    this.program.log.line(detail)
    void this.close()
  }

  private read(line: string): void {
    let message: unknown
    try {
      message = JSON.parse(line)
    } catch {
      message = undefined
    }
    if (typeof message !== 'object' || message === null || !Object.hasOwn(message, 'jsonrpc')) {
      // Many servers print a greeting on stdout: it is harmless, and the log keeps it.
      if (line.trim() !== '') this.program.log.line(line, 'output')
      return
    }
    rememberResult(message, line)
    // The protocol layer determines the kind of message, and ignores unknown ones.
    this.onmessage?.(message as JSONRPCMessage)
  }
}

function cannotStart(argv: readonly string[], { code, message }: SpawnError): AppError {
  return new AppError(
    code === 'ENOENT' ? 'source-not-found' : 'source-not-runnable',
    `${argv[0]}: ${message}`,
  )
}
