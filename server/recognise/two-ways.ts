/** A source that can be asked for its list in two ways: the likely one first, the other where that is not answered. */

import { AppError, toAppError } from '../../core/errors.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { Session } from '../sources/source.ts'

/** Milliseconds for the second way. The first, which is the likely one, has the limits of its kind. */
const secondWayMs = 10_000

/** Failures that another way of asking may mend. Whoever answers anything else has understood the question. */
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
  /** Called when a list came in this way. */
  answered?(): void
}

/** The session of the first way until the second one is answered; whatever a session can do is done by that one. */
export async function openTwoWays(first: Way, second: Way): Promise<Session> {
  let session = await first.open()
  let isKnown = false
  const manifest = async (signal: AbortSignal): Promise<Manifest> => {
    try {
      const read = await session.manifest(signal)
      if (!isKnown) first.answered?.()
      isKnown = true
      return read
    } catch (thrown) {
      const error = toAppError(thrown)
      if (isKnown || signal.aborted || !unanswered.includes(error.code)) throw error
      return askOtherwise(error, signal)
    }
  }
  const askOtherwise = async (error: AppError, signal: AbortSignal): Promise<Manifest> => {
    const other = await second.open()
    try {
      const read = await inTime(other, signal)
      await session.close()
      session = other
      isKnown = true
      second.answered?.()
      return read
    } catch (thrown) {
      await other.close()
      throw new AppError(error.code, error.detail, {
        cause: error,
        hint: `Also tried ${second.asked}: ${toAppError(thrown).detail}. ${error.toShape().hint}`,
        output: error.output,
      })
    }
  }
  return new Proxy(session, {
    get(_first, key) {
      if (key === 'manifest') return manifest
      const value: unknown = Reflect.get(session, key, session)
      return typeof value === 'function' ? value.bind(session) : value
    },
  })
}

/** The list of a source that may not know the question at all, and waits for another one. */
async function inTime(session: Session, signal: AbortSignal): Promise<Manifest> {
  const ended = AbortSignal.any([signal, AbortSignal.timeout(secondWayMs)])
  const late = new Promise<never>((_, reject) => {
    const words = `${session.label} did not answer within ${secondWayMs / 1000} s`
    ended.addEventListener('abort', () => reject(new AppError('source-timeout', words)))
  })
  return Promise.race([session.manifest(ended), late])
}
