/** Which call of each tool this browser made last: after a reload its result is read from the history. */
import { isText, storage, storedList } from '../../ui/storage.ts'

const key = 'toolscope:last-calls'

/** Calls that are remembered; those of the tools that were called longest ago go first. */
const maxCalls = 100

/** A tool's ref and the id of its call. */
type LastCall = readonly [ref: string, id: string]

const readCalls = () => storedList(key, isLastCall)

function isLastCall(value: unknown): value is LastCall {
  return Array.isArray(value) && value.length === 2 && value.every(isText)
}

/** The id of the tool's last call; undefined where this browser remembers none. */
export function lastCallOf(ref: string): string | undefined {
  return readCalls().find(call => call[0] === ref)?.[1]
}

/** Read and written each time: another tab may have called too. */
export function rememberCall(ref: string, id: string): void {
  const others = readCalls().filter(call => call[0] !== ref)
  storage.set(key, JSON.stringify([[ref, id], ...others].slice(0, maxCalls)))
}
