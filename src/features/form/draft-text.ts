/** Keeps the form's draft and the page's text in sync, without serializing the draft at every keystroke. */
import { type JsonReading, readJson, writeJson } from '../../../core/json/json-text.ts'
import { DraftStore } from './draft-store.ts'

/** Pause in typing before the text is serialized. Leaving a field serializes it immediately. */
const pauseMs = 120

export class DraftText {
  readonly store: DraftStore
  private text: string
  private timer: ReturnType<typeof setTimeout> | undefined
  private listener: ((text: string) => void) | undefined
  private accepting = false
  private lastRead: { readonly text: string; readonly reading: JsonReading }

  constructor(text: string) {
    this.text = text
    const reading = readJson(text)
    this.lastRead = { text, reading }
    this.store = new DraftStore(reading.ok ? reading.value : undefined)
    this.store.onEdit = () => {
      if (this.accepting) return
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.flush(), pauseMs)
    }
  }

  /** Calls `listener` with each new text. Returns the function that stops it, after it emits pending edits. */
  onText(listener: (text: string) => void): () => void {
    this.listener = listener
    return () => {
      this.flush()
      this.listener = undefined
    }
  }

  /** Accepts a text from outside: the JSON tab, an example, a reset. The draft's own last text changes nothing. */
  accept(text: string): void {
    if (text !== this.text) this.replace(text)
  }

  /** Empties the draft and forgets which fields the user has left. */
  clear(): void {
    this.replace('')
  }

  private replace(text: string): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.text = text
    const reading = this.read(text)
    if (!reading.ok) return
    this.accepting = true
    this.store.replace(reading.value)
    this.accepting = false
  }

  /** Reads a text and caches the last reading. */
  read(text: string): JsonReading {
    if (text !== this.lastRead.text) this.lastRead = { text, reading: readJson(text) }
    return this.lastRead.reading
  }

  /** Writes pending edits to the text. Returns the current text. */
  flush(): string {
    if (this.timer === undefined) return this.text
    clearTimeout(this.timer)
    this.timer = undefined
    const value = this.store.get([])
    const text = writeJson(value)
    if (text !== this.text) {
      this.text = text
      this.lastRead = { text, reading: { ok: true, value } }
      this.listener?.(text)
    }
    return text
  }
}
