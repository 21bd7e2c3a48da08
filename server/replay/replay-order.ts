/** Chooses the recorded answer of each request: the nth equal request gets the nth answer. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import {
  describeDifference,
  findMaskedKey,
  findNearestKey,
  type NearestKey,
  type ReplayKey,
  readRecordedKey,
} from '../../core/wire/replay-key.ts'
import type { RecordingIndex } from './recording-index.ts'

export interface ReplayOptions {
  /** After the last recorded answer of a call, the first one follows again. Otherwise an error follows. */
  readonly cycle: boolean
  /** 1 waits as long as the recorded server did, 2 half as long; `Infinity` does not wait. */
  readonly speed: number
}

/** The longest time that a timer accepts. */
const maxTimerMs = 2 ** 31 - 1

export class ReplayOrder {
  private readonly index: RecordingIndex
  private readonly options: ReplayOptions
  /** How many answers of equal requests were given, by the first of them. */
  private readonly given = new Map<number, number>()

  constructor(index: RecordingIndex, options: ReplayOptions) {
    this.index = index
    this.options = options
  }

  /** Returns the recorded request whose answer is next, or a sentence that says why there is none. */
  async choose(key: ReplayKey): Promise<{ readonly request: number } | { readonly problem: string }> {
    let equal = this.index.find(key)
    if (equal.length === 0) {
      // The recording does not contain a masked secret, so each text is accepted in its place.
      const masked = findMaskedKey(key, await this.readKeys(this.index.masked(key)))
      if (masked === undefined) return { problem: await this.describe(key) }
      equal = this.index.find(masked)
    }
    const [first = 0] = equal
    const count = this.given.get(first) ?? 0
    this.given.set(first, count + 1)
    // A list or a resource stays as it was seen last; only a call may have a different answer each time.
    const request =
      equal[count] ??
      (this.options.cycle ? equal[count % equal.length] : key.tool === undefined ? equal.at(-1) : undefined)
    if (request !== undefined) return { request }
    const times = equal.length === 1 ? 'once' : `${equal.length} times`
    return {
      problem: `The recording has this call of "${key.tool}" ${times}, and each answer was given. With --cycle, they start again.`,
    }
  }

  /** Waits as long as the recording did, at its speed. Rejects if the signal is aborted. */
  async wait(recordedMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = recordedMs / this.options.speed
    // A timer of less than a millisecond waits longer than that.
    if (waitMs >= 1) await setTimeoutPromise(Math.min(waitMs, maxTimerMs), undefined, { signal })
  }

  private async readKeys(requests: readonly number[]): Promise<[ReplayKey, ReplayKey][]> {
    const keys: [ReplayKey, ReplayKey][] = []
    for (const request of requests) {
      const key = readRecordedKey(await this.index.request(request))
      if (key !== undefined) keys.push([key, key])
    }
    return keys
  }

  private async findNearest(key: ReplayKey): Promise<NearestKey<number> | undefined> {
    const recorded: [ReplayKey, number][] = []
    for (const request of this.index.candidates(key)) {
      const other = readRecordedKey(await this.index.request(request))
      if (other !== undefined) recorded.push([other, request])
    }
    return findNearestKey(key, recorded)
  }

  private async describe(key: ReplayKey): Promise<string> {
    const nearest = await this.findNearest(key)
    if (nearest === undefined) {
      if (key.tool === undefined) return `The recording has no ${key.method}.`
      const { calledTools } = this.index
      const known =
        calledTools.length === 0 ? 'no call at all' : `calls of ${calledTools.slice(0, 10).join(', ')}`
      return `The recording has no call of "${key.tool}"; it has ${known}.`
    }
    const { seq } = await this.index.request(nearest.entry)
    const request = key.tool === undefined ? key.method : `call of "${key.tool}"`
    const first = nearest.first === undefined ? '' : ` ${describeDifference(nearest.first)}`
    const more = nearest.count > 1 ? ` It differs at ${nearest.count} locations.` : ''
    return `The recording has no ${request} with this input. The nearest one is message ${seq}.${first}${more}`
  }
}
