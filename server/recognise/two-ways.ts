/** A source whose list can be read in two ways: the likely one first, the other if the first gets no answer. */

import { AppError, toAppError } from '../../core/errors.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import type { Session } from '../sources/source.ts'

/** Milliseconds for the second way. The first, which is the likely one, has the limits of its kind. */
const secondWayMs = 10_000

/** Failures that the other way may avoid. Any other error shows that the program understood the request. */
const unanswered: readonly string[] = [
  'source-failed',
  'source-timeout',
  'manifest-not-json',
  'manifest-unrecognised',
]

export interface Way {
  /** `as an MCP server` */
  readonly asked: string
  open(): Promise<Session>
  /** Called when a list was read in this way. */
  answered?(): void
}

export async function openTwoWays(first: Way, second: Way): Promise<Session> {
  return new TwoWaySession(await first.open(), first, second)
}

/** Every member of a session, so that a new one that is not forwarded here is a type error. */
type WholeSession = { readonly [Key in keyof Required<Session>]: Session[Key] }

/**
 * Holds the session of the first way until the second one answers, and forwards everything to the session that it
 * holds.
 */
class TwoWaySession implements WholeSession {
  private current: Session
  private readonly first: Way
  private readonly second: Way
  private isKnown = false

  constructor(session: Session, first: Way, second: Way) {
    this.current = session
    this.first = first
    this.second = second
  }

  get label() {
    return this.current.label
  }
  get kind() {
    return this.current.kind
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

  close() {
    return this.current.close()
  }

  async manifest(signal: AbortSignal): Promise<Manifest> {
    try {
      const read = await this.current.manifest(signal)
      if (!this.isKnown) this.first.answered?.()
      this.isKnown = true
      return read
    } catch (thrown) {
      const error = toAppError(thrown)
      if (this.isKnown || signal.aborted || !unanswered.includes(error.code)) throw error
      return this.askOtherwise(error, signal)
    }
  }

  private async askOtherwise(error: AppError, signal: AbortSignal): Promise<Manifest> {
    const other = await this.second.open()
    try {
      const read = await readInTime(other, signal)
      await this.current.close()
      this.current = other
      this.isKnown = true
      this.second.answered?.()
      return read
    } catch (thrown) {
      await other.close()
      throw new AppError(error.code, error.detail, {
        cause: error,
        hint: `Also tried ${this.second.asked}: ${toAppError(thrown).detail}. ${error.toShape().hint}`,
        output: error.output,
      })
    }
  }
}

/** Reads the list with a time limit: a source that does not understand the request may never answer. */
async function readInTime(session: Session, signal: AbortSignal): Promise<Manifest> {
  return runWithLimit([signal], secondWayMs, stop => session.manifest(stop)).catch(thrown => {
    if (!isTimeLimit(thrown)) throw thrown
    throw new AppError('source-timeout', `${session.label} did not answer within ${secondWayMs / 1000} s`)
  })
}
