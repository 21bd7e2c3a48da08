/**
 * The only module that starts programs: without a shell and without stdin. The process group ends one second after the
 * program. When we end it, the whole tree gets SIGTERM, and SIGKILL two seconds later. Output is limited; what was read
 * before the limit is kept.
 */
/// <reference path="./cross-spawn.d.ts" />
import type { ChildProcess } from 'node:child_process'
import { setMaxListeners } from 'node:events'
import { spawn } from 'cross-spawn'
import { EventQueue } from './events.ts'
import { nextMark, withMark } from './mark.ts'
import { type EndedTree, endBackground, endTree, type ProcessTree, trackTree } from './process-tree.ts'
import { decodeUtf8, StreamText } from './stream-text.ts'
import { WaitingLine } from './waiting-line.ts'
import { startWatcher } from './watcher.ts'

/** The longest argument that Linux accepts: 128 KiB (MAX_ARG_STRLEN) including its closing NUL. */
export const maxArgumentBytes = 131_071

const killAfterMs = 2_000
/** How long processes that a program left in its group may go on after it. */
const backgroundGraceMs = 1_000
/** How long a descendant that holds the pipes may delay the result after the program itself has ended. */
const pipeGraceMs = 500

export interface RunOptions {
  readonly directory: string
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** Bytes of stdout after which the program is ended with `too-large`; 16 MiB by default. */
  readonly maxOutputBytes?: number
  /** Keeps the processes that the program leaves running when it ends by itself, even after our own end. */
  readonly keepsBackground?: boolean | undefined
  /** Bytes of stdout and of stderr that are passed on while it runs; the rest is only kept. */
  readonly maxStreamedBytes?: number
}

/** Why a run ended. `exit` includes a signal from outside. */
export type RunEnd = 'exit' | 'timeout' | 'cancelled' | 'too-large' | 'spawn'

export interface RunResult {
  readonly end: RunEnd
  readonly exitCode?: number
  readonly signal?: string
  /** The result of ending its tree, if we ended it. */
  readonly tree?: EndedTree
  readonly stdout: string
  /** The last 64 KiB. */
  readonly stderr: string
  readonly stdoutBytes: number
  /** False if stdout contained bytes that are not UTF-8; they are shown as U+FFFD. */
  readonly validUtf8: boolean
  /** Present if `end` is `spawn`. */
  readonly spawnError?: SpawnError
}

/** Why a program could not be started: the system's code (ENOENT, EACCES, E2BIG …) and its message. */
export interface SpawnError {
  readonly code: string
  readonly message: string
}

export type RunEvent =
  | { readonly type: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'end'; readonly result: RunResult }

/** Runs a program; yields its output as it arrives, then one `end`. Never throws. */
export function runProgram(
  file: string,
  args: readonly string[],
  options: RunOptions,
): AsyncIterable<RunEvent> {
  const queue = new EventQueue<RunEvent>()
  drive(file, args, options, queue)
    // spawn throws for some arguments (one that is too long or contains a NUL byte), instead of reporting through the
    // child.
    .catch((thrown: unknown) =>
      queue.push({ type: 'end', result: { ...emptyResult('spawn'), spawnError: toSpawnError(thrown) } }),
    )
    .finally(() => queue.end())
  return queue
}

/**
 * Runs a program to its end and returns only the result. At most 16 of these run at the same time: lists of tools, git.
 */
export function runToEnd(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  // One signal ends many runs; each removes its listeners again.
  setMaxListeners(0, options.signal)
  return readers.once(() => runToResult(file, args, options), options.signal)
}

const readers = new WaitingLine(16)

async function runToResult(file: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  for await (const event of runProgram(file, args, { ...options, maxStreamedBytes: 0 })) {
    if (event.type === 'end') return event.result
  }
  throw new Error('a run ended without a result')
}

