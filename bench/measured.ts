/** Measures times of a benchmark, and summarizes them. */

/** Milliseconds of elapsed time, and of processor time: the elapsed time on an idle core. */
export async function measured<Value>(work: () => Value | Promise<Value>) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const value = await work()
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return { value, wall, cpu: (user + system) / 1_000 }
}

/** Nearest rank: returns one of the values, 0 if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
