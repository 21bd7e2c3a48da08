/** What a screen reader says of every control of a form, and what axe finds in it. */
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

const test = testServed(() => startToolscope(['bench/forms/constructs.json']))

/** One tool for each construct of JSON Schema that has a control of its own. */
const constructs = [
  'text',
  'long text',
  'formats',
  'secrets',
  'binary',
  'numbers',
  'booleans',
  'enums',
  'long enum',
  'constants',
  'lists of values',
  'lists of flat objects',
  'lists of objects',
  'tuples',
  'nested objects',
  'maps',
  'any JSON',
  'recursion',
  'discriminated union',
  'unions of kinds',
  'root union',
  'nullable',
  'conditions',
  'no input',
  'odd names',
]

/** The role, name and state of each control, without those that every field has. */
function controlsIn(snapshot: string): string[] {
  return snapshot
    .split('\n')
    .filter(line => /^ *- (?!text:|paragraph|form|code|button "(Clear|More)")/.test(line))
    .filter(line => !/^ *- \/placeholder/.test(line))
    .map(line => line.replace(/(?<=["\]]):( .*)?$/, ''))
}

test('form: names each control of each JSON Schema construct, and has no axe violation', async ({
  page,
  served,
}) => {
  test.setTimeout(300_000)
  const names: string[] = []
  await page.goto(served.urlOf('/'))
  for (const construct of constructs) {
    await page.getByTestId('catalog-search').fill(construct)
    await page.locator(`[data-tool=${JSON.stringify(`constructs/${construct}`)}]`).click()
    await expect(page.getByTestId('tool-title')).toHaveText(construct)
    const filled = page.getByText('Filled with an example.')
    await expect(filled).toBeHidden()
    // In the bar, or in its menu if the pane is narrow.
    const fillAll = page.getByRole('toolbar').getByRole('button', { name: 'Fill all' })
    if (await fillAll.isVisible()) await fillAll.click()
    else {
      await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
      await page.getByRole('menuitem', { name: 'Fill all' }).click()
    }
    await expect(filled).toBeVisible()
    const form = page.getByTestId('tool-form')
    await expect(form.locator('[data-path]').first()).toBeVisible()
    // The verdict on the example has come.
    await expect(form.locator('[aria-invalid="true"]')).toHaveCount(0)
    names.push(`# ${construct}`, ...controlsIn(await form.ariaSnapshot()))
    await expectNoViolations(page, construct)
  }
  expect(names.join('\n')).toMatchSnapshot('form-names.txt')
})