async function drive(
  file: string,
  args: readonly string[],
  options: RunOptions,
  queue: EventQueue<RunEvent>,
): Promise<void> {
  const { signal, timeoutMs, maxOutputBytes = 16 * 1024 * 1024, maxStreamedBytes = 256 * 1024 } = options
  if (signal.aborted) return queue.push({ type: 'end', result: emptyResult('cancelled') })

  let end: RunEnd = 'exit'
  const { keepsBackground = false } = options
  const mark = keepsBackground ? undefined : nextMark()
  const { child, tree, closed } = started(
    spawn(file, [...args], { ...spawnOptions(options, mark), stdio: ['ignore', 'pipe', 'pipe'] }),
    mark,
  )
  const stopTracking = trackTree(tree)
  let ending: Promise<EndedTree> | undefined
  const stop = (why: RunEnd) => {
    if (end !== 'exit') return
    end = why
    ending = endTree(tree, killAfterMs).finally(() => child.stdout.destroy())
  }
  const onAbort = () => stop('cancelled')
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop('timeout'), timeoutMs)

  const stdout = new StreamText(maxStreamedBytes, text => queue.push({ type: 'stdout', text }))
  const stderr = new StreamText(maxStreamedBytes, text => queue.push({ type: 'stderr', text }), 64 * 1024)
  child.stdout.on('data', (chunk: Buffer) => {
    if (stdout.bytes >= maxOutputBytes) return
    stdout.add(chunk.subarray(0, maxOutputBytes - stdout.bytes))
    if (stdout.bytes >= maxOutputBytes) stop('too-large')
  })
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
  let ended: { code: number | null; signal: string | null } = { code: null, signal: null }
  child.once('exit', (code, signal) => {
    ended = { code, signal }
    setTimeout(() => {
      child.stdout.destroy()
      child.stderr.destroy()
    }, pipeGraceMs).unref()
  })

  const spawnError = await closed
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  const endedTree = await ending
  if (ending !== undefined || keepsBackground) stopTracking()
  else void endBackground(child.pid, backgroundGraceMs, killAfterMs).finally(stopTracking)
  stdout.finish()
  stderr.finish()

  const decoded = decodeUtf8(stdout.readBytes())
  const base = {
    stdout: decoded.text,
    stderr: decodeUtf8(stderr.readBytes()).text,
    stdoutBytes: stdout.bytes,
    validUtf8: decoded.valid,
  }
  if (spawnError !== undefined)
    return queue.push({ type: 'end', result: { ...base, end: 'spawn', spawnError } })
  queue.push({
    type: 'end',
    result: {
      ...base,
      end,
      ...(endedTree === undefined ? {} : { tree: endedTree }),
      ...(ended.code === null ? {} : { exitCode: ended.code }),
      ...(ended.signal === null ? {} : { signal: ended.signal }),
    },
  })
}

/**
 * Starts a program that runs until it is stopped, with pipes for all three streams (an MCP server). The caller tracks
 * its tree (trackTree) and ends it (endTree). Throws what `toSpawnError` reads.
 */
export function startServer(
  file: string,
  args: readonly string[],
  options: Pick<RunOptions, 'directory' | 'environment'>,
) {
  const mark = nextMark()
  return started(
    spawn(file, [...args], { ...spawnOptions(options, mark), stdio: ['pipe', 'pipe', 'pipe'] }),
    mark,
  )
}

const spawnOptions = (
  { directory, environment }: Pick<RunOptions, 'directory' | 'environment'>,
  mark: string | undefined,
) => ({
  cwd: directory,
  env: mark === undefined ? environment : withMark(environment, mark),
  // A group of its own (POSIX), so that one signal reaches every descendant.
  detached: process.platform !== 'win32',
  windowsHide: true,
})

/** `closed` resolves when the program has ended and its pipes are closed, with the error if it was never started. */
function started<Child extends ChildProcess>(child: Child, mark: string | undefined) {
  let error: unknown
  const closed = new Promise<SpawnError | undefined>(resolve => {
    const finish = () => resolve(child.pid === undefined ? toSpawnError(error) : undefined)
    child.on('error', thrown => {
      error ??= thrown
      if (child.pid === undefined) finish()
    })
    child.once('close', finish)
  })
  const tree: ProcessTree = { pid: child.pid, mark }
  startWatcher()
  return { child, tree, closed }
}

/** Converts an error that spawn threw or the child reported. */
export function toSpawnError(thrown: unknown): SpawnError {
  const { code = '', message = String(thrown) } = thrown as NodeJS.ErrnoException
  // Node's own codes (ERR_INVALID_ARG_VALUE) are for arguments that every system refuses.
  return { code: /^E[A-Z0-9]+$/.test(code) ? code : 'EINVAL', message }
}

function emptyResult(end: RunEnd): RunResult {
  return { end, stdout: '', stderr: '', stdoutBytes: 0, validUtf8: true }
}
