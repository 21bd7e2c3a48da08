/** The state of a call, made from its events: the same for the page, the history, the console and the command line. */
import type { CallEvent, EndedEvent, Validation } from './invocation.ts'
import type { Question, QuestionState } from './question.ts'
import type { CallTask } from './task.ts'

type EventOf<Type extends CallEvent['type']> = Extract<CallEvent, { readonly type: Type }>

export type StartedEvent = EventOf<'started'>
export type Progress = Omit<EventOf<'progress'>, 'type'>

export interface LogChunk {
  readonly stream: 'stdout' | 'stderr'
  readonly text: string
}

/** The output of a running program, in order: its end if it is long. */
export interface Logs {
  readonly chunks: readonly LogChunk[]
  readonly length: number
  /** Characters that were dropped at the front. */
  readonly dropped: number
}

/** A call that runs, or that has ended. Its size is limited, however many events there were. */
export interface CallState {
  readonly started?: StartedEvent
  readonly inputValidation?: Validation
  /** Its position in the queue while too many calls run; 0 once it runs. */
  readonly position?: number
  readonly progress?: Progress
  /** The task that the server made of the call, as last described. */
  readonly task?: CallTask
  /** In the order in which they were asked. */
  readonly questions: readonly QuestionState[]
  readonly logs: Logs
  /** Absent while it runs. */
  readonly ending?: EndedEvent
}

/** Maximum characters of logs. */
export const maxLogLength = 512 * 1024
const maxLogChunks = 10_000
/** Characters of two chunks of the same stream that are joined. */
const maxJoinedLength = 64_000

export const emptyCall: CallState = { questions: [], logs: { chunks: [], length: 0, dropped: 0 } }

/** Adds the events of a call to its state, each in constant time. Events after the ending change nothing. */
export class CallFold {
  private current: CallState
  /** The newest logs, up to twice the limits; undefined if they are those of `current`. */
  private logs: { chunks: LogChunk[]; length: number; dropped: number } | undefined

  constructor(state: CallState = emptyCall) {
    this.current = state
  }

  /** Returns the state. Parts that no event has changed since the last time are the same objects. */
  state(): CallState {
    if (this.logs !== undefined) this.current = { ...this.current, logs: trimLogs(this.logs) }
    this.logs = undefined
    return this.current
  }

  add(event: CallEvent): void {
    const { current } = this
    if (current.ending) return
    switch (event.type) {
      case 'started':
        this.current = { ...current, started: event }
        break
      case 'input-validation':
        this.current = { ...current, inputValidation: event.validation }
        break
      case 'queued':
        this.current = { ...current, position: event.position }
        break
      case 'stdout':
      case 'stderr':
        this.addLog({ stream: event.type, text: event.text })
        break
      case 'progress': {
        const { type: _type, ...progress } = event
        this.current = { ...current, progress }
        break
      }
      case 'task':
        this.current = { ...current, task: event.task }
        break
      case 'question':
        this.current = { ...current, questions: [...current.questions, { question: event.question }] }
        break
      case 'answer': {
        const { id, answer } = event
        const questions = current.questions.map(each =>
          each.question.id === id ? { ...each, answer } : each,
        )
        this.current = { ...current, questions }
        break
      }
      case 'result':
      case 'failure': {
        const { logs } = this.state()
        const { raw } = event
        this.current = {
          ...this.current,
          ending: event,
          logs: raw === undefined ? logs : withoutResult(logs, raw),
        }
      }
    }
  }

  private addLog(piece: LogChunk): void {
    this.logs ??= { ...this.current.logs, chunks: [...this.current.logs.chunks] }
    const { logs } = this
    const { chunks } = logs
    const last = chunks.at(-1)
    if (last?.stream === piece.stream && last.text.length + piece.text.length < maxJoinedLength)
      chunks[chunks.length - 1] = { stream: piece.stream, text: last.text + piece.text }
    else chunks.push(piece)
    logs.length += piece.text.length
    if (logs.length > 2 * maxLogLength || chunks.length > 2 * maxLogChunks) this.logs = trimLogs(logs)
  }
}

/** Returns the state after more events. */
export function foldEvents(state: CallState, events: Iterable<CallEvent>): CallState {
  const fold = new CallFold(state)
  for (const event of events) fold.add(event)
  return fold.state()
}

/**
 * Returns the events that give the same logs, task, questions and progress again: output, then the task, each question
 * with its answer, and the progress.
 */
export function toLogEvents({ logs, questions, progress, task }: CallState): LogEvent[] {
  return [
    ...logs.chunks.map(({ stream, text }) => ({ type: stream, text })),
    ...(task ? [{ type: 'task', task } as const] : []),
    ...questions.flatMap(({ question, answer }): LogEvent[] => [
      { type: 'question', question },
      ...(answer ? [{ type: 'answer', id: question.id, answer } as const] : []),
    ]),
    ...(progress ? [{ type: 'progress', ...progress } as const] : []),
  ]
}

export type LogEvent = EventOf<'stdout' | 'stderr' | 'progress' | 'question' | 'answer' | 'task'>

/** Returns the state of a stored call. Its logs do not contain the result: `toLogEvents` was applied to an ended call. */
export function foldStoredEvents(events: readonly CallEvent[]): CallState {
  const ending = events.find(event => event.type === 'result' || event.type === 'failure')
  const state = foldEvents(emptyCall, ending ? events.slice(0, events.indexOf(ending)) : events)
  return ending ? { ...state, ending } : state
}

/** Returns the first question that waits for an answer; undefined once the call has ended. */
export function findOpenQuestion({ ending, questions }: CallState): Question | undefined {
  return ending ? undefined : questions.find(({ answer }) => answer === undefined)?.question
}

/** Drops the oldest text beyond the limits. */
function trimLogs({ chunks, length, dropped }: Logs): {
  chunks: LogChunk[]
  length: number
  dropped: number
} {
  let excess = Math.max(0, length - maxLogLength)
  let first = 0
  let removed = 0
  for (const { text } of chunks) {
    if (chunks.length - first <= maxLogChunks && text.length > excess) break
    excess = Math.max(0, excess - text.length)
    removed += text.length
    first += 1
  }
  const rest = chunks.slice(first)
  const oldest = rest[0]
  if (oldest && excess > 0) rest[0] = { ...oldest, text: oldest.text.slice(excess) }
  removed += excess
  return { chunks: rest, length: length - removed, dropped: dropped + removed }
}

/**
 * Returns the logs without the result on stdout, so that only stray prints of a handler remain. Also removes the
 * beginning of a long result if only that was streamed.
 */
function withoutResult(logs: Logs, raw: string): Logs {
  const stdout = logs.chunks
    .filter(chunk => chunk.stream === 'stdout')
    .map(chunk => chunk.text)
    .join('')
  const stray = countStrayCharacters(stdout, raw.trim())
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
function countStrayCharacters(stdout: string, result: string): number | undefined {
  if (result === '') return undefined
  const written = stdout.trimEnd()
  if (written.endsWith(result)) return written.length - result.length
  const streamed = written.replace(cutNote, '')
  const start = streamed.indexOf(result.slice(0, 200))
  return start >= 0 && result.startsWith(streamed.slice(start)) ? start : undefined
}
