/** One row of the report: what was compared with an original, and the differences. */
export interface Row {
  /** The part of the mission that the row is about. */
  readonly row: string
  readonly compared: string
  readonly count: number
  /** The differences, one line each. */
  readonly different: readonly string[]
  /** Intended differences: each is listed with its reason in docs/. */
  readonly intended?: number
  /** Why nothing, or not everything, could be compared. */
  readonly missing?: string
}

export type Compare = (data: string) => Promise<readonly Row[]>

/** Collects the differences of one row. */
export class RowBuilder {
  private count = 0
  private intended = 0
  private readonly different: string[] = []

  compare(what: string, ours: unknown, original: unknown): void {
    this.count += 1
    const [one, other] = [JSON.stringify(ours), JSON.stringify(original)]
    if (one !== other) this.different.push(`${what}\n    original ${other}\n    ours     ${one}`)
  }

  expectDifference(): void {
    this.count += 1
    this.intended += 1
  }

  finish(row: string, compared: string, missing?: string): Row {
    return {
      row,
      compared,
      count: this.count,
      different: this.different,
      ...(this.intended === 0 ? {} : { intended: this.intended }),
      ...(missing === undefined ? {} : { missing }),
    }
  }
}
