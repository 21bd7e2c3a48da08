/** A cache of the last few results by key. It removes the least recently used one first. */
export class Recent<Value> {
  private readonly values = new Map<string, Value>()
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get(key: string, compute: () => Value): Value {
    const known = this.values.get(key)
    const value = known === undefined && !this.values.has(key) ? compute() : (known as Value)
    this.values.delete(key)
    this.values.set(key, value)
    for (const oldest of this.values.keys()) {
      if (this.values.size <= this.limit) break
      this.values.delete(oldest)
    }
    return value
  }
}
