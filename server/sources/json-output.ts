/**
 * Finds the JSON document in a program's output: a handler may log before its result, or print a banner before a list.
 */

import { parseJson } from '../../core/json/json.ts'

export interface JsonOutput {
  readonly value: unknown
  /** The exact JSON text. */
  readonly text: string
  /** The text around it; empty if the whole output is JSON. */
  readonly rest: string
}

/**
 * Returns the whole of `stdout` if it is JSON, else the last balanced JSON object or array that begins a line, else the
 * last line if it is JSON, else null. Takes linear time; the scan is capped for hostile nesting.
 *
 * @param isWanted decides whether a value counts; other values are treated as text
 */
export function findJson(
  stdout: string,
  isWanted: (value: unknown) => boolean = () => true,
): JsonOutput | null {
  const whole = parseJson(stdout)
  if (whole !== undefined && isWanted(whole)) return { value: whole, text: stdout.trim(), rest: '' }
  return lastBlock(stdout, isWanted) ?? lastLine(stdout, isWanted)
}

function lastBlock(stdout: string, isWanted: (value: unknown) => boolean): JsonOutput | null {
  let found: JsonOutput | null = null
  // Every failed start costs a scan; four times the length is far more than a normal log needs.
  let budget = Math.max(4 * stdout.length, 10_000)
  const starts = /^[{[]/gm
  for (let match = starts.exec(stdout); match && budget > 0; match = starts.exec(stdout)) {
    const end = balancedEnd(stdout, match.index)
    budget -= (end ?? stdout.length) - match.index
    if (end === null) continue
    const text = stdout.slice(match.index, end)
    const value = parseJson(text)
    if (value === undefined || !isWanted(value)) continue
    found = { value, text, rest: stdout.slice(0, match.index) + stdout.slice(end) }
    starts.lastIndex = end
  }
  return found
}

function lastLine(stdout: string, isWanted: (value: unknown) => boolean): JsonOutput | null {
  const trimmed = stdout.trimEnd()
  const start = trimmed.lastIndexOf('\n') + 1
  const text = trimmed.slice(start)
  const value = parseJson(text)
  return value === undefined || !isWanted(value) ? null : { value, text, rest: trimmed.slice(0, start) }
}

/**
 * Returns the index after the bracket that closes the one at `start`, or null if it is not closed. Strings are skipped.
 */
function balancedEnd(text: string, start: number): number | null {
  let depth = 0
  let inString = false
  for (let index = start; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === 0x5c) index++
      else if (character === 0x22) inString = false
    } else if (character === 0x22) inString = true
    else if (character === 0x7b || character === 0x5b) depth++
    else if ((character === 0x7d || character === 0x5d) && --depth === 0) return index + 1
  }
  return null
}
