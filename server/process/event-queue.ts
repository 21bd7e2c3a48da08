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
