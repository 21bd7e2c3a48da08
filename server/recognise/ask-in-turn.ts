/** A source whose list can be read in several ways: the likely one first, the next if it gets no answer. */

import { AppError, reaches, toAppError } from '../../core/errors.ts'
import type { LogLevel } from '../../core/tool/log-line.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import type { ListScope, Session } from '../sources/source.ts'

/** Milliseconds for a way that is not the likely one. */
export const secondWayMs = 10_000

/** Failures that another way may avoid. Any other error shows that the program understood the request. */
const unanswered: readonly string[] = [
  'source-failed',
  'source-timeout',
  'manifest-not-json',
  'manifest-unrecognised',
]

export interface Way {
  /** `as an MCP server` */
  readonly requestedAs: string
  /** Milliseconds for its list; the limits of its kind unless given. */
  readonly maxMs?: number | undefined
  /** Whether it speaks on stdin and stdout: an address that the program announces then shows that it does not. */
  readonly isStdio?: boolean
  open(): Promise<Session>
  /** Called when a list was read in this way. */
  answered?(): void
}

type Ways = readonly [Way, ...Way[]]

/** Opens a source that is asked in these ways, one after the other, until one of them gives its list. */
export async function openInTurn(ways: Ways): Promise<Session> {
  return new SessionInTurn(await ways[0].open(), ways)
}

/** Every member of a session, so that a new one that is not forwarded here is a type error. */
type WholeSession = { readonly [Key in keyof Required<Session>]: Session[Key] }

interface FailedWay {
  readonly way: Way
  readonly session: Session
  readonly error: AppError
}

/** Forwards everything to the session of the way that is asked, and at the end to the one that answered. */
class SessionInTurn implements WholeSession {
  private current: Session
  private ways: Ways
  private way: Way
  private isKnown = false
  /** The session is closed: the way that was asked last has failed. */
  private isSpent = false

  constructor(session: Session, ways: Ways) {
    this.current = session
    this.ways = ways
    this.way = ways[0]
  }

  get label() {
    return this.current.label
  }
  get kind() {
    return this.current.kind
  }
  get requestedAs() {
    return this.way.requestedAs
  }
  get secrets() {
    return this.current.secrets
  }
  get problems() {
    return this.current.problems
  }
  get signIn() {
    return this.current.signIn
  }
  get resourceChanges() {
    return this.current.resourceChanges
  }
  get watch() {
    return this.current.watch
  }
  get manifestPath() {
    return this.current.manifestPath
  }
  get directory() {
    return this.current.directory
  }
  get agents() {
    return this.current.agents
  }
  get renews() {
    return this.current.renews
  }
  get call() {
    return this.current.call?.bind(this.current)
  }
  get send() {
    return this.current.send?.bind(this.current)
  }
  get lists() {
    return this.current.lists
  }
  get starts() {
    return this.current.starts
  }
  get isAlive() {
    return this.current.isAlive?.bind(this.current)
  }
  get log() {
    return this.current.log?.bind(this.current)
  }

  about() {
    return this.current.about?.() ?? {}
  }

  confirmVariables() {
    return this.current.confirmVariables?.()
  }

  busy() {
    return this.current.busy?.() === true
  }

  async complete(...question: Parameters<NonNullable<Session['complete']>>) {
    return (await this.current.complete?.(...question)) ?? []
  }

  async readResource(...asked: Parameters<NonNullable<Session['readResource']>>) {
    return this.current.readResource?.(...asked)
  }

  close() {
    return this.current.close()
  }

  logLines() {
    return this.current.logLines?.() ?? []
  }

  async setLogLevel(level: LogLevel | undefined) {
    await this.current.setLogLevel?.(level)
  }

  hasExpiredList() {
    return this.current.hasExpiredList?.() === true
  }

