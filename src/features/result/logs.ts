/** The output of a running program, in order, with a size limit. */
export interface LogChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

export interface Logs {
  readonly chunks: readonly LogChunk[]
  /** Characters in `chunks`. */
  readonly length: number
  /** Characters that were dropped at the front. */
  readonly dropped: number
}

/** Characters that are kept: the end of the logs. The result is stored separately. */
export const maxLogLength = 1_000_000

export const noLogs: Logs = { chunks: [], length: 0, dropped: 0 }

/** Adds a piece and drops the oldest text beyond the limit. */
export function addLog(logs: Logs, piece: LogChunk): Logs {
  const last = logs.chunks.at(-1)
  const chunks =
    last?.stream === piece.stream && last.text.length + piece.text.length < 64_000
      ? [...logs.chunks.slice(0, -1), { stream: piece.stream, text: last.text + piece.text }]
      : [...logs.chunks, piece]
  let length = logs.length + piece.text.length
  let { dropped } = logs
  while (length > maxLogLength) {
    const first = chunks[0]
    if (!first) break
    const excess = Math.min(length - maxLogLength, first.text.length)
    if (excess === first.text.length) chunks.shift()
    else chunks[0] = { ...first, text: first.text.slice(excess) }
    length -= excess
    dropped += excess
  }
  return { chunks, length, dropped }
}

/**
 * Returns the logs without the result on stdout, so that only stray prints of a handler remain. Also removes the
 * beginning of a long result if only that was streamed.
 */
export function withoutResult(logs: Logs, raw: string): Logs {
  const stdout = logs.chunks
    .filter(chunk => chunk.stream === 'stdout')
    .map(chunk => chunk.text)
    .join('')
  const stray = strayLength(stdout, raw.trim())
  if (stray === undefined) return logs
  let keep = stray
  const chunks: LogChunk[] = []
  for (const chunk of logs.chunks) {
    if (chunk.stream === 'stderr') {
      chunks.push(chunk)
      continue
    }
    const text = chunk.text.slice(0, keep)
    keep -= text.length
    if (text.trim() !== '') chunks.push({ stream: 'stdout', text })
  }
  const length = chunks.reduce((sum, chunk) => sum + chunk.text.length, 0)
  return { ...logs, chunks, length }
}

/** Matches the last line if it says that the stream was cut short. */
const cutNote = /\n… [^\n]*\n?$/

/** Returns the number of characters on stdout before the result; undefined if stdout does not contain the result. */
function strayLength(stdout: string, result: string): number | undefined {
  if (result === '') return undefined
  const written = stdout.trimEnd()
  if (written.endsWith(result)) return written.length - result.length
  const streamed = written.replace(cutNote, '')
  const start = streamed.indexOf(result.slice(0, 200))
  return start >= 0 && result.startsWith(streamed.slice(start)) ? start : undefined
}

/** Counts the lines in the logs, for the tab. */
export function countLines(logs: Logs): number {
  let lines = 0
  for (const { text } of logs.chunks) {
    for (const line of text.split('\n')) if (line.trim() !== '') lines += 1
  }
  return lines
}
