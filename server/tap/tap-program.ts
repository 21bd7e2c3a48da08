/**
 * Runs between the client of an MCP server and the server's program: passes on every byte of the three streams, the
 * signals and the end, and emits what passed. Each chunk is written before it is looked at.
 */
import type { Readable, Writable } from 'node:stream'
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { AppError } from '../../core/errors.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { startServer, toSpawnError } from '../process/process.ts'
import { endTree, trackTree } from '../process/process-tree.ts'
import { guardSink, LineSplitter } from './message-lines.ts'

const killAfterMs = 2_000
/** Milliseconds without output after which the pipes of an ended program are closed, if a descendant holds them. */
const pipeGraceMs = 500
/** How often the client is looked for after it has closed stdin. */
const clientCheckMs = 500

export interface ProgramTap {
  readonly argv: readonly string[]
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  /** The streams of the client. */
  readonly stdin: Readable
  readonly stdout: Writable
  readonly stderr: Writable
  /** The program's and the client's messages; all sinks must be in it. */
  readonly sink: WireSink
}

/** How the program ended. */
export interface ProgramEnd {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Runs the program until it ends. Its process tree ends with it, and with the client. Throws AppError `source-not-found`
 * or `source-not-runnable` if it cannot be started.
 */
export async function tapProgram(tap: ProgramTap): Promise<ProgramEnd> {
  const { argv, directory, environment, stdin, stdout, stderr } = tap
  const sink = guardSink(tap.sink)
  const [file = '', ...args] = argv
  const { child, tree, closed } = start(file, args, { directory, environment })
  const stopTracking = trackTree(tree)
  let ending: Promise<unknown> | undefined
  const endProgram = () => {
    ending ??= endTree(tree, killAfterMs).finally(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    })
  }

  const sent = new LineSplitter(line => sink({ direction: 'sent', part: 'message', ...line }))
  const received = new LineSplitter(line => sink({ direction: 'received', part: 'message', ...line }))
  const logged = new LineSplitter(line => sink({ direction: 'received', part: 'stderr', ...line }))
  const parent = process.ppid
  let stopWatching = () => {}
  pass(stdin, child.stdin, sent)
  stdin.once('end', () => {
    sent.end()
    child.stdin.end()
    stopWatching = watchParent(parent, endProgram)
  })
  // The program does not read any more: the client notices it in the same way as without us.
  child.stdin.on('error', () => stdin.destroy())
  stdin.on('error', () => child.stdin.end())
  const output = pass(child.stdout, stdout, received)
  const errors = pass(child.stderr, stderr, logged)
  // The client has closed its end.
  stdout.on('error', endProgram)
  const stopSignals = passSignals(signal => child.kill(signal))

  let end: ProgramEnd = { exitCode: null, signal: null }
  child.once('exit', (exitCode, signal) => {
    end = { exitCode, signal }
    void closeIdlePipes([output, errors])
  })
  const spawnError = await closed
  received.end()
  logged.end()
  stopWatching()
  stopSignals()
  stdin.destroy()
  if (spawnError !== undefined) {
    stopTracking()
    throw cannotStart(file, spawnError)
  }
  await (ending ?? endTree(tree, killAfterMs))
  stopTracking()
  return end
}

function start(...parameters: Parameters<typeof startServer>): ReturnType<typeof startServer> {
  try {
    return startServer(...parameters)
  } catch (thrown) {
    throw cannotStart(parameters[0], toSpawnError(thrown))
  }
}

interface Passing {
  readonly from: Readable
  /** When the last chunk arrived. */
  lastMs: number
  /** The reader is slower than the writer. */
  isWaiting: boolean
}

/** Passes on each chunk, and reads no more while the reader is busy. */
function pass(from: Readable, to: Writable, splitter: LineSplitter): Passing {
  const passing: Passing = { from, lastMs: 0, isWaiting: false }
  let isClosed = false
  const goOn = () => {
    passing.isWaiting = false
    passing.lastMs = performance.now()
    from.resume()
  }
  to.on('drain', goOn)
  // The chunks are still read, so that the writer is not stopped by a reader that is gone.
  to.on('error', () => {
    isClosed = true
    goOn()
  })
  from.on('data', (chunk: Buffer) => {
    passing.lastMs = performance.now()
    if (!isClosed && !to.write(chunk)) {
      passing.isWaiting = true
      from.pause()
    }
    splitter.add(chunk)
  })
  return passing
}

async function closeIdlePipes(passings: readonly Passing[]): Promise<void> {
  const endedMs = performance.now()
  for (const passing of passings)
    while (!passing.from.destroyed) {
      const idleMs = performance.now() - Math.max(endedMs, passing.lastMs)
      if (!passing.isWaiting && idleMs >= pipeGraceMs) passing.from.destroy()
      else await setTimeoutPromise(50)
    }
}

/** Calls `onGone` if the process that started this one has ended. Returns a function that stops it. */
function watchParent(parent: number, onGone: () => void): () => void {
  const timer = setInterval(() => {
    if (process.ppid !== parent) onGone()
  }, clientCheckMs)
  return () => clearInterval(timer)
}

/** Passes on the signals with which clients and terminals end a program. */
function passSignals(send: (signal: NodeJS.Signals) => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const passing = signals.map(signal => [signal, () => send(signal)] as const)
  for (const [signal, listener] of passing) process.on(signal, listener)
  return () => {
    for (const [signal, listener] of passing) process.off(signal, listener)
  }
}

function cannotStart(file: string, { code, message }: ReturnType<typeof toSpawnError>): AppError {
  return new AppError(code === 'ENOENT' ? 'source-not-found' : 'source-not-runnable', `${file}: ${message}`)
}
