/** Width of a bucket, as a factor: what is read from the histogram is within 0.5% of a time that was added. */
const growth = 1.01
const logGrowth = Math.log(growth)
/** The first bucket ends here; times below count as this. */
const shortestMs = 0.001
/** Up to some 3 hours; longer times count as this, except in `maxMs` and `meanMs`. */
const bucketCount = 2_320

const endOf = (bucket: number) => shortestMs * growth ** bucket

/** Times between two limits. */
export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
  readonly count: number
}

/** Counts times in buckets whose width grows with the time. Its memory doesn't grow with the number of times. */
export class Histogram {
  count = 0
  maxMs = 0
  private minMs = Number.POSITIVE_INFINITY
  private sumMs = 0
  private readonly counts = new Float64Array(bucketCount)

  add(ms: number): void {
    const bucket = Math.ceil(Math.log(Math.max(ms, shortestMs) / shortestMs) / logGrowth)
    const index = Math.min(bucketCount - 1, bucket)
    this.counts[index] = (this.counts[index] ?? 0) + 1
    this.count += 1
    this.sumMs += ms
    this.minMs = Math.min(this.minMs, ms)
    this.maxMs = Math.max(this.maxMs, ms)
  }

  /** 0 where there is no time. */
  get meanMs(): number {
    return this.count === 0 ? 0 : this.sumMs / this.count
  }

  /** Nearest rank. 0 where there is no time. @param percent above 0, at most 100 */
  percentile(percent: number): number {
    const rank = Math.max(1, Math.ceil((percent / 100) * this.count))
    if (rank >= this.count) return this.maxMs
    let seen = 0
    const bucket = this.counts.findIndex(count => {
      seen += count
      return seen >= rank
    })
    return this.within(endOf(bucket - 0.5))
  }

  /** All times in at most 12 ranges, fewer for few times. The factor from start to end is the same for each. */
  ranges(): readonly TimeRange[] {
    if (this.count === 0) return []
    // Sturges' rule: more ranges than this are mostly empty.
    const maxRanges = Math.min(12, Math.ceil(Math.log2(this.count)) + 1)
    const first = this.counts.findIndex(count => count > 0)
    const last = this.counts.findLastIndex(count => count > 0)
    const width = Math.ceil((last - first + 1) / maxRanges)
    const ranges: TimeRange[] = []
    for (let bucket = first; bucket <= last; bucket += width) {
      const count = this.counts.subarray(bucket, bucket + width).reduce((sum, each) => sum + each, 0)
      const [fromMs, toMs] = [endOf(bucket - 1), endOf(bucket + width - 1)].map(ms => this.within(ms))
      ranges.push({ fromMs: fromMs ?? 0, toMs: toMs ?? 0, count })
    }
    return ranges
  }

  private within(ms: number): number {
    return Math.min(this.maxMs, Math.max(this.minMs, ms))
  }
}
