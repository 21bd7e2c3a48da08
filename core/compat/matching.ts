/** Gives each place a value of its own from its list of candidates (augmenting paths). */
export class Matching {
  private readonly places: (readonly string[])[] = []
  private readonly placeOf = new Map<string, number>()
  private readonly history: Map<string, number>[] = []

  /** Adds a place. @returns false, changing nothing, when its candidates cannot all be kept apart from the others'. */
  push(candidates: readonly string[]): boolean {
    const before = new Map(this.placeOf)
    this.places.push(candidates)
    if (this.augment(this.places.length - 1, new Set())) {
      this.history.push(before)
      return true
    }
    this.places.pop()
    this.restore(before)
    return false
  }

  pop(): void {
    this.places.pop()
    const before = this.history.pop()
    if (before) this.restore(before)
  }

  /** The value of each place. */
  chosen(): string[] {
    const result: string[] = []
    for (const [key, place] of this.placeOf) result[place] = key
    return result
  }

  private augment(place: number, seen: Set<string>): boolean {
    const candidates = this.places[place] ?? []
    const free = candidates.find(key => !this.placeOf.has(key))
    if (free !== undefined) {
      this.placeOf.set(free, place)
      return true
    }
    for (const key of candidates) {
      if (seen.has(key)) continue
      seen.add(key)
      const holder = this.placeOf.get(key)
      if (holder === undefined || this.augment(holder, seen)) {
        this.placeOf.set(key, place)
        return true
      }
    }
    return false
  }

  private restore(before: ReadonlyMap<string, number>): void {
    this.placeOf.clear()
    for (const [key, place] of before) this.placeOf.set(key, place)
  }
}
