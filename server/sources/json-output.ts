/** Finds the JSON document in what a program printed: a handler may log before its result, a banner stand before a list. */

import { parseJson } from '../../core/json/json.ts'

export interface JsonOutput {
  readonly value: unknown
  /** The JSON text to the letter. */
  readonly text: string
  /** What stood around it; empty when the whole output was JSON. */
  readonly rest: string
}

/**
 * The whole of `stdout` as JSON; failing that, the last balanced JSON object or array that begins a line,
 * or a last line that is JSON by itself. Null when there is none. Linear time but for hostile nesting, which is capped.
 *
 * @param isWanted other values count as text
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
  // Every failed start costs a scan; four times the length is far more than an honest log needs.
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

/** Index after the bracket that closes the one at `start`; null when it never closes. Strings are skipped. */
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
