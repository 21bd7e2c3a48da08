/** Passes values to every listener, in the order in which they were added. */
export class Emitter<Value> {
  private readonly listeners = new Set<(value: Value) => void>()

  /** Calls `listener` with every value that is emitted, until the returned function is called. */
  on(listener: (value: Value) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  emit(value: Value): void {
    for (const listener of this.listeners) listener(value)
  }

  /** Removes every listener. */
  clear(): void {
    this.listeners.clear()
  }

  get hasListeners(): boolean {
    return this.listeners.size > 0
  }
}

/** Turns callbacks into an async iterable: push from anywhere, read in order, end once. */
export class EventQueue<Event> {
  private readonly waiting: Event[] = []
  private wake: (() => void) | undefined
  private ended = false

  push(event: Event): void {
    if (this.ended) return
    this.waiting.push(event)
    this.wake?.()
  }

  end(): void {
    this.ended = true
    this.wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const next = this.waiting.shift()
      if (next !== undefined) {
        yield next
        continue
      }
      if (this.ended) return
      await new Promise<void>(resolve => {
        this.wake = resolve
      })
      this.wake = undefined
    }
  }
}

export interface Notices {
  emit(text: string): void
  /** Calls `listener` for every notice, until the returned function is called. */
  onNotice(listener: (text: string) => void): () => void
}

/** Messages that the program sends unasked: printed on the terminal, and shown on every open page. */
export function createNotices(print: (line: string) => void): Notices {
  const notices = new Emitter<string>()
  notices.on(print)
  return { emit: text => notices.emit(text), onNotice: listener => notices.on(listener) }
}
