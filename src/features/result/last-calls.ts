/** Stores the id of each tool's last call in this browser, so that a reload can read its result from the history. */
import { isText, storage, storedList } from '../../ui/storage.ts'

const key = 'toolscope:last-calls'

/** The number of stored calls; the oldest ones are removed first. */
const maxCalls = 100

/** A tool's ref and the id of its call. */
type LastCall = readonly [ref: string, id: string]

const readCalls = () => storedList(key, isLastCall)

function isLastCall(value: unknown): value is LastCall {
  return Array.isArray(value) && value.length === 2 && value.every(isText)
}

/** Returns the id of the tool's last call; undefined if this browser has stored none. */
export function findLastCallId(ref: string): string | undefined {
  return readCalls().find(call => call[0] === ref)?.[1]
}

/** Reads the storage again before it writes, because another tab may have written too. */
export function rememberCall(ref: string, id: string): void {
  const others = readCalls().filter(call => call[0] !== ref)
  storage.set(key, JSON.stringify([[ref, id], ...others].slice(0, maxCalls)))
}