  async manifest(signal: AbortSignal, scope?: ListScope): Promise<Manifest> {
    if (this.isKnown) return this.current.manifest(signal, scope)
    const failures: FailedWay[] = []
    for (const way of this.ways) {
      this.way = way
      try {
        if (this.isSpent) this.current = await way.open()
        this.isSpent = false
        const read = await readInTime(this.current, way, signal)
        way.answered?.()
        this.isKnown = true
        return read
      } catch (thrown) {
        const error = toAppError(thrown)
        if (!this.isSpent && !signal.aborted && !unanswered.includes(error.code)) {
          // It understood the request, so it is asked in this way from now on.
          this.ways = [way, ...this.ways.filter(other => other !== way)]
          throw error
        }
        failures.push({ way, session: this.current, error })
        this.isSpent = true
        // No two programs of one source run at the same time.
        await this.current.close()
        if (signal.aborted) throw error
      }
    }
    const reason = chooseReason(failures)
    this.current = reason.session
    throw describeFailures(reason, failures)
  }
}

/** Returns the failure of the way that got further; of equal ones the first with something that the source wrote. */
function chooseReason(failures: readonly FailedWay[]): FailedWay {
  const rate = ({ error }: FailedWay) => {
    const reach = error.reach ?? (error.code === 'manifest-unrecognised' ? 'answered' : 'silent')
    return 2 * reaches.indexOf(reach) + (error.output?.trim() ? 1 : 0)
  }
  return failures.reduce((best, each) => (rate(each) > rate(best) ? each : best))
}

/** The reason comes first; every other way is one line. */
function describeFailures(reason: FailedWay, failures: readonly FailedWay[]): AppError {
  const { error, way } = reason
  const others = failures
    .filter(failure => failure !== reason)
    .map(other => `Also tried ${other.way.requestedAs}: ${other.error.detail.split('\n', 1)[0]}.`)
  const hint = [...others, error.toShape().hint].join('\n')
  return error.with(error.output === undefined ? { hint } : { hint, outputOf: way.requestedAs })
}

/** Reads the list with a time limit: a source that does not understand the request may never answer. */
async function readInTime(
  session: Session,
  { maxMs, isStdio = false }: Way,
  signal: AbortSignal,
): Promise<Manifest> {
  const read = (stop: AbortSignal) => (isStdio ? readUnlessServed(session, stop) : session.manifest(stop))
  if (maxMs === undefined) return read(signal)
  return runWithLimit([signal], maxMs, read).catch(thrown => {
    if (signal.aborted) throw new AppError('source-failed', `${session.label} was cancelled`)
    if (!isTimeLimit(thrown)) throw thrown
    const detail = `${session.label} did not answer within ${maxMs / 1000} s (ended by Toolscope)`
    throw new AppError('source-timeout', detail, {
      output: session.log?.().trim().slice(-4_000) || undefined,
      hint: 'Find out what it waits for. A slow MCP server gets a minute if mcp: is before its command.',
    })
  })
}

/** Milliseconds in which a program may still answer on stdout after it announced an address. */
const maxServedMs = 5_000
const readLogEveryMs = 250

/**
 * Reads the list of a program that should answer on stdout. Fails soon if it announces an address of this machine and
 * does not answer: it is an HTTP server, and would use up the whole time limit.
 */
async function readUnlessServed(session: Session, signal: AbortSignal): Promise<Manifest> {
  let timer: NodeJS.Timeout | undefined
  const served = new Promise<never>((_, reject) => {
    let announcedAt: number | undefined
    timer = setInterval(() => {
      const output = session.log?.() ?? ''
      const address = findServedAddress(output)
      if (address === undefined) return
      announcedAt ??= performance.now()
      if (performance.now() - announcedAt < maxServedMs) return
      const detail = `${session.label} serves HTTP at ${address} and does not answer on stdout (ended by Toolscope)`
      reject(
        new AppError('source-failed', detail, {
          output: output.trim().slice(-4_000),
          // Its own words give the reason, whatever another way does.
          reach: 'ended',
          hint: `Start it yourself, then open its address: toolscope ${address}. Or add its option for stdio, often --stdio.`,
        }),
      )
    }, readLogEveryMs)
  })
  try {
    return await Promise.race([session.manifest(signal), served])
  } finally {
    clearInterval(timer)
  }
}

/** Returns the address of this machine at which a program says that it listens; undefined if it names none. */
function findServedAddress(output: string): string | undefined {
  const named =
    /\b(?:listening|running|serving|started|available)\b.{0,80}?(https?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}(?:\/[^\s"'<>)]{0,200})?)/i.exec(
      output,
    )?.[1]
  return named?.replace(/[.,;:]+$/, '').replace('//0.0.0.0:', '//127.0.0.1:')
}
