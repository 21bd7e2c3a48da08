/** A cache of the last few results by key. It removes the least recently used one first. */
export class Recent<Value> {
  private readonly kept = new Map<string, Value>()
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get(key: string, compute: () => Value): Value {
    const known = this.kept.get(key)
    const value = known === undefined && !this.kept.has(key) ? compute() : (known as Value)
    this.kept.delete(key)
    this.kept.set(key, value)
    for (const oldest of this.kept.keys()) {
      if (this.kept.size <= this.limit) break
      this.kept.delete(oldest)
    }
    return value
  }
}
