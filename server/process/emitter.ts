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
