/** axe with every WCAG 2.2 A and AA rule, as a hard failure, in both themes. */
import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']
/** The rules that look at colours: all that another theme can change. */
const rulesOfColour = ['color-contrast', 'link-in-text-block']

/** @param where names the state of the page in the report */
export async function expectNoViolations(page: Page, where: string): Promise<void> {
  const violations = () => new AxeBuilder({ page }).options({ resultTypes: ['violations'] })
  const theme = await themeOf(page)
  expect(await found(violations().withTags(tags)), `${where}, ${theme}`).toEqual([])
  const other = theme === 'dark' ? 'light' : 'dark'
  await show(page, other)
  expect(await found(violations().withRules(rulesOfColour)), `${where}, ${other}`).toEqual([])
  await show(page, theme)
}

async function found(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.target.join(' ')}`))
}

async function themeOf(page: Page): Promise<'dark' | 'light'> {
  return (await page.locator('html').getAttribute('data-theme')) === 'dark' ? 'dark' : 'light'
}

/** As the system's own switch does it; colours that fade have then arrived. */
async function show(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
  await page.evaluate(async () => {
    await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const fading = document.getAnimations().filter(animation => animation instanceof CSSTransition)
    await Promise.all(fading.map(animation => animation.finished.catch(() => {})))
  })
}
