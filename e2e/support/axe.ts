/**
 * axe with every WCAG 2.2 A and AA rule, as a hard failure.
 *
 * A scan of all modes is all rules in one theme, and the rules about colours in the other theme and in forced colours, at each
 * width. accessibility.spec.ts always does it for the catalog, forms and results. Every other state has two scans, all rules and
 * the colours of the other theme. With TOOLSCOPE_SCANS=all (`npm test -- --page`, which .ci/run runs) they scan all modes too.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']
/** The rules that look at colours: all that another theme can change. */
const colorRules = ['color-contrast', 'link-in-text-block']

// Run in the page itself: @axe-core/playwright loads it again for each run and opens a second page, at three times the cost.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe?: { run(context: string | Document, options: RunOptions): Promise<AxeResults> }
  }
}

const scansAll = process.env.TOOLSCOPE_SCANS === 'all'

/**
 * Scans all rules, and the colours of the other theme.
 *
 * @param state names the state of the page in the report
 * @param scope selects the part to scan: a window over a page that was scanned already
 */
export async function expectNoViolations(page: Page, state: string, scope?: string): Promise<void> {
  if (scansAll) return expectNoViolationsInAllModes(page, state, scope)
  await scanAllRules(page, state, scope)
  await scanColorsOfOtherTheme(page, state, scope)
}

/** Scans all rules at a desk, and the colours of the other theme on a phone. The page is loaded once and stays wide. */
export async function expectNoViolationsWideAndNarrow(
  page: Page,
  state: string,
  scope?: string,
): Promise<void> {
  if (scansAll) return expectNoViolationsInAllModesWideAndNarrow(page, state, scope)
  await setWidth(page, narrow, state)
  await colorsSettled(page)
  await scanColorsOfOtherTheme(page, `${state} at ${narrow} px`, scope)
  await setWidth(page, wide, state)
  await scanAllRules(page, `${state} at ${wide} px`, scope)
}

async function expectNoViolationsInAllModes(page: Page, state: string, scope?: string): Promise<void> {
  await scanAllRules(page, state, scope)
  await scanColorsOfOtherTheme(page, state, scope)
  await page.emulateMedia({ forcedColors: 'active' })
  await colorsSettled(page)
  expect(await violations(page, colorRules, scope), `${state}, forced colours`).toEqual([])
  await page.emulateMedia({ forcedColors: 'none' })
}

/** The page is loaded once and stays wide. */
export async function expectNoViolationsInAllModesWideAndNarrow(
  page: Page,
  state: string,
  scope?: string,
): Promise<void> {
  for (const width of [narrow, wide]) {
    await setWidth(page, width, state)
    await expectNoViolationsInAllModes(page, `${state} at ${width} px`, scope)
  }
}

/** Widths of the window in pixels. */
const [narrow, wide] = [375, 1440]

async function setWidth(page: Page, width: number, state: string): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await expect.poll(overflow, `${state} at ${width} px: wider than the window`).toBeLessThanOrEqual(0)
}

async function scanAllRules(page: Page, state: string, scope: string | undefined): Promise<void> {
  // A new size, or the colours of the check before, may still be on their way.
  await colorsSettled(page)
  expect(await violations(page, tags, scope), `${state}, ${await themeOf(page)}`).toEqual([])
}

/** Leaves the theme as it was. */
async function scanColorsOfOtherTheme(page: Page, state: string, scope: string | undefined): Promise<void> {
  const theme = await themeOf(page)
  const other = theme === 'dark' ? 'light' : 'dark'
  await setTheme(page, other)
  expect(await violations(page, colorRules, scope), `${state}, ${other}`).toEqual([])
  await setTheme(page, theme)
}

/** Each violation as its rule and the element. @param runOnly all tags, or all rules */
async function violations(page: Page, runOnly: string[], scope: string | undefined): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options: RunOptions = { runOnly, resultTypes: ['violations'] }
  const found = await page.evaluate(
    async ({ options, scope }) => (await window.axe?.run(scope ?? document, options))?.violations,
    { options, scope },
  )
  if (found === undefined) throw new Error('axe did not run')
  return found.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')}`))
}

async function themeOf(page: Page): Promise<'dark' | 'light'> {
  return (await page.locator('html').getAttribute('data-theme')) === 'dark' ? 'dark' : 'light'
}

/** Sets it as the system's own switch does, and waits for colours that change slowly. */
async function setTheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  await colorsSettled(page)
}

/** What follows from another size or theme is drawn: the next frames, and what they ask of the page. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    await new Promise(resolve => requestIdleCallback(resolve, { timeout: 1_000 }))
    await new Promise(resolve => requestAnimationFrame(resolve))
  })
}

async function colorsSettled(page: Page): Promise<void> {
  await drawn(page)
  await page.evaluate(async () => {
    const fading = document.getAnimations().filter(animation => animation instanceof CSSTransition)
    await Promise.all(fading.map(animation => animation.finished.catch(() => {})))
  })
}
