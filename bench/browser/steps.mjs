// The steps that are measured, the same for each program. `program` says how its page is worked.
import { openMeter } from './page-meter.mjs'

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
