/** The events that are kept of a running call, limited in size. */
import type { CallEvent, EndedEvent, Validation } from '../../core/tool/invocation.ts'

type Started = Extract<CallEvent, { type: 'started' }>
type TextEvent = Extract<CallEvent, { type: 'stdout' | 'stderr' }>
export type LogEvent = TextEvent | Extract<CallEvent, { type: 'progress' | 'question' | 'answer' }>

const isText = (event: LogEvent | undefined): event is TextEvent =>
  event?.type === 'stdout' || event?.type === 'stderr'

/** Maximum characters of logs. The end of a long log is kept. */
const maxLogCharacters = 512 * 1024

export class CallNotes {
  started: Started | undefined
  inputValidation: Validation | undefined
  ending: EndedEvent | undefined
  /** Whether the beginning of the logs was dropped. */
  cut = false
  private readonly logs: LogEvent[] = []
  private length = 0

  add(event: CallEvent): void {
    if (event.type === 'started') this.started = event
    else if (event.type === 'input-validation') this.inputValidation = event.validation
    else if (event.type === 'result' || event.type === 'failure') this.ending = event
    else if (event.type !== 'queued') this.keep(event)
  }

  /**
   * Returns the events in order: pieces of one stream joined, only the last progress, and without stdout that is the
   * result itself.
   */
  logEvents(): LogEvent[] {
    const joined: LogEvent[] = []
    for (const event of this.logs) {
      const last = joined.at(-1)
      if (isText(event) && isText(last) && last.type === event.type)
        joined[joined.length - 1] = { type: event.type, text: last.text + event.text }
      else if (event.type === 'progress' && last?.type === 'progress') joined[joined.length - 1] = event
      else joined.push(event)
    }
    const raw = this.ending?.raw?.trim()
    const stdout = joined.filter(event => event.type === 'stdout')
    const isResult =
      raw !== undefined &&
      stdout
        .map(event => event.text)
        .join('')
        .trim() === raw
    return isResult ? joined.filter(event => event.type !== 'stdout') : joined
  }

  private keep(event: LogEvent): void {
    this.logs.push(event)
    this.length += estimateSize(event)
    while (this.length > maxLogCharacters) {
      const first = this.logs.shift()
      if (first === undefined) break
      this.cut = true
      this.length -= estimateSize(first)
      // A single piece may be larger than the limit.
      if (this.logs.length === 0 && isText(first)) {
        const rest = { type: first.type, text: first.text.slice(-maxLogCharacters / 2) }
        this.logs.push(rest)
        this.length += estimateSize(rest)
        break
      }
    }
  }
}

function estimateSize(event: LogEvent): number {
  if (isText(event)) return event.text.length + 16
  return event.type === 'progress' ? 64 + (event.message?.length ?? 0) : JSON.stringify(event).length
}
