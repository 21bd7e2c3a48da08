// The steps that are measured, the same for each program. `program` says how its page is worked.

const pollMs = 50
/** The page is quiet after so long with hardly any work. React may wait for 300 ms before it shows what has been loaded. */
const quietMs = 400
const maxWaitMs = 30_000

/** @param page a Playwright page; its renderer must stay the same while it is measured */
async function openMeter(page) {
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

const searchText = 'update invoice workspace'
const formText = 'hello world'
const wheelSteps = 40
const keyPauseMs = 60
const wheelPauseMs = 50

/**
 * One round in a browser of its own context.
 * @param profile called with (name, cdp) before a step, and its result after it
 * @returns milliseconds of the renderer's main thread by step, elements and megabytes of the heap
 */
export async function measureRound(browser, program, profile) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const page = await context.newPage()
    // A page of the same origin first: the renderer that is measured must not change.
    await page.goto(program.blank)
    const meter = await openMeter(page)
    const cost = async (name, act) => {
      const finish = await profile?.(name, meter.cdp)
      const used = await meter.cost(act)
      await finish?.()
      return used
    }
    const list = await cost('list', () => program.showList(page))
    await program.checkList(page)
    const size = await meter.size()
    const wheel = await cost('wheel', async () => {
      await page.mouse.move(...(await program.listPoint(page)))
      for (let step = 0; step < wheelSteps; step++) {
        await page.mouse.wheel(0, 100)
        await pause(wheelPauseMs)
      }
    })
    await program.checkScrolled(page)
    await program.scrollBack(page)
    const selections = []
    for (const place of [2, 5, 8]) {
      const point = await program.toolPoint(page, place)
      selections.push(await cost('select', () => page.mouse.click(...point)))
      await program.checkSelected(page, place)
    }
    await program.focusForm(page)
    const formKeys = await cost('form key', () => type(page, formText))
    await program.checkForm(page, formText)
    await program.focusSearch(page)
    const searchKeys = await cost('search key', () => type(page, searchText))
    await program.checkSearch(page, searchText)
    return {
      list,
      wheel,
      firstSelect: selections[0],
      select: median(selections),
      formKey: formKeys / formText.length,
      searchKey: searchKeys / searchText.length,
      ...size,
    }
  } finally {
    await context.close()
  }
}

async function type(page, text) {
  for (const character of text) {
    await page.keyboard.press(character === ' ' ? 'Space' : character)
    await pause(keyPauseMs)
  }
}

function pause(ms) {
  return new Promise(resolve => setTimeout(resolve, ms))
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
