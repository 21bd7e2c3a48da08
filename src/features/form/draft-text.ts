/** Keeps the form's draft and the page's text the same, without writing out the text at every keystroke. */
import { type JsonReading, readJson, writeJson } from '../../../core/json/json-text.ts'
import { DraftStore } from './draft-store.ts'

/** A pause in typing after which the text is written out. Leaving a field writes it at once. */
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

  /** Tells `listener` each new text. Returns the way to stop; what is still unwritten is told first. */
  onText(listener: (text: string) => void): () => void {
    this.listener = listener
    return () => {
      this.flush()
      this.listener = undefined
    }
  }

  /** A text from outside: the JSON tab, an example, a reset. Our own text coming back changes nothing. */
  accept(text: string): void {
    if (text !== this.text) this.replace(text)
  }

  /** Takes everything out, also what counts as left. */
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

  /** Reads a text, once however often it is asked for. */
  read(text: string): JsonReading {
    if (text !== this.lastRead.text) this.lastRead = { text, reading: readJson(text) }
    return this.lastRead.reading
  }

  /** Writes out what was edited since; returns the text as it is now. */
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
