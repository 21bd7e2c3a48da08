/** Messages that the program sends unasked: printed on the terminal, and shown on every open page. */
import { Emitter } from './emitter.ts'

export interface Notices {
  emit(text: string): void
  /** Calls `listener` for every notice, until the returned function is called. */
  onNotice(listener: (text: string) => void): () => void
}

export function createNotices(print: (line: string) => void): Notices {
  const notices = new Emitter<string>()
  notices.on(print)
  return { emit: text => notices.emit(text), onNotice: listener => notices.on(listener) }
}
