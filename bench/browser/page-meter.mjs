// What a page costs, asked over CDP from outside: nothing of it runs in the page.

const pollMs = 50
/** The page is quiet after so long with hardly any work. React may wait for 300 ms before it shows what has been loaded. */
const quietMs = 400
const maxWaitMs = 30_000

/** @param page a Playwright page; its renderer must stay the same while it is measured */
export async function openMeter(page) {
  const cdp = await page.context().newCDPSession(page)
  // The processor time of the main thread, not the clock: other work on the machine is not counted.
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await cdp.send('Performance.getMetrics')
    return new Map(metrics.map(({ name, value }) => [name, value]))
  }
  const taskMs = async () => (await read()).get('TaskDuration') * 1_000

  /** Waits until the page does nothing, and returns what it has used so far in milliseconds. */
  async function settle() {
    const deadline = Date.now() + maxWaitMs
    let [used, quiet] = [await taskMs(), 0]
    while (quiet < quietMs) {
      if (Date.now() > deadline) throw new Error('the page does not come to rest')
      await new Promise(resolve => setTimeout(resolve, pollMs))
      const now = await taskMs()
      quiet = now - used < 1 ? quiet + pollMs : 0
      used = now
    }
    return used
  }

  return {
    cdp,
    settle,
    /** Milliseconds of the page's main thread for what `act` does, and all that follows from it. */
    async cost(act) {
      const before = await settle()
      await act()
      return (await settle()) - before
    },
    /** The heap in megabytes and the number of elements, after the garbage went. */
    async size() {
      for (let round = 0; round < 2; round++) await cdp.send('HeapProfiler.collectGarbage')
      const { result } = await cdp.send('Runtime.evaluate', {
        expression: 'document.body.querySelectorAll("*").length',
      })
      return { elements: result.value, heapMb: (await read()).get('JSHeapUsedSize') / 1e6 }
    },
  }
}
